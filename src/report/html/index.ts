// Reports as one HTML page that loads nothing. Foreign text is shown only as text.

import { createHash } from "node:crypto";
import { BRAKE_MARK, plainText } from "../blocks.ts";
import type { Block, Item, ItemPlace, Line, MarkedLine, Row, TonedLine, Value } from "../blocks.ts";
import { groupBy } from "../../domain/collections.ts";
import { visible } from "../../domain/control-characters.ts";
import { showCount } from "../../domain/words.ts";
import { composePage } from "../projects.ts";
import type { Format } from "../format.ts";
import { STYLE } from "./style.ts";

export const html: Format = (report, context) => {
  const composed = composePage(report, context);
  if (composed === null) return "";
  const { of, subject, baseUrl, tone, title, lead, blocks } = composed;
  const { runUrl } = context;
  const project = plainText(subject);
  const parts = [`linkform ${of}`, project, baseUrl, runUrl && webLink("CI run", runUrl)];
  const about = parts.filter((part) => part !== null && part !== "");
  const name = plainText(title).replaceAll("`", "").replace(/\.$/, "");
  // The policy comes first, because it applies only to what follows it. Its hash is that of the exact style.
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${name} – linkform ${of}${project === "" ? null : ` for ${project}`}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body class="${of}">
<header class="top ${tone}">
<p class="about">${joined(about, markup` <i>·</i> `)}</p>
<h1>${spans(title)}</h1>
${lead.map((line) => markup`<p class="lead">${spans(line)}</p>\n`)}
</header>
<main>
${blocks.map(blockMarkup)}</main>
</body>
</html>
`.source;
};

/**
 * Values come from the service and from pull requests of strangers. If one were ever parsed as markup, this policy would
 * block its scripts, handlers, styles, frames, images and forms. The page itself has no script.
 */
export const POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function blockMarkup(block: Block): HtmlContent {
  switch (block.is) {
    case "heading": {
      const { level, tone, line, lead } = block;
      const under = lead === undefined ? null : markup`<p class="under">${spans(lead)}</p>\n`;
      return markup`<h2 class="${level === 1 ? "project" : "group"} ${tone === "bad" ? tone : "calm"}">${spans(line)}</h2>\n${under}`;
    }
    case "lines": {
      const { tone, lines, list } = block;
      if (list === undefined) return lines.map((one) => markup`<p class="${tone}">${spans(one)}</p>\n`);
      const items = lines.map((one) => markup`<li>${spans(one)}</li>\n`);
      return list === "steps"
        ? markup`<ol class="panel">\n${items}</ol>\n`
        : markup`<ul class="panel list">\n${items}</ul>\n`;
    }
    case "alert": {
      const [first = [], ...rest] = block.lines;
      return markup`<div class="banner" role="alert">\n<h2>${spans(first)}</h2>\n${rest.map((one) => markup`<p>${spans(one)}</p>\n`)}</div>\n`;
    }
    case "items":
      return itemsMarkup(block.items);
    case "code":
      return codeMarkup(block.text);
    case "fold":
      return markup`<details><summary>${spans(block.title)}</summary>\n${block.blocks.map(blockMarkup)}</details>\n`;
    default:
      return block satisfies never;
  }
}

/** The fewest items of a table, and the most rows of each. */
const MIN_TABLE = 3;
const MAX_CELLS = 3;

/** Cards; items that need no more than a line each are a table. */
function itemsMarkup(items: readonly Item[]): HtmlContent {
  return [...groupBy(items, tableKey)].map(([key, all]) =>
    key === null || all.length < MIN_TABLE
      ? all.map(cardMarkup)
      : markup`<div class="card ${all[0]?.tone ?? "calm"}">\n${tableMarkup(all)}</div>\n`,
  );
}

/** Items with the same key fit a table; null for one that needs a card. */
function tableKey({ tag, tone, verb, symbol, rows = [], notes = [], members, paste }: Item): string | null {
  const isShort = rows.length <= MAX_CELLS && rows.every(({ parts }) => parts.length === 0);
  const isCalm = notes.every((note) => note.tone === "calm");
  const isPlain = tag === undefined && members === undefined && paste === undefined;
  return isPlain && isShort && isCalm ? JSON.stringify([tone, symbol, verb, rows.map(({ label }) => label)]) : null;
}

function tableMarkup(items: readonly Item[]): Markup {
  const labels = items[0]?.rows?.map(({ label }) => label) ?? [];
  const head = ["", ...labels, ""].map((label) => markup`<th scope="col">${label}</th>`);
  const lines = items.map((item) => {
    const cells = (item.rows ?? []).map(({ before, after }) => markup`<td>${sidesMarkup(before, after)}</td>`);
    const places = (item.places ?? []).map(({ label }) => spans(label));
    return markup`<tr><th scope="row">${headMarkup(item)}${notesMarkup(item.notes)}</th>${cells}<td class="src">${places}</td></tr>\n`;
  });
  return markup`<table class="many"><thead><tr>${head}</tr></thead><tbody>\n${lines}</tbody></table>\n`;
}

function cardMarkup(item: Item): Markup {
  const { tone, notes, rows = [], places = [], paste, members } = item;
  return markup`<article class="card ${tone}">
<h3>${headMarkup(item)}</h3>
${notesMarkup(notes)}${fieldsMarkup(rows)}${paste === undefined ? null : codeMarkup(paste)}${members === undefined ? places.map(placeMarkup) : membersMarkup(members, item.list ?? [])}</article>
`;
}

function headMarkup({ symbol, verb, tag, title, facts = [], isBraked }: Item): HtmlContent {
  const about =
    facts.length === 0 ? null : markup` <span class="facts">${joined(facts.map(spans), markup` <i>·</i> `)}</span>`;
  return [
    markup`<span class="what"><b>${symbol}</b> ${verb}</span> `,
    markup`<span class="${tag === undefined ? "key" : "message"}">${spans(title)}</span>`,
    tag === undefined ? null : markup` <span class="id">${tag}</span>`,
    isBraked === true ? markup` <span class="stop">${BRAKE_MARK} counts toward the brake</span>` : null,
    about,
  ];
}

function notesMarkup(notes: readonly TonedLine[] = []): HtmlContent {
  return notes.map(({ tone, line }) => markup`<p class="note ${tone}">${spans(line)}</p>\n`);
}

/** A table if they fit one, otherwise their names and the cards in a fold. */
function membersMarkup(members: readonly Item[], list: readonly Line[]): HtmlContent {
  const [first = null, ...others] = new Set(members.map(tableKey));
  if (first !== null && others.length === 0) return tableMarkup(members);
  const names = list.map((one) => markup`<li>${spans(one)}</li>\n`);
  return markup`<ul class="names">\n${names}</ul>\n<details><summary>Show all ${showCount(members.length)}</summary>\n${members.map(cardMarkup)}</details>\n`;
}

function fieldsMarkup(rows: readonly Row[]): HtmlContent {
  if (rows.length === 0) return null;
  const lines = rows.map(({ label, before, after, parts }) => [
    markup`<tr><th scope="row">${label}</th><td>${sidesMarkup(before, after)}</td></tr>\n`,
    parts.map(partMarkup),
  ]);
  return markup`<table><tbody>\n${lines}</tbody></table>\n`;
}

const SIGNS = { added: "+", removed: "−", changed: "~", kept: "=" };

function partMarkup({ label, how, before, after }: Row): Markup {
  const sign = how === "whole" ? null : markup`<b class="sign" title="${how}">${SIGNS[how]}</b> `;
  return markup`<tr class="part ${how}"><th scope="row">${sign}${label}</th><td>${sidesMarkup(before, after)}</td></tr>\n`;
}

/** One value, or both with an arrow between them. The new one is below the old one if there is no room beside it. */
function sidesMarkup(before: Value | null, after: Value | null): HtmlContent {
  const old = before && markup`<span class="side">${valueMarkup(before, "old")}</span>`;
  const arrow = before && "→ ";
  const next = after && markup`<span class="side">${arrow}${valueMarkup(after, "new")}</span>`;
  return [old, old && next && " ", next];
}

function valueMarkup({ pieces, href }: Value, of: "old" | "new"): HtmlContent {
  const text = pieces.map(({ text: part, differs }) => {
    if (!differs) return part;
    return of === "old" ? markup`<del>${part}</del>` : markup`<ins>${part}</ins>`;
  });
  return webLink(text, href ?? null);
}

function placeMarkup({ label, source }: ItemPlace): Markup {
  const place = markup`<p class="src">${spans(label)}</p>`;
  if (source.length === 0) return markup`${place}\n`;
  return markup`<div class="origin">${place}<pre class="code">${source.map(sourceMarkup)}</pre></div>\n`;
}

function sourceMarkup({ line, before, marked, after, says }: MarkedLine): Markup {
  return markup`<code><span class="no">${line}</span>${before}${marked === "" ? null : markup`<mark>${marked}</mark>`}${after}${says === undefined ? null : markup` <i>${says}</i>`}</code>`;
}

function codeMarkup(text: string): Markup {
  return markup`<pre class="code">${joined(text.trimEnd().split("\n"), markup`\n`)}</pre>\n`;
}

export function spans(line: Line): HtmlContent {
  return line.map(({ text, as, href }) => {
    if (as === "text") return webLink(text, href ?? null);
    if (as === "prose") return prose(text);
    if (as === "strong") return markup`<b>${text}</b>`;
    const written = webLink(markup`<code>${text}</code>`, href ?? null);
    return as === "code" ? written : markup`<b>${written}</b>`;
  });
}

class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Null renders nothing; lists are concatenated. */
type HtmlContent = Markup | string | number | null | readonly HtmlContent[];

/** Values other than markup are escaped for elements and quoted attributes. */
function markup(parts: TemplateStringsArray, ...values: readonly HtmlContent[]): Markup {
  return new Markup(parts.map((part, at) => part + sourceOf(values[at] ?? null)).join(""));
}

function joined(contents: readonly HtmlContent[], between: HtmlContent): HtmlContent {
  return contents.map((content, at) => (at === 0 ? content : [between, content]));
}

function prose(text: string): HtmlContent {
  return text.split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : part));
}

/** Only web addresses become links, never `javascript:` or `file:`. An unpaired surrogate cannot be encoded in a URL. */
function webLink(content: HtmlContent, href: string | null): HtmlContent {
  if (href === null || !/^https?:\/\//i.test(href) || /\p{Cs}/u.test(href)) return content;
  return markup`<a href="${href}" rel="noreferrer noopener">${content}</a>`;
}

function sourceOf(content: HtmlContent): string {
  if (content === null) return "";
  if (content instanceof Markup) return content.source;
  return typeof content === "object" ? content.map(sourceOf).join("") : escapeText(String(content));
}

/** Most texts need no escaping. */
const UNESCAPED = /^[ !#-%(-;=?-~]*$/;

/** Escapes for elements and quoted attributes. Invisible and bidirectional characters are shown as code points. */
function escapeText(text: string): string {
  if (UNESCAPED.test(text)) return text;
  return visible(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
