// The canonical form of a value. Files and live records are both converted to it, so that comparing has no special cases.

/**
 * By kind of field:
 * text `string | null` · secret `boolean` (is one set?) · flag `boolean` · count `number | null` · word `string` ·
 * reference `string | null` (the shown name) · references sorted `string[]` · instant `string | null` (UTC,
 * `2027-03-31T21:59:00Z`) · map pairs sorted by key · list `string[]` in order.
 */
export type Value = string | number | boolean | null | readonly string[] | readonly Pair[];

/** A key of a target group and its destination. */
export type Pair = readonly [key: string, value: string];

/** The items of a list of texts; none of another value. */
export function textsOf(value: Value): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The pairs of a map; none of another value. */
export function pairsOf(value: Value): Pair[] {
  return Array.isArray(value) ? value.filter((item): item is Pair => typeof item !== "string") : [];
}

/** Canonical values by path, of known or declared fields only. */
export interface ValueLookup {
  get(path: string): Value | undefined;
}

export interface Values extends ValueLookup {
  has(path: string): boolean;
}

/**
 * The `defaults` that apply to links at a place of the files: canonical values by path, and the default time of dates by its `timePath`.
 * Undefined if the value cannot be resolved.
 */
export type EffectiveDefaults = ReadonlyMap<string, Value | undefined>;

export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, index) => sameValue(item, b[index] ?? null));
}
