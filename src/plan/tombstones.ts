// What tombstones name: the row to delete, or that there is none.

import type { Live } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Tombstone } from "../domain/project.ts";
import { tombstoneSpent, twoRows } from "./findings.ts";
import type { LiveRecords } from "./live-records.ts";
import type { Identified } from "./names.ts";

export interface ResolvedTombstone extends Identified {
  readonly tombstone: Tombstone;
  /** The row to delete; null where nothing is left to do. */
  readonly live: Live | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes the row that a tombstone names out of `rows`. */
export function resolveTombstone(tombstone: Tombstone, identified: Identified, rows: LiveRecords): ResolvedTombstone {
  const named = rows.at(identified.identity).filter(({ id }) => tombstone.id === null || tombstone.id === id);
  const [live, ...others] = named;
  const settled = { ...identified, tombstone };
  if (live === undefined) return { ...settled, live: null, diagnostics: [tombstoneSpent(identified.key, tombstone)] };
  if (others.length > 0) {
    const problem = twoRows(identified.key, named, tombstone.place, "Say which to delete: `{ id: … }`.");
    return { ...settled, live: null, diagnostics: [problem] };
  }
  rows.take(live);
  return { ...settled, live, diagnostics: [] };
}
