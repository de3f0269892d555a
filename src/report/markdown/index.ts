// Blocks as Markdown, within a maximum length. Foreign text is in code spans, where no links, mentions or markup are parsed.

import { visible } from "../../domain/control-characters.ts";
import { BRAKE_MARK, type AlertBlock, type Block, type Item, type ItemsBlock, type Line } from "../blocks.ts";
import type { LinesBlock, MarkedLine, Row, Span, Tone, Value } from "../blocks.ts";
import { capital } from "../counts.ts";
import { showCount } from "../../domain/words.ts";
import { composePage } from "../projects.ts";
import { fullReport, hashOf, type Format } from "../format.ts";
import { sourceLines } from "../text/blocks.ts";
import { PLAIN } from "../text/screen.ts";

/**
 * The most items of a list at each level. From level 1, groups have no members in full. From 2, items have no fields, lines or links. In the
 * end, only the heading with the count is left.
 */
const MAX_ITEMS = [Infinity, Infinity, Infinity, 300, 100, 25, 10, 3, 0];

/** A list that must be shorter has no fold. */
const LAST_FOLDED = 3;

function isFull(level: number): boolean {
  return level < 2;
}

/** What comes last is shortened first, until the report fits. */
export const markdown: Format = (report, context) => {
  const composed = composePage(report, context);
  if (composed === null) return "";
  const { of, name, subject, tone, title, lead, blocks } = composed;
  const { maxLength } = context;
  const about = name === "" || name === "linkform.yaml" ? "" : `: ${lineText(subject)}`;
  const [alert, rest] = blocks[0]?.is === "alert" ? [alertText(blocks[0]), blocks.slice(1)] : ["", blocks];
  const head = [`## linkform ${of}${about}\n\n`, alert, `${MARKS[tone]}**${lineText(title)}**\n\n`];
  const marker = `${markerOf(of, name)}\n`;
  const fixed = [marker, ...head, ...lead.map((line) => `${lineText(line)}\n\n`)];
  const drawn = rest.map((block) => blockText(block, 0, maxLength));
  const whole = [...fixed, ...drawn].join("");
  if (whole.length <= maxLength) return `${whole.trimEnd()}\n`;
  const end = `_This report is shortened. Full report: ${lineText(fullReport(context, of))}._\n`;
  const room = maxLength - end.length;
  let length = whole.length;
  for (let level = 1; level < MAX_ITEMS.length; level += 1)
    for (const [at, block] of [...rest.entries()].toReversed()) {
      if (length <= room) break;
      const text = blockText(block, level, maxLength);
      length += text.length - (drawn[at]?.length ?? 0);
      drawn[at] = text;
    }
  // Even the shortest form can be too long: keep what comes first. By the marker, the comment is found again.
  const parts = [...fixed, ...drawn];
  while (parts.length > 1 && parts.join("").length > room) parts.pop();
  return `${parts.join("")}${end}`;
};

const MARKS: Readonly<Record<Tone, string>> = { good: "✅ ", warn: "⚠️ ", bad: "⛔ ", calm: "", muted: "" };

/** A text that becomes longer than `max` is not drawn to its end. */
function blockText(block: Block, level: number, max: number): string {
  switch (block.is) {
    case "heading": {
      const { tone, line, lead } = block;
      const sign = tone === "bad" || tone === "warn" ? MARKS[tone] : "";
      return `${block.level === 1 ? "##" : "###"} ${sign}${lineText(line)}\n\n${lead === undefined ? "" : `${lineText(lead)}\n\n`}`;
    }
    case "lines":
      return linesText(block, level);
    case "alert":
      return alertText(block);
    case "items":
      return itemsText(block, level, max);
    case "code":
      return isFull(level) ? `${fence(withCodePoints(block.text), block.language)}\n` : "";
    case "fold":
      if (level > LAST_FOLDED) return "";
      return fold(lineText(block.title), block.blocks.map((one) => blockText(one, level, max)).join(""));
    default:
      return block satisfies never;
  }
}

