// Blocks as one page that loads nothing. Foreign text is shown only as text.

import type {
  Block,
  Composed,
  Item,
  ItemPlace,
  ItemsBlock,
  Line,
  LinesBlock,
  Note,
  Row,
  MarkedLine,
  Tone,
  Value,
} from "../blocks.ts";
import { BRAKE_MARK } from "../brakes.ts";
import { groupBy } from "../../domain/collections.ts";
import { plural, showCount } from "../counts.ts";
import type { RenderContext } from "../format.ts";
import { joined, markup, prose, webLink, type HtmlContent, type Markup } from "./markup.ts";
import { page } from "./page.ts";

/** A report as a page. */
export function drawHtml(composed: Composed, context: Pick<RenderContext, "runUrl">): string {
  return page(
    composed,
    markup`<div id="report">\n${sectionsOf(composed.blocks).map(sectionMarkup)}</div>\n`,
    context,
    spans,
  );
}

/** A heading and what follows it, up to the next one. */
interface Section {
  readonly heading: Markup | null;
  readonly blocks: readonly Block[];
}

function sectionsOf(blocks: readonly Block[]): Section[] {
  const starts = [0, ...blocks.flatMap(({ is }, at) => (is === "heading" && at > 0 ? [at] : []))];
  return starts.map((start, index) => {
    const [first, ...rest] = blocks.slice(start, starts[index + 1] ?? blocks.length);
    if (first?.is !== "heading") return { heading: null, blocks: first === undefined ? [] : [first, ...rest] };
    const { level, tone, line, lead } = first;
    const look = `${level === 1 ? "project" : "group"}${tone === "bad" ? " loud" : ""}`;
    const under = lead === undefined ? null : markup`<p class="under">${spans(lead)}</p>\n`;
    return {
      heading: markup`<h2 class="${look}">${spans(line)}</h2>\n${under}`,
      blocks: rest,
    };
  });
}

function sectionMarkup({ heading, blocks }: Section): Markup {
  return markup`<section>\n${heading}${blocks.map(blockMarkup)}</section>\n`;
}

function blockMarkup(block: Block): HtmlContent {
  switch (block.is) {
    case "heading":
      return null;
    case "lines":
      return linesMarkup(block);
    case "alert": {
      const [first = [], ...rest] = block.lines;
      return markup`<div class="banner" role="alert">\n<h2>${spans(first)}</h2>\n${rest.map((one) => markup`<p>${spans(one)}</p>\n`)}</div>\n`;
    }
    case "items":
      return itemsMarkup(block);
    case "code":
      return codeMarkup(block.text);
    case "fold":
      return markup`<details><summary>${spans(block.title)}</summary>\n${block.blocks.map(blockMarkup)}</details>\n`;
    default:
      return block satisfies never;
  }
}

function linesMarkup({ tone, lines, list }: LinesBlock): HtmlContent {
  if (list === undefined) return lines.map((one) => markup`<p class="${tone}">${spans(one)}</p>\n`);
  const items = lines.map((one) => markup`<li>${spans(one)}</li>\n`);
  return list === "steps"
    ? markup`<ol class="panel">\n${items}</ol>\n`
    : markup`<ul class="panel list">\n${items}</ul>\n`;
}

/** More findings with one code are folded. */
const MAX_UNFOLDED = 5;

/** Fewer items are cards. */
const MIN_TABLE = 3;

/** The most rows of an item of a table. */
const MAX_CELLS = 3;

/** Cards; items that need no more than a line each are a table. */
function itemsMarkup({ items, heads, isOpen }: ItemsBlock): HtmlContent {
  const groups = groupBy(items, tableKey);
  return [...groups.values()].map((all) => {
    const [first] = all;
    if (first === undefined) return null;
    if (first.tag !== null) return findingsMarkup(first, all, isOpen);
    if (tableKey(first) === null || all.length < MIN_TABLE) return all.map((item) => cardMarkup(item, heads));
    return markup`<div class="card">\n${tableMarkup(all)}</div>\n`;
  });
}

