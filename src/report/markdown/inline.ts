// Markdown pieces. Foreign text is put in code spans, where neither GitHub nor GitLab parses links, mentions or markup.

import { visible } from "../../domain/control-characters.ts";
import { showCount } from "../counts.ts";
import { shorten, type Span } from "../spans.ts";
import { isOutsideProject, type Place } from "../../domain/place.ts";
import { repositoryPath, type RenderContext } from "../format.ts";

/** Foreign text as a code span; empty for empty text. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "";
  const ticks = "`".repeat(longestRun(shown) + 1);
  // CommonMark strips one space from both sides if both have one, so this and a leading or trailing backtick need padding.
  const isPadded = /^`|`$/.test(shown) || (/^ .* $/.test(shown) && shown.trim() !== "");
  const pad = isPadded ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Words, punctuation without meaning in Markdown, and numbers, which are short because a long one can be a commit. */
const WORD =
  /^[("“„«‘]*(?:(?:\p{L}[\p{L}\p{M}]*['’‑-])*\p{L}[\p{L}\p{M}]*|\d{1,6}|\d{1,3}(?:,\d{3})+|\d{1,3}%)?[)"”»’.,:;?!…–—]*$/u;
/** A possible commit hash. Not every parser treats a non-ASCII letter beside it as part of the word. */
const COMMIT = /(?<!\w)[0-9a-f]{7,}(?!\w)/i;

/** The punctuation around a word. */
const PUNCTUATED = /^([("“„]*)(.*?)([.,:;?!)"”]*)$/su;

/** A sentence that can contain foreign text: everything but plain words becomes code spans. */
export function prose(sentence: string): string {
  const pieces: { text: string; isCode: boolean }[] = [];
  const put = (text: string, isCode: boolean): void => {
    const last = pieces.at(-1);
    if (text === "") return;
    // Adjacent code spans would be parsed as one.
    if (last !== undefined && last.isCode === isCode) last.text += text;
    else pieces.push({ text, isCode });
  };
  for (const [at, part] of visible(sentence).split("`").entries()) {
    if (at % 2 === 1) put(part, true);
    else for (const token of part.split(/( +)/)) putToken(token, put);
  }
  return pieces.map(({ text, isCode }) => (isCode ? code(text) : text)).join("");
}

function putToken(token: string, put: (text: string, isCode: boolean) => void): void {
  if (/^ *$/.test(token)) return put(token, false);
  if (isPlain(token)) return put(token, false);
  const [, before = "", core = token, after = ""] = PUNCTUATED.exec(token) ?? [];
  put(before, false);
  put(core, true);
  put(after, false);
}

function isPlain(token: string): boolean {
  return WORD.test(token) && !COMMIT.test(token);
}

/** A line of spans. Its plain text is our own. */
export function spanText(spans: readonly Span[]): string {
  const runs: Span[][] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    const isAdjacent = span.as !== "text" && last?.[0] !== undefined && last[0].as !== "text";
    if (isAdjacent) last?.push(span);
    else runs.push([span]);
  }
  return runs.map(runText).join("");
}

/** Plain text, one code span, or adjacent code spans of which some are emphasized. */
function runText(run: readonly Span[]): string {
  const [only] = run;
  // A text with `@` could look like an email address, which GitHub links even inside of HTML.
  if (run.length > 1 && !run.some(({ text }) => text.includes("@"))) return emphasizedCode(run);
  return only?.as === "text"
    ? only.text
    : run.map(({ text, as }) => (as === "code" ? code(text) : bold(text))).join("");
}

function bold(text: string): string {
  return `**${code(text)}**`;
}

/** One code span with emphasized parts, which Markdown cannot express. No character of foreign text keeps its meaning. */
function emphasizedCode(run: readonly Span[]): string {
  const parts = run.map(({ text, as }) => (as === "code" ? entities(text) : `<strong>${entities(text)}</strong>`));
  return `<code>${parts.join("")}</code>`;
}

/** Foreign text as HTML in which Markdown finds nothing: every character that could have a meaning is an entity. */
function entities(text: string): string {
  return visible(text).replaceAll(/[^A-Za-z0-9 /?=%,-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/** A list item of several lines. */
export function linesItem(lines: readonly string[]): string {
  return `- ${lines.filter((text) => text !== "").join("<br>")}\n`;
}

/** List items, with the number of those left out, and an empty line. */
export function listItems<Item>(items: readonly Item[], max: number, draw: (item: Item) => string): string {
  const rest = items.length - Math.min(items.length, max);
  return `${items.slice(0, max).map(draw).join("")}${rest === 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
}

/** Lines in a code fence that they cannot close. */
export function fence(lines: string, language = ""): string {
  const ticks = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${ticks}${language}\n${lines.replace(/\n*$/, "\n")}${ticks}\n`;
}

/** Folded content; `summary` must not be foreign text. */
export function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content.trimEnd()}\n\n</details>\n\n`;
}

/** A URL that needs no escaping in a link: only a path and a line. */
const LINKABLE = /^https?:\/\/[\w.~:/%@+-]{1,1000}(?:#L\d+)?$/;

/** A link, or only the text if the URL would need escaping. */
export function link(text: string, url: string | null): string {
  return url !== null && LINKABLE.test(url) ? `[${text}](${url})` : text;
}

/** Encodes a path for a URL, with U+FFFD for an unpaired surrogate. */
function pathInUrl(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
}

const MAX_PLACE_LENGTH = 160;

/** `file:line`, relative to the project; the link is relative to the root of the repository. */
export function placeText(place: Place, context: Pick<RenderContext, "blobUrl" | "project">): string {
  const { file, line, source } = place;
  const { blobUrl } = context;
  const ref = source?.ref ?? null;
  const text = code(shorten(`${file}:${line}`, MAX_PLACE_LENGTH));
  // Line numbers of another commit do not fit this one.
  if (ref !== null) return `${text} at ${code(ref)}`;
  if (blobUrl === null || isOutsideProject(place)) return text;
  return link(text, `${blobUrl}${pathInUrl(repositoryPath(context, place))}#L${line}`);
}