function alertText({ lines }: AlertBlock): string {
  const [first = [], ...rest] = lines;
  const texts = [`**${lineText(first)}**`, ...rest.map(lineText)];
  return `> [!CAUTION]\n${texts.map((text) => `> ${text}\n`).join(">\n")}\n`;
}

function linesText({ tone, lines, list }: LinesBlock, level: number): string {
  if (list === undefined) return lines.map((one, at) => `${at === 0 ? MARKS[tone] : ""}${lineText(one)}\n\n`).join("");
  const shown = lines
    .slice(0, MAX_ITEMS[level])
    .map((one, at) => `${list === "steps" ? `${at + 1}.` : "-"} ${lineText(one)}\n`);
  return `${shown.join("")}${moreText(lines.length - shown.length)}\n`;
}

function moreText(count: number): string {
  return count === 0 ? "" : `- … and ${showCount(count)} more\n`;
}

/** More items are folded. */
const MAX_UNFOLDED = 10;

function itemsText({ items, isOpen }: ItemsBlock, level: number, max: number): string {
  const shown = items.slice(0, MAX_ITEMS[level]);
  const unfolded = isOpen ? shown.length : MAX_UNFOLDED;
  const draw = (all: readonly Item[]): string => {
    let text = "";
    for (const item of all) if (text.length <= max) text += itemText(item, level);
    return text;
  };
  const others = shown.slice(unfolded);
  const folded = others.length === 0 ? "" : `\n${fold(`${showCount(others.length)} more`, draw(others))}`;
  const left = moreText(items.length - shown.length);
  return `${draw(shown.slice(0, unfolded))}${folded}${left}${folded === "" || left !== "" ? "\n" : ""}`;
}

function itemText(item: Item, level: number): string {
  const draw = (line: Line): string =>
    lineText(isFull(level) ? line : line.map(({ text, as }): Span => ({ text, as })));
  const { symbol, verb, tag, title, isBraked, paste, facts = [], notes = [], rows = [], members = [] } = item;
  const [place, ...others] = item.places ?? [];
  const where = place === undefined ? "" : ` (${draw(place.label)})`;
  const about = facts.map((fact) => ` · ${draw(fact)}`).join("");
  const head =
    tag === undefined
      ? `**${symbol}** ${verb === "" ? "" : `${verb} `}${isBraked === true ? `${BRAKE_MARK} ` : ""}${draw(title)}${about}${where}`
      : `**${capital(verb)}**${where}: ${draw(title)} · ${code(tag)}`;
  const below = [
    ...notes.map(({ line }) => (tag === undefined ? draw(line) : `→ ${draw(line)}`)),
    ...(isFull(level) ? rows.map(fieldText) : []),
    ...listTexts(item.list ?? [], MAX_ITEMS[level], draw),
  ];
  const isFullFinding = isFull(level) && tag !== undefined;
  const sources = isFullFinding ? (item.places ?? []).flatMap(({ source }) => source) : [];
  const related = isFullFinding ? others.map(({ label }) => draw(label)) : [];
  const lines = [[head, ...related, ...below].join("<br>")];
  if (sources.length > 0) lines.push("", nested(fence(sourceText(sources))));
  if (paste !== undefined && isFull(level)) lines.push("", nested(fence(withCodePoints(paste), "yaml")));
  const own = `- ${lines.join("\n").trimEnd()}\n`;
  if (level > 0 || members.length === 0) return own;
  const all = members.map((member) => itemText(member, level)).join("");
  return `${own}\n${nested(fold(`Show all ${showCount(members.length)}`, all))}`;
}