/** Items with the same key fit a table; null for one that needs a card. */
function tableKey({ tag, verb, symbol, rows, notes, members, paste }: Item): string | null {
  if (tag !== null) return `finding ${tag}`;
  const isSimple = rows.every(({ part }) => part === null) && rows.length <= MAX_CELLS;
  if (!isSimple || notes.some(({ tone }) => tone !== "calm") || members.length > 0 || paste !== "") return null;
  return JSON.stringify([symbol, verb, rows.map(({ label }) => label)]);
}

function findingsMarkup(first: Item, all: readonly Item[], isOpen: boolean): HtmlContent {
  const cards = all.map((item) => cardMarkup(item, ["", ""]));
  if (isOpen || all.length <= MAX_UNFOLDED) return cards;
  const summary = markup`<b>${plural(all.length, first.verb)}</b>: ${spans(first.title)} <span class="id">${first.tag}</span>`;
  return markup`<details class="alike"><summary>${summary}</summary>\n${cards}</details>\n`;
}

/** A line for each item: what happens to it, its fields and its place. */
function tableMarkup(items: readonly Item[]): Markup {
  const labels = items[0]?.rows.map(({ label }) => label) ?? [];
  const head = ["", ...labels, ""].map((label) => markup`<th scope="col">${label}</th>`);
  const lines = items.map(
    (item) =>
      markup`<tr><th scope="row">${headMarkup(item)}${notesMarkup(item.notes)}</th>${item.rows.map(({ before, after }) => markup`<td>${sidesMarkup(before, after)}</td>`)}<td class="src">${item.places.map(({ label }) => spans(label))}</td></tr>\n`,
  );
  return markup`<table class="many"><thead><tr>${head}</tr></thead><tbody>\n${lines}</tbody></table>\n`;
}

const LOOKS: Readonly<Record<Tone, string>> = { good: "create", warn: "update", bad: "delete", calm: "" };

function cardMarkup(item: Item, heads: ItemsBlock["heads"]): Markup {
  const { tone, tag, notes, rows, places, paste, members, list } = item;
  return markup`<article class="card ${tag === null ? LOOKS[tone] : `finding ${item.verb}`}">
<h3>${headMarkup(item)}</h3>
${notesMarkup(notes)}${fieldsMarkup(rows, heads)}${paste === "" ? null : codeMarkup(paste)}${membersMarkup(members, list, heads)}${places.map(placeMarkup)}</article>
`;
}

/** What happens to what, with short remarks. */
function headMarkup({ symbol, verb, tag, title, facts, isBraked }: Item): HtmlContent {
  const about =
    facts.length === 0 ? null : markup` <span class="facts">${joined(facts.map(spans), markup` <i>·</i> `)}</span>`;
  return [
    markup`<span class="what"><b>${symbol}</b> ${verb}</span> `,
    markup`<span class="${tag === null ? "key" : "says"}">${spans(title)}</span>`,
    tag === null ? null : markup` <span class="id">${tag}</span>`,
    isBraked ? markup` <span class="stop">${BRAKE_MARK} counts toward the brake</span>` : null,
    about,
  ];
}

function notesMarkup(notes: readonly Note[]): HtmlContent {
  return notes.map(
    ({ tone, line }) =>
      markup`<p class="${tone === "bad" ? "ends" : tone === "warn" ? "warned" : "why"}">${spans(line)}</p>\n`,
  );
}

/** The members of a group: a table of those that fit one, otherwise their names and the cards in a fold. */
function membersMarkup(members: readonly Item[], list: readonly Line[], heads: ItemsBlock["heads"]): HtmlContent {
  if (members.length === 0) return null;
  const [first = null, ...others] = new Set(members.map(tableKey));
  if (first !== null && others.length === 0) return tableMarkup(members);
  const names = list.map((one) => markup`<li>${spans(one)}</li>\n`);
  return markup`<ul class="names">\n${names}</ul>\n<details><summary>Show all ${showCount(members.length)}</summary>\n${members.map((item) => cardMarkup(item, heads))}</details>\n`;
}

