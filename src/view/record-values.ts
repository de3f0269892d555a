// A live object in the words of the files, field by field.

import type { Live, Zones } from "../domain/change.ts";
import { FIELDS, pathsOf } from "../domain/table.ts";
import { wordChanges, type Word } from "./values.ts";

/** The value of every field by its path, in the order of the field table; `unknown` stands for what the service does not say. */
export function liveWords({ kind, values }: Pick<Live, "kind" | "values">, zones: Zones): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  for (const row of FIELDS[kind]) {
    const value = values.get(row.path);
    for (const path of pathsOf(row)) words.set(path, value === undefined ? { unknown: true } : null);
    if (value === undefined) continue;
    for (const { path, after } of wordChanges(kind, { path: row.path, before: undefined, after: value }, zones, false))
      words.set(path, after);
  }
  return words;
}
