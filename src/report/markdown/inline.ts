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
/** A possible commit hash, or the start of an address. Some parsers see a hash beside a non-ASCII letter. */
const LINKED = /(?<!\w)[0-9a-f]{7,}(?!\w)|www\./i;

const PUNCTUATED = /^([("“„]*)(.*?)([.,:;?!)"”]*)$/su;

/** A sentence that can contain foreign text as spans: everything but plain words is code. */
function proseSpans(sentence: string): Span[] {
  return visible(sentence)
    .split("`")
    .flatMap((part, at) => (at % 2 === 1 ? span(part, "code") : part.split(/( +)/).flatMap(tokenSpans)));
}

function tokenSpans(token: string): Span[] {
  if (/^ *$/.test(token) || (WORD.test(token) && !LINKED.test(token))) return [span(token, "text")];
  const [, before = "", core = token, after = ""] = PUNCTUATED.exec(token) ?? [];
  return [span(before, "text"), span(core, "code"), span(after, "text")];
}

function span(text: string, as: Span["as"]): Span {
  return { text, as };
}

/** A line of spans. Markdown would read the marks of adjacent ones together, so those of code become one. */
export function lineText(line: Line): string {
  const runs: Span[][] = [];
  const spans = line.flatMap((one) => (one.as === "prose" ? proseSpans(one.text) : one));
  for (const one of spans.filter(({ text }) => text !== "")) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && [last[0], one].every(isJoinable)) last.push(one);
    else runs.push([one]);
  }
  const texts = runs.map(runText);
  return runs
    .map(([first], at) => {
      const text = texts[at] ?? "";
      if (first?.as !== "strong") return text;
      const isApart = /(^|\s)$/.test(texts[at - 1] ?? "") && /^(\s|$)/.test(texts[at + 1] ?? "");
      return isApart ? `**${text}**` : `<strong>${text}</strong>`;
    })
    .join("");
}

function isJoinable({ as, href }: Span): boolean {
  return (as === "code" || as === "strong code") && href === undefined;
}

/** Words, or adjacent code, in which some parts can be emphasized. */
function runText(run: readonly Span[]): string {
  const [first] = run;
  const text = run.map((one) => one.text).join("");
  if (first?.as === "text" || first?.as === "strong") return link(text, first.href ?? null);
  // A text with `@` could look like an email address, which GitHub links even inside of HTML.
  const isMarked = run.some(({ as }) => as === "strong code") && !text.includes("@");
  return isMarked ? emphasizedCode(run) : link(code(text), first?.href ?? null);
}

const NO_VALUE = /^(none|\((set|unset|unknown|set, sent again)\))$/;

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

const MAX_ADDRESS = 1000;

/** A link to a web page, or only the text. Every character of the address that could mean something in Markdown is encoded. */
export function link(text: string, url: string | null): string {
  if (url === null || text === "" || url.length > MAX_ADDRESS || !/^https?:\/\//i.test(url) || /\p{Cs}/u.test(url))
    return text;
  const address = url.replaceAll(/[^\w.~:/?#@!$&+,=%-]/gu, (character) =>
    Buffer.from(character).toString("hex").toUpperCase().replaceAll(/../g, "%$&"),
  );
  return `[${text}](${address.replaceAll("&", "&amp;")})`;
}
