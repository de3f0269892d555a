// Where something stands in the files: its file and line, its page on the web, and the text of the line.

import type { Place } from "../../domain/place.ts";
import { cellsOf, type Cell } from "../text/frame.ts";
import type { SecretFinder } from "../../view/redaction.ts";
import type { Setting } from "../format.ts";
import { repositoryFile } from "../repository-file.ts";
import { markup, type HtmlContent, type Markup } from "./markup.ts";

/** What places are shown with. */
export interface Sources {
  readonly setting: Pick<Setting, "blob" | "project">;
  readonly conceal: SecretFinder;
}

/** More of a line, before and behind what is meant, is not shown: a line may be as long as a file. */
const MOST_BEFORE = 60;
const MOST_BEHIND = 160;
const CODE = /^[ -~]*$/;

/** `links/spring.yaml:4`, a link where a page of this commit's text is known. */
export function placeLink(place: Place, { setting }: Sources): HtmlContent {
  const ref = place.source?.ref ?? null;
  const text = `${place.file}:${place.line}${ref === null ? "" : ` at ${ref}`}`;
  const page = pageOf(place, setting);
  return page === null ? text : markup`<a href="${page}" rel="noreferrer noopener">${text}</a>`;
}

/** What is known by its numbers only may stand in a commit of the past, whose lines are others: it has no page. */
function pageOf(place: Place, setting: Sources["setting"]): string | null {
  const { blob } = setting;
  const file = repositoryFile(setting, place);
  // Half a character has no place in an address.
  if (blob === null || !isWeb(blob) || file === null || place.source === undefined || /\p{Cs}/u.test(file)) return null;
  return `${blob}${file.split("/").map(encodeURIComponent).join("/")}#L${place.line}`;
}

/** Whether an address may be a link: nothing that runs or reads on the spot is one. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

/** A place, and the lines beside it. */
export function originRow(where: HtmlContent, lines: HtmlContent): Markup {
  return markup`<div class="origin"><p class="src">${where}</p>${lines}</div>
`;
}

/** The lines in which these places stand, each with its number; null where none is at hand. */
export function codeLines(places: readonly Place[], isMarked: boolean, { conceal }: Sources): HtmlContent {
  const lines = places.flatMap((place) => codeLine(place, isMarked, conceal) ?? []);
  return lines.length === 0 ? null : markup`<pre class="code">${lines}</pre>`;
}

function codeLine(place: Place, isMarked: boolean, conceal: SecretFinder): Markup | null {
  const { source, line, column, length = 1 } = place;
  const text = source?.line(line) ?? null;
  if (source === undefined || text === null) return null;
  const [from, to] = [column - 1, column - 1 + length];
  const hidden = conceal(source, line);
  const isShort = text.length <= MOST_BEFORE + MOST_BEHIND;
  const [start, end] = isShort ? [0, text.length] : [Math.max(0, from - MOST_BEFORE), from + MOST_BEHIND];
  const number = markup`<span class="no">${line}</span>`;
  const isPlain = hidden.length === 0 && CODE.test(text);
  const cells = isPlain ? [] : cellsOf(text, [start, end], hidden);
  const show = (of: (cell: Cell) => boolean): string => cells.flatMap((cell) => (of(cell) ? cell.shown : [])).join("");
  const [before, meant, behind] = isPlain
    ? [text.slice(start, from), text.slice(from, Math.min(to, end)), text.slice(Math.min(to, end), end)]
    : [
        show((cell) => cell.to <= from),
        show((cell) => cell.to > from && cell.from < to),
        show((cell) => cell.from >= to),
      ];
  const marked = isMarked && place.length !== undefined ? markup`<mark>${meant}</mark>` : meant;
  return markup`<code>${number}${start > 0 ? "…" : ""}${before}${marked}${behind}${end < text.length ? "…" : ""}</code>`;
}
