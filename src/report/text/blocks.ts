// Blocks as text, for a terminal or a log. Symbols carry the meaning; color only helps.

import { hasUnseen, visible } from "../../domain/control-characters.ts";
import type { Item, ItemPlace, ItemsBlock, Line, LinesBlock, LogBlock, Note, Row, Value } from "../blocks.ts";
import { BRAKE_MARK } from "../brakes.ts";
import { isAddress } from "../text-diff.ts";
import { lineWidth, type Screen } from "./screen.ts";
import { colorOf, lineText } from "./spans.ts";
import { tableText } from "./table.ts";
import { colorLines, graphemesOf, pad, widthOf, wrap } from "./width.ts";
import type { SourceLine } from "../json/schema.ts";

/** Draws blocks, with an empty line between two of them. Ends with a line break unless there are none. */
export function drawBlocks(blocks: readonly LogBlock[], screen: Screen): string {
  let all = "";
  let isResult = false;
  for (const block of blocks) {
    const text = blockText(block, screen);
    if (text === "") continue;
    // What follows from a result is below it.
    const isNext = isResult && block.is === "lines" && block.list === undefined;
    all += `${all === "" || isNext ? "" : "\n"}${text}`;
    isResult = block.is === "lines" && block.tone !== "calm";
  }
  return all;
}

function blockText(block: LogBlock, screen: Screen): string {
  const { paint, columns, isVerbose = false } = screen;
  switch (block.is) {
    case "heading": {
      const { level, tone, line, lead } = block;
      const title = wrap(lineText(line, screen), columns, 0);
      const head = colorOf(
        tone === "bad" ? "bad" : "calm",
        screen,
      )(paint.bold(level === 1 ? title : paint.underline(title)));
      return `${head}\n${lead === undefined ? "" : `${paint.dim(wrap(lineText(lead, screen), columns, 0))}\n`}`;
    }
    case "lines":
      return linesText(block, screen);
    case "alert": {
      const [first = [], ...rest] = block.lines;
      const head = paint.red(wrap(`${BRAKE_MARK} ${lineText(first, screen)}`, columns, 4, 0));
      return [head, ...rest.map((one) => `    ${wrap(lineText(one, screen), columns, 4)}`)]
        .map((one) => `${one}\n`)
        .join("");
    }
    case "items":
      return itemsText(block, screen);
    case "code":
      // A patch is made to be applied, and has its own escapes.
      return block.language === "diff" ? colorLines(block.text, diffColor(screen)) : indented(block.text, 0);
    case "table":
      return tableText(block, screen);
    case "fold":
      return isVerbose ? drawBlocks(block.blocks, screen) : "";
    default:
      return block satisfies never;
  }
}

function diffColor({ paint }: Screen): (line: string) => string {
  const colors = { "+++": paint.bold, "---": paint.bold, "@@": paint.cyan, "+": paint.green, "-": paint.red };
  return (line) => (Object.entries(colors).find(([start]) => line.startsWith(start))?.[1] ?? String)(line);
}

function linesText({ tone, lines, list, isAside = false }: LinesBlock, screen: Screen): string {
  const { paint, columns } = screen;
  const color = isAside ? paint.dim : colorOf(tone, screen);
  const drawn = lines.map((one, at) => {
    const text = lineText(one, screen);
    // Later lines of an indented command or of a list item start below its text.
    const [own = ""] = /^ *(?:- )?/.exec(text) ?? [];
    const mark = list === "bullets" ? "    " : list === "steps" ? `  ${at + 1}. ` : own;
    const rest = list === undefined ? text.slice(own.length) : text;
    return `${mark}${colorLines(wrap(rest, columns, mark.length), list === undefined ? color : String)}\n`;
  });
  return drawn.join("");
}

function itemsText({ items }: ItemsBlock, screen: Screen): string {
  const digits = Math.max(
    1,
    ...items.flatMap(({ places }) => places.flatMap(({ source }) => source.map((one) => String(one.line).length))),
  );
  return items
    .map((item) => (item.tag === null ? itemText(item, screen) : findingText(item, digits, screen)))
    .join("\n");
}

const INDENT = 4;

