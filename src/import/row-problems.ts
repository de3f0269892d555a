// Problems of rows: errors in their blocks are traced back to cells, and shown at their places in the sheet.

import { hasErrors, type Diagnostic, error, sortDiagnostics } from "../domain/diagnostic.ts";
import { showPlace, type Place } from "../domain/place.ts";
import { KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import type { RowProblem } from "./rows.ts";
import { KEY_PATH } from "./targets.ts";
import type { BuiltFile } from "./yaml-file.ts";
import { groupBy } from "../domain/group.ts";
import { plural } from "../view/counts.ts";
import type { BadRow } from "./resolve.ts";
import type { Sheet, SheetRow } from "./csv.ts";

/** A file in which blocks of rows stand. */
interface ImportedBlocks extends BuiltFile {
  readonly file: string;
}

/** Errors by the index of the block they are about, and those that are about no block. */
interface BlockFindings {
  readonly problems: ReadonlyMap<number, readonly RowProblem[]>;
  readonly others: readonly Diagnostic[];
}

/**
 * Sorts errors by block. `cellOf` tells what a column has in the row of a block, null where that is not to be shown; `placeOf` where
 * that row is in the sheet.
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
      others.push(diagnostic);
      continue;
    }
    const path = pathAt(lines, place, blocks.lines[block] ?? 1);
    const column = columnOf(path, sheet);
    // A finding about the block as a whole names its key.
    const cell = column === null || path === null ? "" : (sheet.cellOf(block, column.index) ?? "");
    const said = inTheSheet(elsewhere(diagnostic, place), blocks, sheet.placeOf);
    const message = cell === "" ? said : aboutCell(said, cell, path ?? "");
    const known = problems.get(block) ?? [];
    known.push({ column: column?.index ?? null, code: diagnostic.code, message, hint: diagnostic.hint });
    problems.set(block, known);
  }
  return { problems, others };
}

/** Where a finding speaks of a block: a key that is declared twice is found at the second place, a tombstone may stand above the block. */
function ownPlace({ place, also }: Diagnostic, blocks: ImportedBlocks): Place | null {
  const own = [place, ...(also ?? []).map((one) => one.place)].filter((one) => one?.file === blocks.file);
  return own.find((one) => one !== null && blockAt(blocks, one.line) >= 0) ?? own[0] ?? null;
}

/** A message that names the place that is ours, because the finding stands elsewhere, names that other one. */
function elsewhere({ message, place }: Diagnostic, own: Place): string {
  return place === null || place === own ? message : message.replace(showPlace(own), showPlace(place));
}

/** What is said of a field is said of what stands in the cell. */
function aboutCell(said: string, cell: string, path: string): string {
  const subject = `\`${path.split(".").at(-1) ?? path}\` `;
  if (said.startsWith(subject)) return `\`${cell}\` ${said.slice(subject.length)}`;
  return said.includes(cell) ? said : `\`${cell}\`: ${said}`;
}

/** Places in a file that is not written say nothing: those of the rows do. */
function inTheSheet(message: string, blocks: ImportedBlocks, placeOf: (block: number) => Place): string {
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

/** The last block that begins on this line or before it; -1 for a line that is in none. */
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

/** The column that a field was made of; that of the key for a block as a whole. */
function columnOf(
  path: string | null,
  { kind, columns }: { readonly kind: ResourceKind; readonly columns: readonly MappedColumn[] },
): MappedColumn | null {
  const found =
    path === null
      ? (columnFor(columns, KEY_FIELD[kind]) ?? columnFor(columns, KEY_PATH))
      : (columnFor(columns, path) ??
        columns.find(({ target }) => target !== null && path.startsWith(`${target.path}.`)));
  return found ?? null;
}

/** The path of the field that stands at a place, from the keys around it; null for the key of the block, which stands on line `first`. */
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

/** The same in a block that stands in braces on the line of its key, as much of the line as there is. */
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
