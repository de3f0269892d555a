// Writes rejected rows as a CSV file, which can be fixed and imported again.

import { soundsSecret } from "../report/redaction.ts";
import type { MappedColumn } from "./mapping.ts";
import type { Sheet } from "./csv.ts";
import type { ReadRow } from "./rows.ts";
import { isSecretTarget } from "./targets.ts";
import { hasSecret, isPresenceIn } from "./values.ts";

/** The name of the column with the reasons. */
const REASON = "reason";

/** Replaces passwords. An import only needs to know that there is one. */
const NOT_COPIED = "set";

/** A CSV file with the columns of the sheet and a column with the reasons. */
export function rejectsText(sheet: Sheet, columns: readonly MappedColumn[], bad: readonly ReadRow[]): string {
  const hidesSecret = columns.map(({ index, target, name }): ((cell: string) => boolean) => {
    if (!isSecretTarget(target) && (target !== null || !soundsSecret(name))) return () => false;
    // `set` in a cell without a password would declare one.
    const isPresence = isPresenceIn(sheet.rows, index);
    return (cell) => hasSecret(cell, isPresence);
  });
  const rows = bad.map(({ row, problems }) => [
    ...row.cells.map((cell, at) => (hidesSecret[at]?.(cell) === true ? NOT_COPIED : cell)),
    problems.map(({ reason }) => reason).join(" "),
  ]);
  return [[...sheet.columns, REASON], ...rows].map((cells) => lineOf(cells, sheet.delimiter)).join("");
}

function lineOf(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
