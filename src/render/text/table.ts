// A table for people: it fits the terminal; where there is none, nothing is cut.

import { roomOf, type Screen } from "./screen.ts";
import { widthOf } from "./width.ts";

export interface TableColumn {
  readonly head: string;
  /** One for each row, with nothing in it that a terminal would obey. */
  readonly cells: readonly string[];
  /** How wide it must be to be of use; a cell that is shorter needs no more. */
  readonly least: number;
  /** Columns with a rank are left out where there is no room for them, the greatest first; null: never. */
  readonly rank: number | null;
  /** Numbers stand at the right edge. */
  readonly isNumber?: boolean;
  /** A cell that does not fit is not cut: the rest of its row stands below it. */
  readonly isWhole?: boolean;
  readonly colour?: (text: string, row: number) => string;
}

/** The lines of a table, and the heads of the columns that it had no room for. */
export interface Table {
  readonly lines: readonly string[];
  readonly left: readonly string[];
}

const GAP = "  ";
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Draws a table; columns that are empty all over are no part of it. */
export function drawTable(all: readonly TableColumn[], screen: Screen): Table {
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const columns = screen.columns === null ? filled.map(natural) : fit(filled, roomOf(screen));
  const { dim } = screen.paint;
  const heads = columns.map(({ column, width }) => dim(pad(cut(column.head, width), width, column.isNumber === true)));
  const count = filled[0]?.cells.length ?? 0;
  const lines = Array.from({ length: count }, (_, row) => rowLines(columns, row)).flat();
  const shown = new Set(columns.map(({ column }) => column));
  return {
    lines: [heads.join(GAP), ...lines],
    left: filled.flatMap((column) => (shown.has(column) ? [] : [column.head])),
  };
}

interface Fitted {
  readonly column: TableColumn;
  readonly width: number;
}

function natural(column: TableColumn): Fitted {
  return { column, width: column.cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(column.head)) };
}

/** As many columns as have room at their least, in the order of their ranks; what is left over goes to those that lack the least. */
function fit(all: readonly TableColumn[], room: number): Fitted[] {
  const wanted = new Map(all.map((column) => [column, wantedWidth(column)]));
  const leastOf = (column: TableColumn): number => Math.min(column.least, wanted.get(column) ?? 0);
  const chosen = new Set(all.filter(({ rank }) => rank === null));
  const taken = (): number => [...chosen].reduce((sum, column) => sum + leastOf(column) + GAP.length, -GAP.length);
  for (const column of all.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)))
    if (taken() + GAP.length + leastOf(column) <= room) chosen.add(column);
  let spare = Math.max(room - taken(), 0);
  const widths = new Map<TableColumn, number>();
  const lacks = (column: TableColumn): number => (wanted.get(column) ?? 0) - leastOf(column);
  for (const column of [...chosen].toSorted((a, b) => lacks(a) - lacks(b))) {
    const more = Math.min(lacks(column), spare);
    widths.set(column, leastOf(column) + more);
    spare -= more;
  }
  return all.flatMap((column) => (chosen.has(column) ? [{ column, width: widths.get(column) ?? 0 }] : []));
}

/** Cells that have a line of their own where they are long need no wider column for it. */
function wantedWidth(column: TableColumn): number {
  if (column.isWhole !== true) return natural(column).width;
  const fitting = column.cells.filter((cell) => widthOf(cell) <= column.least);
  return fitting.length === 0 ? column.least : natural({ ...column, cells: fitting }).width;
}

function rowLines(columns: readonly Fitted[], row: number): string[] {
  const lines: string[] = [];
  let line = "";
  const end = columns.findLastIndex(({ column }) => (column.cells[row] ?? "") !== "");
  for (const [at, { column, width }] of columns.slice(0, end + 1).entries()) {
    const { cells, colour = (text: string): string => text, isNumber = false, isWhole = false } = column;
    const cell = cells[row] ?? "";
    const before = at === 0 ? "" : GAP;
    if (isWhole && widthOf(cell) > width) {
      lines.push(`${line}${before}${colour(cell, row)}`);
      line = " ".repeat(columns.slice(0, at + 1).reduce((sum, one) => sum + one.width + GAP.length, -GAP.length));
      continue;
    }
    const text = cut(cell, width);
    const blank = " ".repeat(Math.max(width - widthOf(text), 0));
    line += `${before}${isNumber ? blank : ""}${colour(text, row)}${isNumber || at === end ? "" : blank}`;
  }
  return [...lines, line];
}

function pad(text: string, width: number, isRight: boolean): string {
  const blank = " ".repeat(Math.max(width - widthOf(text), 0));
  return isRight ? `${blank}${text}` : `${text}${blank}`;
}

/** A text in so many columns: what is longer ends in `…`, and no sign is cut in two. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let left = width - 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return width < 1 ? "" : `${kept}…`;
}