/** A change or an object: the action and the title, what it means, the fields, and the place. */
function itemText(item: Item, screen: Screen): string {
  const { paint, columns, isVerbose = false } = screen;
  const { symbol, verb, title, facts, notes, rows, places, paste, members, list, isBraked } = item;
  const action = colorOf(item.tone, screen)(`${symbol} ${verb}`.trim());
  const about = facts.map((fact) => ` · ${lineText(fact, screen)}`).join("");
  const mark = isBraked ? ` ${paint.red(BRAKE_MARK)}` : "";
  const all = isVerbose ? members : [];
  const [place] = places;
  const where = place === undefined ? "" : `    ${paint.dim(wrap(lineText(place.label, screen), columns, INDENT))}\n`;
  return [
    `${wrap(`${action} ${paint.bold(lineText(title, screen))}${paint.dim(about)}${mark}`, columns, INDENT, 0)}\n`,
    ...notes.map((note) => noteText(note, screen)),
    paste === "" ? "" : indented(paste, 2 * INDENT),
    ...fieldLines(rows, screen).map((line) => `${line}\n`),
    all.length > 0 ? "" : listText(list, screen),
    where,
    ...all.map((one) => `\n${itemText(one, screen)}`),
  ].join("");
}

function noteText({ tone, line }: Note, screen: Screen): string {
  const { paint, columns } = screen;
  const text = lineText(line, screen);
  return tone === "bad"
    ? `    ${paint.red("!")} ${wrap(text, columns, INDENT + 2)}\n`
    : `    ${colorLines(wrap(text, columns, INDENT), tone === "warn" ? paint.yellow : (one) => one)}\n`;
}

/** The members of a group: keys beside each other, and what says more on lines of their own. */
function listText(list: readonly Line[], screen: Screen): string {
  if (list.length === 0) return "";
  const isShort = screen.isQuiet === true || list.every((one) => one.length === 1);
  const texts = list.map((one) => lineText(isShort ? one.slice(0, 1) : one, screen));
  if (!isShort) return texts.map((text) => `    ${text}\n`).join("");
  const [domain = "", ...others] = new Set(texts.map((text) => text.slice(0, text.lastIndexOf("/") + 1)));
  const isShared = others.length === 0 && domain !== "";
  const names = texts.map((text) => (isShared ? text.slice(domain.length) : text)).join(", ");
  return `    ${wrap(`${isShared ? `${domain} ` : ""}${names}`, screen.columns, INDENT)}\n`;
}

/** A finding: what is wrong, its line with a mark below, other lines, and what to do. */
function findingText({ verb, tag, tone, title, notes, places }: Item, digits: number, screen: Screen): string {
  const { paint, columns } = screen;
  const head = `${verb}[${tag ?? ""}]`;
  const text = wrap(lineText(title, screen), columns, 2, head.length + 1);
  const color = tone === "calm" ? paint.cyan : colorOf(tone, screen);
  const frames = places.map((place, at) => frameText(place, at === 0, digits, color, screen));
  const advice = notes.map(
    ({ line }) =>
      `${" ".repeat(digits + 2)}${blue("=", screen)} ${wrap(lineText(line, screen), columns, digits + 4)}\n`,
  );
  return `${paint.bold(color(head))} ${colorLines(text, paint.bold)}\n${frames.join("")}${advice.join("")}`;
}

/** Plain blue is hard to read on black. */
function blue(text: string, { paint }: Screen): string {
  return paint.bold(paint.blue(text));
}

function frameText(
  { label, source }: ItemPlace,
  isOwn: boolean,
  digits: number,
  color: (text: string) => string,
  screen: Screen,
): string {
  const { paint } = screen;
  const gutter = (number: string): string => blue(` ${number.padStart(digits)} |`, screen);
  const room = Math.max(lineWidth(screen) - digits - INDENT, 20);
  const lines = source.flatMap((one, at) => {
    const above = source[at - 1];
    const { text, from, width } = fitted(one, room);
    const mark =
      one.says === null
        ? paint.bold(color("^".repeat(width)))
        : blue(`${"-".repeat(width)} ${one.says}`.trimEnd(), screen);
    return [
      ...(above !== undefined && one.line > above.line + 1 ? [blue("...", screen)] : []),
      ...(above?.line === one.line ? [] : [`${gutter(String(one.line))} ${text}`]),
      `${gutter("")} ${" ".repeat(from)}${mark}`,
    ];
  });
  const head = `${" ".repeat(digits + 1)}${blue(isOwn ? "-->" : ":::", screen)} ${lineText(label, screen)}`;
  return [head, ...(lines.length === 0 ? [] : [gutter(""), ...lines])].map((one) => `${one}\n`).join("");
}

