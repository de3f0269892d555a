// Decides which rows can be written: loads them with the project, as if each were a resource file.

import type { TreeEntry } from "../config/yaml.ts";
import { append } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Sheet } from "./csv.ts";
import type { MappedColumn } from "./mapping.ts";
import { columnOf, documentOf } from "./nodes.ts";
import { CellPlaces, findingsOfRows, type RowProblem } from "./row-problems.ts";
import { keyOf, type ReadRow } from "./rows.ts";
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
export async function resolveRows(rows: readonly ReadRow[], context: ResolveContext): Promise<ResolvedRows> {
  const problems = new Map(rows.map((read) => [read, [...read.problems]]));
  const isGood = (read: ReadRow): boolean => problems.get(read)?.length === 0;
  // Rows with errors are loaded, too, because they may have more errors.
  let candidates = rows.filter(({ name }) => name !== null);
  for (;;) {
    const cells = new CellPlaces(context);
    const documents = candidates.map((read) => {
      const placeOf = (path: string) =>
        cells.placeOf(read, columnOf(path, context.kind, context.columns)?.index ?? null);
      return documentOf(context.kind, keyOf(read), read.block, context.inherited, placeOf);
    });
    const loaded = await context.load({ name: context.sheet.file, documents });
    const { found, others } = findingsOfRows(loaded.diagnostics, cells);
    for (const [read, own] of found) append(problems.get(read) ?? [], own);
    const good = rows.filter(isGood);
    const isResolved = good.length === candidates.length;
    if (isResolved || !context.leavesOut) {
      const bad = rows.flatMap((read) => (isGood(read) ? [] : [{ read, problems: problems.get(read) ?? [] }]));
      return { good, bad, others, loaded };
    }
    candidates = good;
  }
}