function nested(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

function listTexts(list: readonly Line[], max: number | undefined, draw: (line: Line) => string): string[] {
  const shown = list.slice(0, max).map(draw);
  const rest = list.length - shown.length;
  if (shown.length === 0) return [];
  const all = rest === 0 ? shown : [...shown, `… and ${showCount(rest)} more`];
  return list.some((one) => one.length > 1) ? all : [all.join(", ")];
}

function fieldText({ label, before, after, parts }: Row): string {
  const name = /^[a-z ]+$/.test(label) ? label : code(label);
  const values = [sidesText(before, after), ...parts.map(partText)];
  return `${name}: ${values.filter((text) => text !== "").join(", ")}`.trimEnd();
}

function partText({ label, how, before, after }: Row): string {
  const suffix = how === "added" || how === "removed" ? how : "";
  return [code(label), sidesText(before, after), suffix].filter((text) => text !== "").join(" ");
}

function sidesText(before: Value | null, after: Value | null): string {
  const sides = [before, after].flatMap((side) => (side === null ? [] : valueText(side)));
  return [...new Set(sides)].join(" → ");
}

/** As in a log, without its margin. */
function sourceText(source: readonly MarkedLine[]): string {
  return sourceLines(source, PLAIN).join("\n").replaceAll(/^ /gm, "");
}

function withCodePoints(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** A longer path is cut, with a hash at its end. */
const MAX_PROJECT_LENGTH = 160;

/** An HTML comment. The path of the project file is encoded, so that it cannot end the comment. */
export function markerOf(command: string, project: string): string {
  // A path can contain an unpaired surrogate.
  const name = encodeURIComponent(project.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll("-", "%2D");
  const isLong = name.length > MAX_PROJECT_LENGTH;
  return `<!-- linkform ${command} ${isLong ? `${name.slice(0, MAX_PROJECT_LENGTH - 20)}~${hashOf(project)}` : name} -->`;
}

/** Empty for empty text. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "";
  const ticks = "`".repeat(longestRun(shown) + 1);
  // CommonMark strips one space from both sides if both have one, so this and a leading or trailing backtick need padding.
  const pad = /^`|`$/.test(shown) || (/^ .* $/.test(shown) && shown.trim() !== "") ? " " : "";
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

/** Everything but plain words is code, because it can be foreign text. */
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

/** Markdown would read the marks of adjacent spans together, so those of code become one. */
export function lineText(line: Line): string {
  const runs: Span[][] = [];
  for (const one of line.flatMap((part) => (part.as === "prose" ? proseSpans(part.text) : part))) {
    const last = runs.at(-1);
    if (one.text === "") continue;
    if (last?.[0] !== undefined && [last[0], one].every(isJoinable)) last.push(one);
    else runs.push([one]);
  }
  const texts = runs.map(runText);
  return texts
    .map((text, at) => {
      if (runs[at]?.[0]?.as !== "strong") return text;
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
  const text = run.map((one) => one.text).join("");
  // A text with `@` could look like an email address, which GitHub links even inside of HTML.
  if (run.some(({ as }) => as === "strong code") && !text.includes("@")) return emphasizedCode(run);
  const isCode = run.some(({ as }) => as === "code" || as === "strong code");
  return link(isCode ? code(text) : text, run[0]?.href ?? null);
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

/** Markdown cannot express emphasized parts of code. No character of foreign text keeps its meaning. */
function emphasizedCode(run: readonly Span[]): string {
  const parts = run.map(({ text, as }) => (as === "code" ? entities(text) : `<strong>${entities(text)}</strong>`));
  return `<code>${parts.join("")}</code>`;
}

/** Every character that could have a meaning in HTML or Markdown is an entity. */
function entities(text: string): string {
  return visible(text).replaceAll(/[^A-Za-z0-9 /?=%,-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

export function fence(lines: string, language = ""): string {
  const ticks = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${ticks}${language}\n${lines.replace(/\n*$/, "\n")}${ticks}\n`;
}

/** `summary` must not be foreign text. */
export function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content.trimEnd()}\n\n</details>\n\n`;
}

const MAX_ADDRESS = 1000;

/** Only the text if it is no web page. Every character of the address that could mean something in Markdown is encoded. */
export function link(text: string, url: string | null): string {
  if (url === null || text === "" || url.length > MAX_ADDRESS || !/^https?:\/\//i.test(url) || /\p{Cs}/u.test(url))
    return text;
  const address = url.replaceAll(/[^\w.~:/?#@!$&+,=%-]/gu, (character) =>
    Buffer.from(character).toString("hex").toUpperCase().replaceAll(/../g, "%$&"),
  );
  return `[${text}](${address.replaceAll("&", "&amp;")})`;
}
