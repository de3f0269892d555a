// What is known about a link: from its declaration, from its live record, or from both after an apply.

import type { FieldSpec } from "../domain/field.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import type { Declaration } from "../domain/project.ts";
import { fieldAt } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { Fact, Facts } from "../domain/visit-facts.ts";
import { instantOf } from "../domain/zone.ts";
import { wantedValue } from "../plan/compare.ts";

/**
 * What the files say of a link, by themselves. `zone` is that of their dates; null where nobody says. Silence means the default,
 * but for what it leaves as it is live: that no file shows.
 */
export function declaredFacts(declaration: Declaration, zone: string | null, clicks: number | null): Facts {
  const { unspecified } = declaration;
  return {
    clicks,
    isZoneGuessed: zone === null,
    of: (row) => {
      const said = saidFact(declaration, row, zone);
      if (said !== null) return said;
      if (unspecified === "keep") return { isKnown: false, why: "kept" };
      return row.opens === null ? known(row.default) : { isKnown: false, why: "silent" };
    },
  };
}

/** What a row holds. */
export function liveFacts(row: LiveRecord, clicks: number | null): Facts {
  const values = valuesOf(row);
  return {
    clicks,
    isZoneGuessed: false,
    of: ({ path }) => {
      const value = values.get(path);
      return value === undefined ? unsaid(row, path) : known(value);
    },
  };
}

/** Why a row does not say what it holds in a field. */
function unsaid({ unreadable }: Pick<LiveRecord, "unreadable">, path: string): Fact {
  return { isKnown: false, why: unreadable.some((one) => one.path === path) ? "unreadable" : "not returned" };
}

/**
 * What the link will hold once the files have been applied: where they are silent, what the row has (null: there is none yet),
 * or the default. `now` is the instant of the apply.
 */
export function appliedFacts(
  declaration: Declaration,
  row: LiveRecord | null,
  { zone, now, clicks }: { readonly zone: string | null; readonly now: string; readonly clicks: number | null },
): Facts {
  const live = row && { kind: row.kind, values: valuesOf(row), clicks: row.clicks, unreadable: row.unreadable };
  const desired = { unspecified: declaration.unspecified, values: saidValues(declaration, zone) };
  return {
    clicks,
    isZoneGuessed: zone === null,
    of: (field) => {
      const said = saidFact(declaration, field, zone);
      if (said !== null) return said;
      if (live === null) return known(field.default);
      const wanted = wantedValue(field, desired, live, now);
      // Null is a value: the field is cleared.
      const value = wanted === undefined ? live.values.get(field.path) : wanted;
      return value === undefined ? unsaid(live, field.path) : known(value);
    },
  };
}

function known(value: Value): Fact {
  return { isKnown: true, value, place: null, parts: [] };
}

function saidFact(declaration: Declaration, row: FieldSpec, zone: string | null): Fact | null {
  const said = declaration.fields.get(row.path);
  if (said === undefined) return null;
  const { place, parts = [] } = said;
  return { isKnown: true, value: canonical(row, said.value, zone), place, parts };
}

/** A date in the files is wall time: it becomes an instant. */
function canonical(row: FieldSpec, value: Value, zone: string | null): Value {
  return row.kind === "instant" && typeof value === "string" ? instantOf(value, zone ?? "UTC") : value;
}

function saidValues({ kind, fields }: Declaration, zone: string | null): Values {
  return {
    has: (path) => fields.has(path),
    get: (path) => {
      const [row, value] = [fieldAt(kind, path), fields.get(path)?.value];
      return row === undefined || value === undefined ? undefined : canonical(row, value, zone);
    },
  };
}

function valuesOf({ values, references }: LiveRecord): Values {
  return {
    has: (path) => values.has(path) || references.has(path),
    get: (path) => {
      const value = values.get(path);
      return value === undefined
        ? references
            .get(path)
            ?.map(({ name }) => name)
            .toSorted(compareText)
        : value;
    },
  };
}
