// Markdown pieces. Foreign text is put in code spans, where neither GitHub nor GitLab parses links, mentions or markup.

import { visible } from "../../domain/control-characters.ts";
import type { Line, Span, Value } from "../blocks.ts";

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

/** A line of spans. */
export function lineText(line: Line): string {
  const runs: Span[][] = [];
  for (const span of line) {
    const last = runs.at(-1);
    const isAdjacent =
      isCodeSpan(span) &&
      span.href === undefined &&
      last?.[0] !== undefined &&
      isCodeSpan(last[0]) &&
      last[0].href === undefined;
    if (isAdjacent) last?.push(span);
    else runs.push([span]);
  }
  return runs.map(runText).join("");
}

function isCodeSpan({ as }: Span): boolean {
  return as === "code" || as === "strong code";
}

/** Words, or adjacent code spans of which some are emphasized. */
function runText(run: readonly Span[]): string {
  const [first] = run;
  if (first === undefined) return "";
  const { text, as } = first;
  const href = first.href ?? null;
  if (as === "text") return link(text, href);
  if (as === "strong") return `**${text}**`;
  if (as === "prose") return prose(text);
  // A text with `@` could look like an email address, which GitHub links even inside of HTML.
  if (run.length > 1 && !run.some((one) => one.text.includes("@"))) return emphasizedCode(run);
  const all = run.map((one) => (one.as === "code" ? code(one.text) : bold(one.text))).join("");
  return link(all, href);
}

/** What stands for a value that is not shown. */
const NO_VALUE = /^(none|\((set|unset|unknown|set, sent again)\))$/;

/** A value, with its differing parts emphasized; a link if it is an address on the web. */
export function valueText({ pieces, href }: Value): string {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && NO_VALUE.test(only.text))
    return only.text.replace(/^\((.*)\)$/, "$1");
  const hasMarks = pieces.length > 1;
  const text = lineText(
    pieces.map(({ text: part, differs }) => ({ text: part, as: differs && hasMarks ? "strong code" : "code" })),
  );
  return link(text, href ?? null);
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

/** Lines in a code fence that they cannot close. */
export function fence(lines: string, language = ""): string {
  const ticks = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${ticks}${language}\n${lines.replace(/\n*$/, "\n")}${ticks}\n`;
}

/** Folded content; `summary` must not be foreign text. */
export function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content.trimEnd()}\n\n</details>\n\n`;
}

/** The longest address that is linked. */
const MAX_ADDRESS = 1000;

/** A link to a web page, or only the text. Every character of the address that could mean something in Markdown is encoded. */
export function link(text: string, url: string | null): string {
  if (url === null || text === "" || url.length > MAX_ADDRESS || !/^https?:\/\//i.test(url) || /\p{Cs}/u.test(url))
    return text;
  const address = url.replaceAll(/[^\w.~:/?#@!$&+,=%-]/gu, (character) =>
    Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    ).join(""),
  );
  return `[${text}](${address.replaceAll("&", "&amp;")})`;
}
