// What is wrong with the rows of a sheet, as findings: each at its cell; and for people, who mend a column and not each of its cells.

import { error, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import { plural } from "../view/counts.ts";
import type { RowProblem } from "./rows.ts";
import type { BadRow } from "./resolve.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

interface RowFinding {
  readonly row: SheetRow;
  readonly problem: RowProblem;
  readonly diagnostic: Diagnostic;
}

/** Of mistakes that are alike, so many are told; the rest is counted. */
const TOLD = 3;

/** Rows that are named of those that are counted. */
const NAMED = 8;

/** Every mistake, at its cell, from the first row to the last. */
export function rowDiagnostics(sheet: Sheet, bad: readonly BadRow[]): readonly Diagnostic[] {
  return sortDiagnostics(told(sheet, bad).map(({ diagnostic }) => diagnostic));
}

/** The same where many are alike: the first few of a column, and how many more there are. */
export function condensed(sheet: Sheet, bad: readonly BadRow[]): readonly Diagnostic[] {
  const groups = groupBy(told(sheet, bad), ({ problem }) => `${problem.code} ${problem.column}`);
  return [...groups.values()].flatMap((alike): Diagnostic[] => {
    const rest = alike.slice(TOLD);
    const shown = alike.slice(0, TOLD).map(({ diagnostic }) => diagnostic);
    const [next] = rest;
    if (next === undefined || rest.length === 1) return alike.map(({ diagnostic }) => diagnostic);
    const { column, code } = next.problem;
    const lines = rest.slice(0, NAMED).map(({ diagnostic }) => String(diagnostic.place?.line));
    const where = `${lines.join(", ")}${rest.length > NAMED ? ", …" : ""}`;
    const what = column === null ? "" : ` in \`${sheet.columns[column]}\``;
    return [
      ...shown,
      error(code, `${plural(rest.length, "more row")} like these${what}: lines ${where}.`, next.diagnostic.place),
    ];
  });
}

function told(sheet: Sheet, bad: readonly BadRow[]): RowFinding[] {
  return bad.flatMap(({ read: { row }, problems }) =>
    problems.map((problem) => ({ row, problem, diagnostic: diagnosticOf(sheet, row, problem) })),
  );
}

/** The reasons of a row on one line. */
export function reasonOf(sheet: Sheet, { problems }: BadRow): string {
  return problems.map(({ column, message }) => `${inColumn(sheet, column)}${message}`).join(" ");
}

function diagnosticOf(sheet: Sheet, row: SheetRow, { column, code, message, hint }: RowProblem): Diagnostic {
  const place = sheet.placeOf(row, column);
  // Line breaks in cells make lines of a file that a spreadsheet does not count.
  const number = row.number === place.line ? "" : `Row ${row.number}: `;
  return error(code, `${number}${inColumn(sheet, column)}${message}`, place, hint);
}

function inColumn({ columns }: Sheet, column: number | null): string {
  return column === null ? "" : `\`${columns[column]}\`: `;
}
