// A diagnostic with its marked source line and hint, and links to places.

import type { Diagnostic, Severity } from "../../domain/diagnostic.ts";
import { placesText, SEVERITY_WORDS } from "../diagnostics.ts";
import { markup, prose, type HtmlContent, type Markup } from "./markup.ts";
import type { Place } from "../../domain/place.ts";
import { cellsOf, type Cell } from "../text/diagnostics.ts";
import { concealedIn } from "../redaction.ts";
import { repositoryFile, type RenderContext } from "../format.ts";

const SYMBOLS: Readonly<Record<Severity, string>> = { error: "✗", warning: "!", info: "i" };

/** The card of a diagnostic. */
export function findingCard(diagnostic: Diagnostic, sources: Sources): Markup {
  const { code, severity, message, place, hint, also = [] } = diagnostic;
  const places = placesText(diagnostic);
  const where = place === null ? null : originRow(placeLink(place, sources), codeLines([place]));
  const others = also.map((aside) =>
    originRow([`${aside.says}: `, placeLink(aside.place, sources)], codeLines([aside.place])),
  );
  return markup`<article class="card finding ${severity}">
<h3><span class="what"><b>${SYMBOLS[severity]}</b> ${SEVERITY_WORDS[severity]}</span> <span class="says">${prose(message)}</span> <span class="id">${code}</span></h3>
${hint === null ? null : markup`<p class="hint">${prose(hint)}</p>\n`}${places === null ? null : markup`<p class="hint">${prose(places)}</p>\n`}${where}${others}</article>
`;
}

/** What the links to files need. */
export type Sources = Pick<RenderContext, "blobUrl" | "project">;

/** The context shown before and after a mark: a line can be as long as a file. */
const MAX_BEFORE = 60;
const MAX_AFTER = 160;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** `links/spring.yaml:4`, with a link if the web page of the file is known. */
export function placeLink(place: Place, context: Sources): HtmlContent {
  const ref = place.source?.ref ?? null;
  const text = `${place.file}:${place.line}${ref === null ? "" : ` at ${ref}`}`;
  const page = pageOf(place, context);
  return page === null ? text : markup`<a href="${page}" rel="noreferrer noopener">${text}</a>`;
}

function pageOf(place: Place, context: Sources): string | null {
  const { blobUrl } = context;
  const file = repositoryFile(context, place);
  // An unpaired surrogate cannot be encoded in a URL.
  if (blobUrl === null || !isWeb(blobUrl) || file === null || /\p{Cs}/u.test(file)) return null;
  return `${blobUrl}${file.split("/").map(encodeURIComponent).join("/")}#L${place.line}`;
}

/** Only web addresses become links, never `javascript:` or `file:`. */
export function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

export function originRow(where: HtmlContent, lines: HtmlContent): Markup {
  return markup`<div class="origin"><p class="src">${where}</p>${lines}</div>
`;
}

/** The numbered source lines of these places, with their marks; null if none is available. */
function codeLines(places: readonly Place[]): HtmlContent {
  const lines = places.flatMap((place) => codeLine(place) ?? []);
  return lines.length === 0 ? null : markup`<pre class="code">${lines}</pre>`;
}

/** The source lines of a document; null if there are none. */
export function excerptLines(excerpt: string): HtmlContent {
  if (excerpt === "") return null;
  const lines = excerpt.split("\n").map((line) => {
    const [, number = "", text = line] = /^(\d+) \| (.*)$/s.exec(line) ?? [];
    return markup`<code>${lineNumber(number)}${text}</code>`;
  });
  return markup`<pre class="code">${lines}</pre>`;
}

function lineNumber(line: number | string): Markup {
  return markup`<span class="no">${line}</span>`;
}

function codeLine(place: Place): Markup | null {
  const { source, line, column, length = 1 } = place;
  const text = source?.line(line) ?? null;
  if (source === undefined || text === null) return null;
  const [from, to] = [column - 1, column - 1 + length];
  const hidden = concealedIn(source, line);
  const isShort = text.length <= MAX_BEFORE + MAX_AFTER;
  const [start, end] = isShort ? [0, text.length] : [Math.max(0, from - MAX_BEFORE), from + MAX_AFTER];
  const isPlain = hidden.length === 0 && PRINTABLE_ASCII.test(text);
  const cells = isPlain ? [] : cellsOf(text, [start, end], hidden);
  const show = (of: (cell: Cell) => boolean): string => cells.flatMap((cell) => (of(cell) ? cell.shown : [])).join("");
  const [before, meant, behind] = isPlain
    ? [text.slice(start, from), text.slice(from, Math.min(to, end)), text.slice(Math.min(to, end), end)]
    : [
        show((cell) => cell.to <= from),
        show((cell) => cell.to > from && cell.from < to),
        show((cell) => cell.from >= to),
      ];
  const marked = place.length !== undefined ? markup`<mark>${meant}</mark>` : meant;
  return markup`<code>${lineNumber(line)}${start > 0 ? "…" : ""}${before}${marked}${behind}${end < text.length ? "…" : ""}</code>`;
}
