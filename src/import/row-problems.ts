// Errors in rows: those of loading, at their cells, and how they are reported.

import { groupBy } from "../domain/collections.ts";
import { error, hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { showPlace } from "../domain/place.ts";
import { isAboutSending } from "../domain/rules.ts";
import { plural } from "../report/counts.ts";
import type { Sheet, SheetRow } from "./csv.ts";
import type { MappedColumn } from "./mapping.ts";
import type { BadRow } from "./resolve.ts";
import type { ReadRow } from "./rows.ts";

/** An error in a column, by index, or in the row as a whole. */
export interface RowProblem {
  readonly column: number | null;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** A cell that was loaded; without a column, the row as a whole. */
export interface Cell {
  readonly read: ReadRow;
  readonly column: MappedColumn | null;
}

/** Groups errors by row. `cells` has the cells by place, as text. A duplicate is reported at its second place, which may be in a file. */
export function findingsOfRows(
  diagnostics: readonly Diagnostic[],
  cells: ReadonlyMap<string, Cell>,
): { readonly found: ReadonlyMap<ReadRow, readonly RowProblem[]>; readonly others: readonly Diagnostic[] } {
  const found = new Map<ReadRow, RowProblem[]>();
  const others: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    if (!hasErrors([diagnostic])) continue;
    const { place, also = [], code, hint } = diagnostic;
    const places = [place, ...also.map((one) => one.place)].flatMap((one) => one ?? []);
    const own = places.find((one) => cells.has(showPlace(one)));
    const cell = own && cells.get(showPlace(own));
    if (own === undefined || cell === undefined) {
      // A pulled link in another file does not stop the import.
      if (!isAboutSending(diagnostic)) others.push(diagnostic);
      continue;
    }
    // The message names the other place of a duplicate.
    const text = place === null ? diagnostic.message : diagnostic.message.replace(showPlace(own), showPlace(place));
    const problem = {
      column: cell.column?.index ?? null,
      code,
      message: withCell(text, shownText(cell)),
      hint: forCell(hint),
    };
    found.set(cell.read, [...(found.get(cell.read) ?? []), problem]);
  }
  return { found, others };
}

/** The text of a cell; empty if it must not be shown. */
function shownText({ read, column }: Cell): string {
  const target = column?.target ?? null;
  if (column === null || target === null || target.to === "key") return "";
  return target.to === "field" && target.field.kind === "secret" ? "" : (read.row.cells[column.index] ?? "");
}

/** The message with the content of the cell in place of the field at its start. */
function withCell(message: string, cell: string): string {
  if (cell === "") return message;
  const [, rest] = /^`[^`]+` ((?:must|cannot) .*)$/s.exec(message) ?? [];
  if (rest !== undefined) return `\`${cell}\` ${rest}`;
  return message.includes(cell) ? message : `\`${cell}\`: ${message}`;
}

/** A hint without the field: a cell has only the value. */
function forCell(hint: string | null): string | null {
  return hint?.replace(/^Write `[a-z_]+: ([^`]*)`\.$/, "Write `$1`.") ?? null;
}

interface RowFinding {
  readonly problem: RowProblem;
  readonly diagnostic: Diagnostic;
}

/** How many similar errors are shown. The others are counted. */
const SHOWN = 3;

/** How many of the other rows are listed. */
const NAMED = 8;

/** Every error at its cell, in the order of the rows. */
export function rowDiagnostics(sheet: Sheet, bad: readonly BadRow[]): readonly Diagnostic[] {
  return sortDiagnostics(findingsOf(sheet, bad).map(({ diagnostic }) => diagnostic));
}

/** Similar errors in a column are grouped. */
export function groupSimilar(sheet: Sheet, bad: readonly BadRow[]): readonly Diagnostic[] {
  const groups = groupBy(findingsOf(sheet, bad), ({ problem }) => `${problem.code} ${problem.column}`);
  return [...groups.values()].flatMap((similar): Diagnostic[] => {
    const rest = similar.slice(SHOWN);
    const shown = similar.slice(0, SHOWN).map(({ diagnostic }) => diagnostic);
    const [next] = rest;
    if (next === undefined || rest.length === 1) return similar.map(({ diagnostic }) => diagnostic);
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

function findingsOf(sheet: Sheet, bad: readonly BadRow[]): RowFinding[] {
  return bad.flatMap(({ read: { row }, problems }) =>
    problems.map((problem) => ({ problem, diagnostic: diagnosticOf(sheet, row, problem) })),
  );
}

/** All reasons for a row, on one line. */
export function reasonOf(sheet: Sheet, { problems }: BadRow): string {
  return problems.map(({ column, message }) => `${inColumn(sheet, column)}${message}`).join(" ");
}

function diagnosticOf(sheet: Sheet, row: SheetRow, { column, code, message, hint }: RowProblem): Diagnostic {
  const place = sheet.placeOf(row, column);
  // Cells with line breaks make line numbers differ from the row numbers of a spreadsheet.
  const number = row.number === place.line ? "" : `Row ${row.number}: `;
  return error(code, `${number}${inColumn(sheet, column)}${message}`, place, hint);
}

function inColumn({ columns }: Sheet, column: number | null): string {
  return column === null ? "" : `\`${columns[column]}\`: `;
}
