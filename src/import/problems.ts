// Errors in rows, and how they are reported: as diagnostics, and as a CSV file of rejected rows, which can be fixed and imported again.

import { groupBy } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { plural } from "../domain/words.ts";
import { soundsSecret } from "../report/redaction.ts";
import { isSecretTarget, type MappedSheet } from "./columns.ts";
import type { Sheet, SheetRow } from "./csv.ts";
import { hasSecret, isPresenceIn } from "./values.ts";

export interface RowProblem {
  /** The index; null for the row as a whole. */
  readonly column: number | null;
  /** The message with the column, on one line. */
  readonly reason: string;
  readonly diagnostic: Diagnostic;
}

export function rowProblem(
  sheet: Sheet,
  row: SheetRow,
  column: number | null,
  { code, message, hint }: Pick<Diagnostic, "code" | "message" | "hint">,
): RowProblem {
  const place = sheet.placeOf(row, column);
  const reason = column === null ? message : `\`${sheet.columns[column]}\`: ${message}`;
  // Cells with line breaks make line numbers differ from the row numbers of a spreadsheet.
  const number = row.number === place.line ? "" : `Row ${row.number}: `;
  return { column, reason, diagnostic: error(code, `${number}${reason}`, place, hint) };
}

/** How many similar errors are shown, and how many lines of the others. */
const [SHOWN, LINES] = [3, 8];

/** Groups similar errors of a column. */
export function groupSimilar({ columns }: Sheet, problems: readonly RowProblem[]): readonly Diagnostic[] {
  const groups = groupBy(problems, ({ column, diagnostic: { code } }) => `${code} ${column}`);
  return [...groups.values()].flatMap((group): Diagnostic[] => {
    const similar = group.map(({ diagnostic }) => diagnostic);
    const rest = similar.slice(SHOWN);
    const [next] = rest;
    if (next === undefined || rest.length === 1) return similar;
    const lines = rest.slice(0, LINES).map(({ place }) => String(place?.line));
    const where = `${lines.join(", ")}${rest.length > LINES ? ", …" : ""}`;
    const column = group[0]?.column ?? null;
    const what = column === null ? "" : ` in \`${columns[column]}\``;
    const message = `${plural(rest.length, "more row")} like these${what}: lines ${where}.`;
    return [...similar.slice(0, SHOWN), error(next.code, message, next.place)];
  });
}

/** A CSV file with the columns of the sheet and the reasons. `set` replaces passwords: an import only needs to know that there is one. */
export function rejectsText(
  { sheet, columns }: MappedSheet,
  bad: readonly { readonly row: SheetRow; readonly problems: readonly RowProblem[] }[],
): string {
  const hidesSecret = columns.map(({ index, target, name }): ((cell: string) => boolean) => {
    if (!isSecretTarget(target) && (target !== null || !soundsSecret(name))) return () => false;
    // `set` in a cell without a password would declare one.
    const isPresence = isPresenceIn(sheet.rows, index);
    return (cell) => hasSecret(cell, isPresence);
  });
  const rows = bad.map(({ row, problems }) => [
    ...row.cells.map((cell, at) => (hidesSecret[at]?.(cell) === true ? "set" : cell)),
    problems.map(({ reason }) => reason).join(" "),
  ]);
  const { delimiter } = sheet;
  const quoted = (cell: string): string =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return [[...sheet.columns, "reason"], ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`).join("");
}