/** Editors differ in the width of a tab, so it is shown as an arrow. */
const TAB = "→   ";

/** A line cut to the screen around its mark, and where the mark begins. */
function fitted(
  line: SourceLine,
  room: number,
): { readonly text: string; readonly from: number; readonly width: number } {
  const [before, marked] = [cellsOf(line.before), cellsOf(line.marked)];
  const cells = [...before, ...marked, ...cellsOf(line.after)];
  const [start, width] = [widthOfAll(before), Math.max(1, widthOfAll(marked))];
  if (widthOfAll(cells) <= room) return { text: cells.join("").trimEnd(), from: start, width };
  // Some text before the mark gives context; the rest of the width goes to the text after it.
  const context = Math.max(8, Math.min(24, room - width - 2));
  const isLong = width < room - 2 ? start + width >= room : start * 3 >= room;
  const isCut = isLong || line.before.startsWith("…");
  const skipped = isCut ? fitting(before.toReversed(), context) : before.length;
  const rest = cells.slice(before.length - skipped);
  const lead = skipped < before.length ? "…" : "";
  const left = room - lead.length;
  const shown = widthOfAll(rest) <= left ? rest : [...rest.slice(0, fitting(rest, left - 1)), "…"];
  const from = lead.length + widthOfAll(rest.slice(0, skipped));
  return { text: `${lead}${shown.join("")}`.trimEnd(), from, width: Math.max(1, Math.min(width, room - from)) };
}

function widthOfAll(cells: readonly string[]): number {
  return cells.reduce((width, cell) => width + widthOf(cell), 0);
}

/** The number of leading cells that fit into a width. */
function fitting(cells: readonly string[], width: number): number {
  let used = 0;
  const at = cells.findIndex((cell) => (used += widthOf(cell)) > width);
  return at < 0 ? cells.length : at;
}

