// Who changed the files, and in which commit. The name is code, so that a comment notifies nobody.

import { shortCommit } from "../plan-remarks.ts";
import type { RenderContext } from "../format.ts";
import { fixed, type ReportBlock } from "./fit.ts";
import { code, link } from "./inline.ts";

/** `isPending`: the changes of a pull request are going to be applied after its merge. */
export function originBlock({ origin }: RenderContext, isPending: boolean): ReportBlock[] {
  if (origin == null) return [];
  const { of, login, commit, commitUrl } = origin;
  const by = login === null ? "" : ` by ${code(`@${login}`)}`;
  const where = commit === null ? "" : ` in ${link(code(shortCommit(commit)), commitUrl)}`;
  const sentences = [
    ...(by === "" && where === "" ? [] : [`${of === "request" ? "Changed" : "Pushed"}${by}${where}.`]),
    ...(of === "request" && isPending ? ["Applies after the merge."] : []),
  ];
  return sentences.length === 0 ? [] : [fixed(`${sentences.join(" ")}\n\n`)];
}
