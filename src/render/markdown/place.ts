// Where something stands in the files, as a link to the line where the page of the file is known.

import type { Place } from "../../domain/place.ts";
import type { Setting } from "../format.ts";
import { repositoryPath } from "../repository-file.ts";
import { code, link, pathInUrl } from "./inline.ts";
import { shorten } from "../../view/spans.ts";

/** More of a path than this is no help. */
const LONGEST = 160;

/** `file:line`. Files of a place lie below the project's folder, those of a web page below the repository's root. */
export function placeText(place: Place, setting: Pick<Setting, "blob" | "project">): string {
  const { file, line, source } = place;
  const { blob } = setting;
  const ref = source?.ref ?? null;
  const text = code(shorten(`${file}:${line}`, LONGEST));
  // A line of another commit stands elsewhere in this one's.
  if (ref !== null) return `${text} at ${code(ref)}`;
  if (blob === null) return text;
  return link(text, `${blob}${pathInUrl(repositoryPath(setting, place))}#L${line}`);
}
