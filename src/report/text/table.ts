// A table that fits the terminal. Without a terminal, nothing is cut.

import { lineWidth, type Screen } from "./screen.ts";
import { graphemesOf, pad, widthOf } from "./width.ts";
import { plural } from "../counts.ts";
import { visible } from "../../domain/control-characters.ts";
import type { SheetColumns } from "../report.ts";

export interface TableColumn {
  readonly head: string;
  /** One for each row, without control characters. */
  readonly cells: readonly string[];
  /** The width below which the column is useless. Shorter cells need less. */
  readonly minWidth: number;
  /** If there is no room, columns with the highest rank are left out first; null: never left out. */
  readonly rank: number | null;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  /** A cell that does not fit is not cut: the rest of its row follows on the next line. */
  readonly isUncut?: boolean;
  readonly color?: (text: string, row: number) => string;
}

/** `omitted`: the heads of the columns that did not fit. */
export interface TextTable {
  readonly lines: readonly string[];
  readonly omitted: readonly string[];
}

const GAP = "  ";

/** Draws a table without its empty columns. */
export function drawTable(all: readonly TableColumn[], screen: Screen): TextTable {
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const columns = screen.columns === null ? filled.map(fitContent) : fit(filled, lineWidth(screen));
  const { dim } = screen.paint;
  const heads = columns.map(({ column, width }) => dim(pad(cut(column.head, width), width, column.isNumber === true)));
  const count = filled[0]?.cells.length ?? 0;
  const lines = Array.from({ length: count }, (_, row) => rowLines(columns, row)).flat();
  const shown = new Set(columns.map(({ column }) => column));
  return {
    lines: [heads.join(GAP), ...lines],
    omitted: filled.flatMap((column) => (shown.has(column) ? [] : [column.head])),
  };
}

interface FittedColumn {
  readonly column: TableColumn;
  readonly width: number;
}

function fitContent(column: TableColumn): FittedColumn {
  return { column, width: Math.max(widest(column.cells), widthOf(column.head)) };
}

/** Chooses columns by rank at their minimum width. The remaining width goes first to the columns that need the least of it. */
function fit(all: readonly TableColumn[], room: number): FittedColumn[] {
  const wanted = new Map(all.map((column) => [column, wantedWidth(column)]));
  const minWidthOf = (column: TableColumn): number => Math.min(column.minWidth, wanted.get(column) ?? 0);
  const chosen = new Set(all.filter(({ rank }) => rank === null));
  const taken = (): number => [...chosen].reduce((sum, column) => sum + minWidthOf(column) + GAP.length, -GAP.length);
  for (const column of all.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)))
    if (taken() + GAP.length + minWidthOf(column) <= room) chosen.add(column);
  let spare = Math.max(room - taken(), 0);
  const widths = new Map<TableColumn, number>();
  const missing = (column: TableColumn): number => (wanted.get(column) ?? 0) - minWidthOf(column);
  for (const column of [...chosen].toSorted((a, b) => missing(a) - missing(b))) {
    const more = Math.min(missing(column), spare);
    widths.set(column, minWidthOf(column) + more);
    spare -= more;
  }
  return all.flatMap((column) => (chosen.has(column) ? [{ column, width: widths.get(column) ?? 0 }] : []));
}

/** Cells that overflow onto their own line do not widen the column. */
function wantedWidth(column: TableColumn): number {
  if (column.isUncut !== true) return fitContent(column).width;
  const fitting = column.cells.filter((cell) => widthOf(cell) <= column.minWidth);
  return fitting.length === 0 ? column.minWidth : fitContent({ ...column, cells: fitting }).width;
}

function rowLines(columns: readonly FittedColumn[], row: number): string[] {
  const lines: string[] = [];
  let line = "";
  const end = columns.findLastIndex(({ column }) => (column.cells[row] ?? "") !== "");
  for (const [at, { column, width }] of columns.slice(0, end + 1).entries()) {
    const { cells, color = (text: string): string => text, isNumber = false, isUncut: isWhole = false } = column;
    const cell = cells[row] ?? "";
    const before = at === 0 ? "" : GAP;
    if (isWhole && widthOf(cell) > width) {
      lines.push(`${line}${before}${color(cell, row)}`);
      line = " ".repeat(columns.slice(0, at + 1).reduce((sum, one) => sum + one.width + GAP.length, -GAP.length));
      continue;
    }
    const text = color(cut(cell, width), row);
    line += `${before}${at === end && !isNumber ? text : pad(text, width, isNumber)}`;
  }
  return [...lines, line];
}

/** Cuts a text to a width, between graphemes, with `…` at the end. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let omitted = width - 1;
  for (const { segment } of graphemesOf(text)) {
    omitted -= widthOf(segment);
    if (omitted < 0) break;
    kept += segment;
  }
  return width < 1 ? "" : `${kept}…`;
}

const IGNORED = "ignored";
/** Why a column is ignored. */
const REASONS = { flag: "(by a flag)", name: "(not a setting of a link)", unknown: "(unknown name)" };
const SECRET = "(hidden: passwords are not written to files)";
const EMPTY = "(empty)";

/** Columns that people probably want to keep. */
const WORTH_KEEPING = /title|name|descr|label|note|comment/i;

/** A long column name must not push the other columns off the screen. */
const MAX_NAME_WIDTH = 28;

/** A line for each column of a spreadsheet: its name, the field it becomes, and its first value. */
export function columnsText({ file, rows, delimiter, columns }: SheetColumns, screen: Screen): string {
  const { paint } = screen;
  const names = columns.map(({ column }) => cut(visible(column), MAX_NAME_WIDTH));
  const fields = columns.map(({ field }) => field ?? IGNORED);
  const [nameWidth, fieldWidth] = [widest(names), widest(fields)];
  const room = Math.max(10, lineWidth(screen) - nameWidth - fieldWidth - 6);
  const lines = columns.map(({ field, because, example, secret }, at) => {
    const name = pad(names[at] ?? "", nameWidth);
    const target = pad(fields[at] ?? "", fieldWidth);
    const value = secret ? SECRET : field === null ? REASONS[because] : example === null ? EMPTY : visible(example);
    return `  ${name}  ${field === null ? paint.dim(target) : paint.green(target)}  ${cut(value, room)}`.trimEnd();
  });
  const head = `${visible(file)}: ${plural(rows, "row")}, separated by \`${delimiter}\``;
  const unknowns = columns.filter(({ because }) => because === "unknown");
  const unknown = unknowns.find(({ column }) => WORTH_KEEPING.test(column)) ?? unknowns[0];
  const keep =
    unknown === undefined ? "" : `To keep a column, map it to a field: --map "${visible(unknown.column)}=note"\n`;
  return `${paint.bold(head)}\n${lines.join("\n")}\n${keep}`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, widthOf(text)), 0);
}
