// The rows that could not be taken, as a sheet of their own: to be mended and imported again.

import { soundsSecret } from "../view/redaction.ts";
import type { MappedColumn } from "./mapping.ts";
import type { BadRow } from "./resolve.ts";
import type { Sheet } from "./csv.ts";
import { reasonOf } from "./row-problems.ts";
import { presenceOf } from "./values.ts";

/** The column that says why. */
const REASON = "reason";

/** In place of a password: that there was one is all that an import needs to know. */
const NOT_COPIED = "set";

/** What says of any password that there is none. */
const NONE = "none";

/** A CSV file with the columns of the sheet and one that says what is wrong. */
export function rejectsText(sheet: Sheet, columns: readonly MappedColumn[], bad: readonly BadRow[]): string {
  const isSecret = columns.map(
    ({ target, name }) =>
      (target?.to === "field" && target.row.kind === "secret") || (target === null && soundsSecret(name)),
  );
  const isPresence = columns.map(({ index }) =>
    sheet.rows.every(({ cells }) => (cells[index] ?? "") === "" || presenceOf(cells[index] ?? "") !== null),
  );
  // That there is none must stay said: `set` would declare a password where none is.
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
