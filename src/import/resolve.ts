// Decides which rows can be written: loads them with the project, as if each were a resource file.

import type { TreeEntry } from "../config/yaml.ts";
import { append } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { showPlace } from "../domain/place.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Sheet } from "./csv.ts";
import type { MappedColumn } from "./mapping.ts";
import { columnOf, documentOf } from "./nodes.ts";
import { type Cell, findingsOfRows, type RowProblem } from "./row-problems.ts";
import { rowKey, type ReadRow } from "./rows.ts";
import type { Loaded } from "../config/load.ts";
import type { ImportTarget } from "./project.ts";

/** A rejected row with all reasons. */
export interface BadRow {
  readonly read: ReadRow;
  readonly problems: readonly RowProblem[];
}

export interface ResolvedRows {
  readonly good: readonly ReadRow[];
  readonly bad: readonly BadRow[];
  /** Errors that belong to no row. */
  readonly others: readonly Diagnostic[];
  /** The project with the good rows; with all rows if they are not left out. */
  readonly loaded: Loaded;
}

interface ResolveContext {
  readonly sheet: Sheet;
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
  /** `--skip-bad`: the other rows must be valid without the rejected ones. */
  readonly leavesOut: boolean;
  /** `defaults` and `unspecified` of the file that the rows go to. */
  readonly inherited: readonly TreeEntry[];
  readonly load: ImportTarget["load"];
}

/** Separates rows that can be written from rows with errors, and collects every error. */
export async function resolveRows(
  rows: readonly ReadRow[],
  { sheet, kind, columns, leavesOut, inherited, load }: ResolveContext,
): Promise<ResolvedRows> {
  const problems = new Map(rows.map((read) => [read, [...read.problems]]));
  const isGood = (read: ReadRow): boolean => problems.get(read)?.length === 0;
  // Rows with errors are loaded, too, because they may have more errors.
  let candidates = rows.filter(({ name }) => name !== null);
  for (;;) {
    const cells = new Map<string, Cell>();
    const documents = candidates.map((read) =>
      documentOf(kind, rowKey(read), read.block, inherited, (path) => {
        const column = columnOf(path, kind, columns) ?? null;
        const place = sheet.placeOf(read.row, column?.index ?? null);
        cells.set(showPlace(place), { read, column });
        return place;
      }),
    );
    const loaded = await load({ name: sheet.file, documents });
    const { found, others } = findingsOfRows(loaded.diagnostics, cells);
    for (const [read, own] of found) append(problems.get(read) ?? [], own);
    const good = rows.filter(isGood);
    const isResolved = good.length === candidates.length;
    if (isResolved || !leavesOut) {
      const bad = rows.flatMap((read) => (isGood(read) ? [] : [{ read, problems: problems.get(read) ?? [] }]));
      return { good, bad, others, loaded };
    }
    candidates = good;
  }
}
