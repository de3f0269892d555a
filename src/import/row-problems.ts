// Traces errors in the blocks of rows back to cells, and reports them at their places in the sheet.

import { hasErrors, type Diagnostic, error, sortDiagnostics } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { isAboutSending } from "../domain/rules.ts";
import { DESTINATION_FIELD, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import type { RowProblem } from "./rows.ts";
import { KEY_PATH } from "./targets.ts";
import type { BuiltFile } from "./yaml-file.ts";
import { groupBy } from "../domain/collections.ts";
import { plural } from "../report/counts.ts";
import type { BadRow } from "./resolve.ts";
import type { Sheet, SheetRow } from "./csv.ts";

interface ImportedBlocks extends BuiltFile {
  readonly file: string;
}

/** Errors by the index of their block, and errors outside of all blocks. */
interface BlockFindings {
  readonly problems: ReadonlyMap<number, readonly RowProblem[]>;
  readonly others: readonly Diagnostic[];
}

/**
 * Sorts errors by block. `cellOf` returns the cell of a column in the row of a block, null if it must not be shown. `placeOf`
 * returns the place of that row in the sheet.
 */
export function findingsOfBlocks(
  diagnostics: readonly Diagnostic[],
  blocks: ImportedBlocks,
  sheet: {
    readonly kind: ResourceKind;
    readonly columns: readonly MappedColumn[];
    readonly cellOf: (block: number, column: number) => string | null;
    readonly placeOf: (block: number) => Place;
  },
): BlockFindings {
  const lines = blocks.text.split(/\r?\n/);
  const problems = new Map<number, RowProblem[]>();
  const others: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    if (!hasErrors([diagnostic])) continue;
    const place = ownPlace(diagnostic, blocks);
    const block = place === null ? -1 : blockAt(blocks, place.line);
    if (place === null || block < 0) {
      // A pulled link in another file does not stop the import.
      if (!isAboutSending(diagnostic)) others.push(diagnostic);
      continue;
    }
    const path = pathAt(lines, place, blocks.lines[block] ?? 1);
    const column = columnOf(path, sheet);
    // A finding about a whole block already names its key.
    const cell = column === null || path === null ? "" : (sheet.cellOf(block, column.index) ?? "");
    const text = withSheetPlaces(withOtherPlace(diagnostic, place), blocks, sheet.placeOf);
    const message = cell === "" ? text : withCell(text, cell, path ?? "");
    const known = problems.get(block) ?? [];
    known.push({ column: column?.index ?? null, code: diagnostic.code, message, hint: diagnostic.hint });
    problems.set(block, known);
  }
  return { problems, others };
}

/** The place of a diagnostic in a block. A duplicate key is reported at its second place, which may be in another file. */
function ownPlace({ place, also }: Diagnostic, blocks: ImportedBlocks): Place | null {
  const own = [place, ...(also ?? []).map((one) => one.place)].filter((one) => one?.file === blocks.file);
  return own.find((one) => one !== null && blockAt(blocks, one.line) >= 0) ?? own[0] ?? null;
}

/** If the diagnostic is reported at the other place that it mentions, its message mentions its original place instead. */
function withOtherPlace({ message, place }: Diagnostic, own: Place): string {
  return place === null || place === own ? message : message.replace(showPlace(own), showPlace(place));
}

/** Replaces the field at the start of a message with the content of the cell. */
function withCell(message: string, cell: string, path: string): string {
  const subject = `\`${path.split(".").at(-1) ?? path}\` `;
  if (message.startsWith(subject)) return `\`${cell}\` ${message.slice(subject.length)}`;
  return message.includes(cell) ? message : `\`${cell}\`: ${message}`;
}

/** Replaces places in the new file with places in the sheet, because the file may never be written. */
function withSheetPlaces(message: string, blocks: ImportedBlocks, placeOf: (block: number) => Place): string {
  const { file } = blocks;
  const parts = message.split(`${file}:`);
  return parts
    .map((part, at) => {
      const [written, line] = /^(\d+):\d+/.exec(part) ?? [];
      if (at === 0) return part;
      const block = line === undefined ? -1 : blockAt(blocks, Number(line));
      return written === undefined || block < 0
        ? `${file}:${part}`
        : showPlace(placeOf(block)) + part.slice(written.length);
    })
    .join("");
}

/** The last block that begins on this line or before it; -1 outside of all blocks. */
function blockAt({ lines, end }: ImportedBlocks, line: number): number {
  if (line >= end) return -1;
  let [low, high] = [-1, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The column for a field, or the key column for a whole block. */
function columnOf(
  path: string | null,
  { kind, columns }: { readonly kind: ResourceKind; readonly columns: readonly MappedColumn[] },
): MappedColumn | null {
  const found =
    path === null
      ? (columnFor(columns, KEY_FIELD[kind]) ?? columnFor(columns, KEY_PATH))
      : (columnFor(columns, path) ??
        columns.find(({ target }) => target !== null && path.startsWith(`${target.path}.`)) ??
        (path.startsWith("utm.") ? columnFor(columns, DESTINATION_FIELD) : undefined));
  return found ?? null;
}

/** The path of the field at a place, from the keys above it. Null for the key of the block, on line `first`. */
function pathAt(lines: readonly string[], { line, column, length = 0 }: Place, first: number): string | null {
  if (line === first) return pathInBraces((lines[line - 1] ?? "").slice(0, column - 1 + length));
  const keys: string[] = [];
  let indent = Infinity;
  for (let at = line; at > first; at -= 1) {
    const [, space = "", key] = /^( *)(?:- .*|["']?([\w.-]+)["']?:.*)$/.exec(lines[at - 1] ?? "") ?? [];
    if (space.length >= indent) continue;
    indent = space.length;
    if (key !== undefined) keys.unshift(key);
  }
  return keys.length === 0 ? null : keys.join(".");
}

/** The path at the end of a line, for a block in braces. */
function pathInBraces(line: string): string | null {
  const above: (string | null)[] = [];
  let key: string | null = null;
  for (const [token, name] of line.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[{}]|([\w.-]+):(?=\s|$)/g)) {
    if (token === "{") above.push(above.length === 0 ? null : key);
    else if (token === "}") above.pop();
    else if (name !== undefined) key = name;
  }
  if (above.length === 0 || key === null) return null;
  return [...above.filter((one) => one !== null), key].join(".");
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