/** What a reader takes for one character, with unseen ones shown by code point. */
function cellsOf(text: string): string[] {
  return Array.from(graphemesOf(text), ({ segment }) => {
    if (segment === "\t") return TAB;
    if (!hasUnseen(segment) && widthOf(segment) > 0) return segment;
    return Array.from(segment, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join("");
  });
}

/** Between the longest label and the values. */
const GAP = 2;

/** Indentation of values that do not fit beside their label: URLs are never broken. */
const BELOW = 8;

/** Fields with their values, beside the labels if they fit, otherwise below them. */
export function fieldLines(rows: readonly Row[], screen: Screen): string[] {
  const fields = fieldsOf(rows);
  const width = Math.max(0, ...fields.map(({ row }) => widthOf(row.label)));
  const columns = lineWidth(screen);
  return fields.flatMap(({ row, parts }) => {
    const indent = INDENT + width + GAP;
    const beside = valueLines(row, parts, columns - indent, screen);
    if (beside.every((line) => indent + widthOf(line.text) <= columns))
      return labelled(`${" ".repeat(INDENT)}${pad(row.label, width + GAP)}`, indent, beside);
    const below = valueLines(row, parts, columns - BELOW, screen);
    return [`${" ".repeat(INDENT)}${row.label}`, ...labelled(" ".repeat(BELOW), BELOW, below)];
  });
}

interface Field {
  readonly row: Row;
  readonly parts: readonly Row[];
}

function fieldsOf(rows: readonly Row[]): Field[] {
  const starts = rows.flatMap((row, at) => (row.part === null ? [at] : []));
  return starts.flatMap((at, index) => {
    const row = rows[at];
    return row === undefined ? [] : [{ row, parts: rows.slice(at + 1, starts[index + 1] ?? rows.length) }];
  });
}

/** A line of a value. With an arrow, its text is aligned with the line above. */
interface ValueLine {
  readonly text: string;
  readonly hasArrow: boolean;
}

const ARROW = "→ ";

/** Puts a label of `width` characters before the first line and aligns the others. */
function labelled(label: string, width: number, lines: readonly ValueLine[]): string[] {
  return lines.map(({ text, hasArrow }, at) => {
    if (at === 0) return `${label}${text}`;
    return hasArrow ? `${" ".repeat(width - ARROW.length)}${ARROW}${text}` : `${" ".repeat(width)}${text}`;
  });
}

function plain(text: string): ValueLine {
  return { text, hasArrow: false };
}

function valueLines({ before, after }: Row, parts: readonly Row[], room: number, screen: Screen): ValueLine[] {
  const width = Math.max(
    0,
    ...parts.map(({ part, label, before: old, after: next }) =>
      part === "kept" && old === null && next === null ? 0 : widthOf(visible(label)),
    ),
  );
  return [...sidesLines(before, after, room, screen), ...parts.flatMap((part) => partLines(part, width, room, screen))];
}

/** One value, or both with an arrow between them. */
function sidesLines(before: Value | null, after: Value | null, room: number, screen: Screen): ValueLine[] {
  const { paint } = screen;
  const [old, next] = [before && textOf(before), after && textOf(after)];
  if (old === null || next === null) {
    const text = old ?? next;
    return text === null ? [] : splitAddress(text, room).map(plain);
  }
  if (old === next) return [plain(next)];
  const isMarked = after?.pieces.some(({ differs }) => !differs) === true && isAddress(old) && isAddress(next);
  if (!isMarked || before === null) {
    if (widthOf(old) + widthOf(next) + 3 <= room) return [plain(`${paint.dim(old)} ${ARROW}${next}`)];
    const [first = "", ...rest] = splitAddress(next, room);
    return [plain(paint.dim(old)), { text: first, hasArrow: true }, ...rest.map(plain)];
  }
  const marks = paint.isColorSupported ? [] : underscores(after);
  const oldMarks = paint.isColorSupported || marks.length > 0 ? [] : underscores(before);
  return [
    plain(markedText(before, (text) => paint.red(paint.underline(text)))),
    ...oldMarks,
    { text: markedText(after, (text) => paint.green(paint.underline(text))), hasArrow: true },
    ...marks,
  ];
}

function textOf({ pieces }: Value): string {
  return pieces.map(({ text }) => text).join("");
}

function markedText({ pieces }: Value, mark: (text: string) => string): string {
  return pieces.map(({ text, differs }) => (differs ? mark(text) : text)).join("");
}

/** A line of `^` below the differences; none if there are none. */
function underscores({ pieces }: Value): ValueLine[] {
  if (!pieces.some(({ differs }) => differs)) return [];
  return [
    plain(
      pieces
        .map(({ text, differs }) => (differs ? "^" : " ").repeat(widthOf(text)))
        .join("")
        .trimEnd(),
    ),
  ];
}

/** Splits an address that does not fit before each parameter; joined, the lines are the address. */
function splitAddress(text: string, room: number): string[] {
  return widthOf(text) > room && isAddress(text) ? (text.match(/^[^?#]*|[?&#][^&#]*/g) ?? [text]) : [text];
}

const MARKS = { added: "+", removed: "-", changed: "~", kept: "=" } as const;

/** A part of a field, with a mark for how it differs. */
function partLines({ label, part, before, after }: Row, width: number, room: number, screen: Screen): ValueLine[] {
  const { paint } = screen;
  const name = visible(label);
  if (part === null) return [];
  if (part === "kept" && before === null) {
    // A value of a new object, or the names of what stays.
    return after === null
      ? wrap(`= ${name}`, room, 2, 0)
          .split("\n")
          .map((one) => plain(paint.dim(one)))
      : [plain(`${width === 0 ? "" : `${pad(name, width)}  `}${textOf(after)}`)];
  }
  const color = { added: paint.green, removed: paint.red, changed: paint.yellow, kept: paint.dim }[part];
  const head = `${color(MARKS[part])} ${width === 0 ? "" : `${pad(name, width)}  `}`;
  const indent = 2 + (width === 0 ? 0 : width + 2);
  const lines =
    part === "kept"
      ? [plain(paint.dim(after === null ? "" : textOf(after)))]
      : sidesLines(before, after, room - indent, screen);
  return labelled(head, indent, lines).map((one) => plain(one.trimEnd()));
}

function indented(text: string, by: number): string {
  const lines = text.split("\n").map(visible).join("\n");
  return lines.replaceAll(/^(?=.)/gm, " ".repeat(by));
}
