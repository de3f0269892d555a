// Blocks and findings as text, for a terminal or a log. Symbols carry the meaning; color only helps.

import { codePoint, hasUnseen, visible, withoutCommands } from "../../domain/control-characters.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { ComposeContext } from "../compose-changes.ts";
import { findingList, severityCounts, validity } from "../compose-findings.ts";
import { diagnosticDocuments } from "../finding-document.ts";
import type { Format, RenderContext } from "../format.ts";
import { BRAKE_MARK, isAddress, sentences } from "../blocks.ts";
import type { Item, ItemPlace, Line, LinesBlock, LogBlock, MarkedLine, Row, TonedLine, Value } from "../blocks.ts";
import { colorLines, colorOf, fitting, graphemesOf, lineText, lineWidth, type Color } from "./screen.ts";
import { pad, widthOf, wrap, wrapLine, type Screen } from "./screen.ts";
import { tableText } from "./table.ts";
import type { SourceLine } from "../json/schema.ts";

/** With an empty line between two blocks. Ends with a line break unless there are none. */
export function drawBlocks(blocks: readonly LogBlock[], screen: Screen): string {
  let all = "";
  let isResult = false;
  for (const block of blocks) {
    const text = blockText(block, screen);
    if (text === "") continue;
    // What follows from a result is below it.
    const isNext = isResult && block.is === "lines" && block.list === undefined;
    all += `${all === "" || isNext ? "" : "\n"}${text}`;
    isResult = block.is === "lines" && !["calm", "muted"].includes(block.tone);
  }
  return all;
}

function blockText(block: LogBlock, screen: Screen): string {
  const { paint, columns } = screen;
  switch (block.is) {
    case "heading": {
      const { level, tone, line, lead } = block;
      const title = wrapLine(line, screen, 0);
      const head = paint.bold(level === 1 ? title : paint.underline(title));
      const under = lead === undefined ? "" : `${paint.dim(wrapLine(lead, screen, 0))}\n`;
      return `${tone === "bad" ? paint.red(head) : head}\n${under}`;
    }
    case "lines":
      return linesText(block, screen);
    case "alert": {
      const [first = [], ...rest] = block.lines;
      const head = paint.red(wrap(`${BRAKE_MARK} ${lineText(first, screen)}`, columns, 4, 0));
      return `${head}\n${rest.map((one) => `    ${wrapLine(one, screen, 4)}\n`).join("")}`;
    }
    case "items":
      return itemsText(block.items, screen);
    case "code":
      // A patch is made to be applied, and has its own escapes.
      return block.language === "diff" ? colorLines(block.text, diffColor(screen)) : indented(block.text, 0);
    case "table":
      return tableText(block, screen);
    case "fold":
      return drawBlocks(block.blocks, screen);
    default:
      return block satisfies never;
  }
}

function diffColor({ paint }: Screen): (line: string) => string {
  const colors = { "+++": paint.bold, "---": paint.bold, "@@": paint.cyan, "+": paint.green, "-": paint.red };
  return (line) => (Object.entries(colors).find(([start]) => line.startsWith(start))?.[1] ?? String)(line);
}

