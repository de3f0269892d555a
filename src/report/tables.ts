// Tables of two columns, which most reports without a page have.

import type { Cell, Line, LogBlock, TableColumn } from "./blocks.ts";

const COLUMNS: readonly TableColumn[] = [
  { fit: "whole", min: 30, isKept: true },
  { fit: "wrap", min: 20, isKept: true },
];

export function cell(line: Line, tone: Cell["tone"] = "calm"): Cell {
  return { tone, line };
}

/** Rows below a sentence, if there is one. The second cell is wrapped. */
export function twoColumns(lead: Cell | null, indent: number, rows: readonly (readonly Cell[])[]): LogBlock {
  return { is: "table", indent, columns: COLUMNS, rows, ...(lead !== null && { lead }) };
}

/** Sentences; nothing if there are none. */
export function sentences(lines: readonly Line[], tone: "good" | "warn" | "bad" | "calm" = "calm"): LogBlock[] {
  return lines.length === 0 ? [] : [{ is: "lines", tone, lines, keep: 9 }];
}
