// What defaults give, in canonical form: what silence means at a place of the files.

import type { Declared } from "../domain/project.ts";
import { fieldAt } from "../domain/table.ts";
import type { EffectiveDefaults, Value } from "../domain/value.ts";
import { resolveValue } from "./resolve.ts";
import type { ComparisonSide } from "./side.ts";

/**
 * Settles what defaults give (`given` of a document) against the account that `side` knows (`Settled.side`): references to
 * shown names, dates to instants. What can't be settled is undefined: something is given, and nobody knows what. It is no
 * finding either, for links that use it have been told.
 */
export function resolveDefaults(given: ReadonlyMap<string, Declared>, side: ComparisonSide): EffectiveDefaults {
  return new Map([...given].map(([path, declared]) => [path, settleOne(path, declared, side)]));
}

function settleOne(path: string, declared: Declared, side: ComparisonSide): Value | undefined {
  const row = fieldAt("link", path);
  const { value, place } = declared;
  // The time of a date has a path and no row of its own.
  if (row === undefined) return value;
  if (row.kind === "reference" && typeof value === "string") {
    const names = row.to === "domain" ? side.domains : side.spaces;
    const id = names.idOfUnused({ text: value, place });
    return id === undefined ? undefined : names.shown(id);
  }
  const diagnostics: ComparisonSide["diagnostics"] = [];
  const settled = resolveValue({ domain: null, name: "" }, row, declared, { ...side, diagnostics });
  return diagnostics.length === 0 ? settled : undefined;
}