function linesText({ tone, lines, list }: LinesBlock, screen: Screen): string {
  const { columns } = screen;
  const color = colorOf(tone, screen);
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

function itemsText(items: readonly Item[], screen: Screen): string {
  const digits = digitsOf(items.flatMap(({ places = [] }) => places.flatMap(({ source }) => source)));
  const drawn = items.map((item) =>
    item.tag === undefined ? itemText(item, screen) : findingText(item, digits, screen),
  );
  return drawn.join("\n");
}

function digitsOf(source: readonly MarkedLine[]): number {
  return Math.max(1, ...source.map(({ line }) => String(line).length));
}

const INDENT = 4;

function itemText(item: Item, screen: Screen): string {
  const { paint, columns, isVerbose = false } = screen;
  const { symbol, verb, title, isBraked, facts = [], notes = [], rows = [], list = [] } = item;
  const action = colorOf(item.tone, screen)(`${symbol} ${verb}`.trim());
  const about = facts.map((fact) => ` · ${lineText(fact, screen)}`).join("");
  const mark = isBraked === true ? ` ${paint.red(BRAKE_MARK)}` : "";
  const all = isVerbose ? (item.members ?? []) : [];
  const place = item.places?.[0];
  const where = place && `    ${paint.dim(wrapLine(place.label, screen, INDENT))}\n`;
  return [
    `${wrap(`${action} ${paint.bold(lineText(title, screen))}${paint.dim(about)}${mark}`, columns, INDENT, 0)}\n`,
    ...notes.map((note) => noteText(note, screen)),
    item.paste === undefined ? "" : indented(item.paste, 2 * INDENT),
    ...fieldLines(rows, screen).map((line) => `${line}\n`),
    all.length > 0 ? "" : listText(list, screen),
    where,
    ...all.map((one) => `\n${itemText(one, screen)}`),
  ].join("");
}

function noteText({ tone, line }: TonedLine, screen: Screen): string {
  const { paint } = screen;
  return tone === "bad"
    ? `    ${paint.red("!")} ${wrapLine(line, screen, INDENT + 2)}\n`
    : `    ${colorLines(wrapLine(line, screen, INDENT), tone === "warn" ? paint.yellow : String)}\n`;
}

/** The members of a group: keys beside each other, and longer members on separate lines. A domain that all have is printed once. */
function listText(list: readonly Line[], screen: Screen): string {
  if (list.length === 0) return "";
  const isShort = list.every((one) => one.length === 1);
  const texts = list.map((one) => lineText(one, screen));
  const [domain = ""] = /^[^\s/]+\//.exec(texts[0] ?? "") ?? [];
  const shared = texts.every((text) => text.startsWith(domain)) ? domain : "";
  const names = texts.map((text) => text.slice(shared.length));
  if (isShort) return `    ${wrap(`${shared} ${names.join(", ")}`.trimStart(), screen.columns, INDENT)}\n`;
  const lines = shared === "" ? names : [shared, ...names.map((name) => `  ${name}`)];
  return lines.map((text) => `    ${text}\n`).join("");
}

function findingText(item: Item, digits: number, screen: Screen): string {
  const { verb, tag, tone, title, notes = [], places = [] } = item;
  const { paint } = screen;
  const head = `${verb}[${tag}]`;
  const text = wrapLine(title, screen, 2, head.length + 1);
  const color = tone === "calm" ? paint.cyan : colorOf(tone, screen);
  const frames = places.map((place, at) => frameText(place, at === 0 ? "-->" : ":::", digits, color, screen));
  const advice = notes.map(
    ({ line }) => `${" ".repeat(digits + 2)}${blue("=", screen)} ${wrapLine(line, screen, digits + 4)}\n`,
  );
  return `${paint.bold(color(head))} ${colorLines(text, paint.bold)}\n${frames.join("")}${advice.join("")}`;
}

/** Plain blue is hard to read on black. */
function blue(text: string, { paint }: Screen): string {
  return paint.bold(paint.blue(text));
}

function frameText({ label, source }: ItemPlace, mark: string, digits: number, color: Color, screen: Screen): string {
  const head = `${" ".repeat(digits + 1)}${blue(mark, screen)} ${lineText(label, screen)}`;
  const gutter = source.length === 0 ? [] : [gutterText("", digits, screen)];
  return [head, ...gutter, ...sourceLines(source, screen, digits, color)].map((one) => `${one}\n`).join("");
}

export function sourceLines(
  source: readonly MarkedLine[],
  screen: Screen,
  digits: number = digitsOf(source),
  color: Color = String,
): string[] {
  const room = Math.max(lineWidth(screen) - digits - INDENT, 20);
  return source.flatMap((one, at) => {
    const above = source[at - 1];
    const { text, from, width } = fitted(one, room);
    const mark =
      one.says === undefined
        ? screen.paint.bold(color("^".repeat(width)))
        : blue(`${"-".repeat(width)} ${one.says}`.trimEnd(), screen);
    return [
      ...(above !== undefined && one.line > above.line + 1 ? [blue("...", screen)] : []),
      ...(above?.line === one.line ? [] : [`${gutterText(String(one.line), digits, screen)} ${text}`]),
      `${gutterText("", digits, screen)} ${" ".repeat(from)}${mark}`,
    ];
  });
}

function gutterText(number: string, digits: number, screen: Screen): string {
  return blue(` ${number.padStart(digits)} |`, screen);
}

/** Editors differ in the width of a tab, so it is shown as an arrow. */
const TAB = "→   ";

/** A line cut to the screen around its mark, and where the mark begins. Some text before it gives context. */
function fitted(line: SourceLine, room: number): Readonly<{ text: string; from: number; width: number }> {
  const [before, marked, after] = [cellsOf(line.before), cellsOf(line.marked), cellsOf(line.after)];
  const [start, width] = [widthOfAll(before), Math.max(1, widthOfAll(marked))];
  const context = width < room - 2 ? Math.max(8, Math.min(24, room - width - 2)) : Math.floor(room / 3);
  const isCut = start > context && start + width >= room;
  const lead = isCut ? ["…", ...fitting(before.toReversed(), context).toReversed()] : before;
  const cells = [...lead, ...marked, ...after];
  const shown = widthOfAll(cells) <= room ? cells : [...fitting(cells, room - 1), "…"];
  const from = widthOfAll(lead);
  return { text: shown.join("").trimEnd(), from, width: Math.min(width, Math.max(1, room - from)) };
}

function widthOfAll(cells: readonly string[]): number {
  return cells.reduce((width, cell) => width + widthOf(cell), 0);
}

/** Unseen characters are shown by code point. */
function cellsOf(text: string): string[] {
  return graphemesOf(text).map((grapheme) => {
    if (grapheme === "\t") return TAB;
    if (!hasUnseen(grapheme) && widthOf(grapheme) > 0) return grapheme;
    return Array.from(grapheme, codePoint).join("");
  });
}

const GAP = 2;

/** Indentation of values that do not fit beside their label: URLs are never broken. */
const BELOW = 8;

/** Values are beside the labels if they fit, otherwise below them. */
export function fieldLines(rows: readonly Row[], screen: Screen): string[] {
  const columns = lineWidth(screen);
  const indent = INDENT + widest(rows) + GAP;
  return rows.flatMap((row) => {
    const label = `${" ".repeat(INDENT)}${visible(row.label)}`;
    const beside = valueLines(row, columns - indent, screen);
    if (beside.every((line) => indent + widthOf(line) <= columns)) return labelled(pad(label, indent), indent, beside);
    return [label, ...labelled(" ".repeat(BELOW), BELOW, valueLines(row, columns - BELOW, screen))];
  });
}

function widest(rows: readonly Row[]): number {
  return rows.reduce((width, { label }) => Math.max(width, widthOf(visible(label))), 0);
}

const ARROW = "→ ";

/** Puts a label of `width` characters before the first line and aligns the texts of the others, also after an arrow. */
function labelled(label: string, width: number, [first = "", ...rest]: readonly string[]): string[] {
  const below = rest.map((line) => `${" ".repeat(line.startsWith(ARROW) ? width - ARROW.length : width)}${line}`);
  return [`${label}${first}`.trimEnd(), ...below];
}

function valueLines({ before, after, parts }: Row, room: number, screen: Screen): string[] {
  const width = widest(parts);
  return [...sidesLines(before, after, room, screen), ...parts.flatMap((part) => partLines(part, width, room, screen))];
}

/** One value, or both with an arrow between them. In addresses that have much in common, the differences are marked. */
function sidesLines(before: Value | null, after: Value | null, room: number, { paint }: Screen): string[] {
  const [old, next] = [before && markedText(before), after && markedText(after)];
  if (before === null || after === null || old === next) return [next ?? old].flatMap((text) => text ?? []);
  const isMarked = [before, after].every(
    (value) => isAddress(markedText(value)) && value.pieces.some(({ differs }) => !differs),
  );
  if (!isMarked) {
    const lines = [paint.dim(markedText(before)), `${ARROW}${markedText(after)}`];
    return widthOf(lines.join(" ")) <= room ? [lines.join(" ")] : lines;
  }
  const colored = (value: Value, color: Color): string => markedText(value, (text) => color(paint.underline(text)));
  if (paint.isColorSupported) return [colored(before, paint.red), `${ARROW}${colored(after, paint.green)}`];
  const differing = ({ pieces }: Value): number => pieces.filter(({ differs }) => differs).length;
  // Below the old value, only parts without a replacement need marks.
  const marks = differing(before) > differing(after) ? underscores(before) : [];
  return [markedText(before), ...marks, `${ARROW}${markedText(after)}`, ...underscores(after)];
}

function markedText({ pieces }: Value, mark: Color = String): string {
  return pieces.map(({ text, differs }) => (differs ? mark(visible(text)) : visible(text))).join("");
}

/** A line of `^` below the differences, if there are any. */
function underscores({ pieces }: Value): string[] {
  const marks = pieces.map(({ text, differs }) => (differs ? "^" : " ").repeat(widthOf(visible(text)))).join("");
  return marks.trim() === "" ? [] : [marks.trimEnd()];
}

function partLines({ label, how, before, after }: Row, width: number, room: number, screen: Screen): string[] {
  const { paint } = screen;
  const name = width === 0 ? "" : `${pad(visible(label), width)}  `;
  const marks = { added: paint.green("+"), removed: paint.red("-"), changed: paint.yellow("~"), kept: paint.dim("=") };
  const head = how === "whole" ? name : `${marks[how]} ${name}`;
  const indent = widthOf(head);
  const lines = sidesLines(before, after, room - indent, screen);
  return labelled(head, indent, how === "kept" ? lines.map(paint.dim) : lines);
}

function indented(text: string, by: number): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${line === "" ? "" : " ".repeat(by)}${visible(line)}\n`).join("");
}

export function logContext({ isVerbose = false }: Screen, origin: RenderContext["origin"] = null): ComposeContext {
  return { project: "", runUrl: null, blobUrl: null, origin, isLog: true, isVerbose };
}

export function diagnosticsText(diagnostics: readonly Diagnostic[], screen: Screen): string {
  return drawBlocks(findingList(diagnosticDocuments(diagnostics, screen.isVerbose), logContext(screen)), screen);
}

/** Most runs of `validate` load no other report. */
export const validateText: Format = (report, { screen }) => {
  if (report.of !== "run") return "";
  const { diagnostics, valid = false, files = 0 } = report.document;
  const result = validity(valid, files, severityCounts(diagnostics));
  const blocks = [...findingList(diagnostics, logContext(screen)), ...sentences(valid ? "good" : "bad", [result])];
  return withoutCommands(drawBlocks(blocks, screen));
};