function fieldsMarkup(rows: readonly Row[], [old, next]: ItemsBlock["heads"]): HtmlContent {
  if (rows.length === 0) return null;
  if (rows.every(({ before }) => before === null))
    return markup`<table class="one"><tbody>
${rows.map((row) => markup`<tr${row.part === null ? null : markup` class="part"`}><th scope="row">${row.label}</th>${sideMarkup(row.after, "new", row.part === null)}</tr>\n`)}</tbody></table>
`;
  return markup`<table><thead><tr><td></td><th scope="col">${old}</th><th scope="col">${next}</th></tr></thead><tbody>
${rows.map(rowMarkup)}</tbody></table>
`;
}

const PART_SYMBOLS: Readonly<Record<NonNullable<Row["part"]>, string>> = {
  added: "+",
  removed: "−",
  changed: "~",
  kept: "=",
};

function rowMarkup({ label, part, before, after }: Row): Markup {
  if (before === null && after === null)
    return part === null
      ? markup`<tr class="head"><th scope="rowgroup" colspan="3">${label}</th></tr>\n`
      : markup`<tr class="part rest"><td></td><td colspan="2">${label}</td></tr>\n`;
  const look = part === null ? null : markup` class="part ${part}${label === "" ? " item" : ""}"`;
  const sign = part === null ? null : markup`<b class="sign" title="${part}">${PART_SYMBOLS[part]}</b> `;
  return markup`<tr${look}><th scope="row">${sign}${label}</th>${sideMarkup(before, "old", false)}${sideMarkup(after, "new", false)}</tr>\n`;
}

/** `isBlank`: an empty side has no dash. */
function sideMarkup(value: Value | null, of: "old" | "new", isBlank: boolean): Markup {
  if (value === null) return isBlank ? markup`<td></td>` : markup`<td class="${of} no">–</td>`;
  return markup`<td class="${of}">${valueMarkup(value, of)}</td>`;
}

function sidesMarkup(before: Value | null, after: Value | null): HtmlContent {
  if (before === null) return after === null ? null : valueMarkup(after, "new");
  return after === null ? valueMarkup(before, "old") : [valueMarkup(before, "old"), " → ", valueMarkup(after, "new")];
}

function valueMarkup({ pieces, href }: Value, of: "old" | "new"): HtmlContent {
  const text = pieces.map(({ text: part, differs }) => {
    if (!differs) return part;
    return of === "old" ? markup`<del>${part}</del>` : markup`<ins>${part}</ins>`;
  });
  return webLink(text, href ?? null);
}

function placeMarkup({ label, source }: ItemPlace): Markup {
  const lines = source.length === 0 ? null : markup`<pre class="code">${source.map(sourceMarkup)}</pre>`;
  return markup`<div class="origin"><p class="src">${spans(label)}</p>${lines}</div>\n`;
}

function sourceMarkup({ line, before, marked, after, says }: MarkedLine): Markup {
  return markup`<code><span class="no">${line}</span>${before}${marked === "" ? null : markup`<mark>${marked}</mark>`}${after}${says === null ? null : markup` <i>${says}</i>`}</code>`;
}

function codeMarkup(text: string): Markup {
  return markup`<pre class="code">${joined(text.trimEnd().split("\n"), markup`\n`)}</pre>\n`;
}

/** A line of spans. */
export function spans(line: Line): HtmlContent {
  return line.map(({ text, as, href }) => {
    if (as === "text") return webLink(text, href ?? null);
    if (as === "prose") return prose(text);
    if (as === "strong") return markup`<b>${text}</b>`;
    const written = webLink(markup`<code>${text}</code>`, href ?? null);
    return as === "code" ? written : markup`<b>${written}</b>`;
  });
}
