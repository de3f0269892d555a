// Writes rejected rows as a CSV file, which can be fixed and imported again.

import { soundsSecret } from "../report/redaction.ts";
import type { MappedColumn } from "./mapping.ts";
import type { BadRow } from "./resolve.ts";
import type { Sheet } from "./csv.ts";
import { reasonOf } from "./row-problems.ts";
import { presenceOf } from "./values.ts";

/** The name of the column with the reasons. */
const REASON = "reason";

/** Replaces passwords. An import only needs to know that there is one. */
const NOT_COPIED = "set";

/** Means "no password" in any column of passwords. */
const NONE = "none";

/** A CSV file with the columns of the sheet and a column with the reasons. */
export function rejectsText(sheet: Sheet, columns: readonly MappedColumn[], bad: readonly BadRow[]): string {
  const isSecret = columns.map(
    ({ target, name }) =>
      (target?.to === "field" && target.field.kind === "secret") || (target === null && soundsSecret(name)),
  );
  const isPresence = columns.map(({ index }) =>
    sheet.rows.every(({ cells }) => (cells[index] ?? "") === "" || presenceOf(cells[index] ?? "") !== null),
  );
  // `set` in a cell without a password would declare one.
  const isNone = (cell: string, at: number): boolean =>
    cell === "" || cell.toLowerCase() === NONE || (isPresence[at] === true && presenceOf(cell) === false);
  const rows = bad.map((one) => [
    ...one.read.row.cells.map((cell, at) => (isSecret[at] === true && !isNone(cell, at) ? NOT_COPIED : cell)),
    reasonOf(sheet, one),
  ]);
  return [[...sheet.columns, REASON], ...rows].map((cells) => lineOf(cells, sheet.delimiter)).join("");
}

function lineOf(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
