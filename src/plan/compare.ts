// What differs between a declared object and a live one, field by field, and what silence means (promise 4).

import type { Desired, FieldChange, Live } from "../domain/change.ts";
import type { FieldRow, Opens } from "../domain/field.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";

export interface Comparison {
  readonly fields: readonly FieldChange[];
  /** What is left as it is although the files are silent, because the default would open it. */
  readonly kept: readonly Opens[];
  /** Paths that the service does not return. */
  readonly unknown: readonly string[];
  /** Secrets that both sides have: whether they are the same can't be seen. */
  readonly secretsCompared: number;
}

/** What a field is to become: a value, or nothing because it is left alone. */
type Wanted = { readonly value: Value } | { readonly left: Opens | null };

/** Compares a declared object with the live one that has its key. `now` is an instant in canonical form. */
export function compare(desired: Desired, live: Live, now: string): Comparison {
  const fields: FieldChange[] = [];
  const kept: Opens[] = [];
  const unknown: string[] = [];
  let secretsCompared = 0;
  for (const row of FIELDS[desired.kind]) {
    const before = live.values.get(row.path);
    const wanted = wantedValue(row, desired, live, now);
    if ("left" in wanted) {
      if (wanted.left !== null && !kept.some(({ line }) => line === wanted.left?.line)) kept.push(wanted.left);
    } else if (before === undefined) {
      unknown.push(row.path);
    } else if (!sameValue(before, wanted.value)) {
      fields.push({ path: row.path, before, after: wanted.value });
    } else if (row.kind === "secret" && before === true) {
      secretsCompared += 1;
    }
  }
  return { fields, kept, unknown, secretsCompared };
}

function wantedValue(row: FieldRow, desired: Desired, live: Live, now: string): Wanted {
  const value = desired.values.get(row.path);
  if (value !== undefined) return { value };
  if (desired.unspecified === "keep") return { left: null };
  return hides(row, desired, live, now) ? { left: row.opens } : { value: row.default };
}

/** Whether the live value of this field hides something that its default would show or revive. */
function hides(row: FieldRow, desired: Desired, live: Live, now: string): boolean {
  if (row.opens === null) return false;
  if (row.opens.when === "expired") return isExpired(desired, live, now);
  const value = live.values.get(row.path);
  return value !== undefined && !sameValue(value, row.default);
}

/**
 * Whether the link will have expired once it has what the file says, and keeps the rest: by date or by clicks; where
 * clicks are limited and not known, it may have. Judged on what is to be, so that a second plan sees it the same way.
 */
function isExpired(desired: Desired, live: Live, now: string): boolean {
  return FIELDS[live.kind].some((row) => {
    if (row.opens?.when !== "expired") return false;
    const value = desired.values.has(row.path) ? desired.values.get(row.path) : live.values.get(row.path);
    if (row.kind === "instant") return typeof value === "string" && value <= now;
    return row.kind === "count" && typeof value === "number" && (live.clicks === null || live.clicks >= value);
  });
}

/** The fields that a new row is stored with: what differs from the default (observed.md: a default may be refused). */
export function storedFields(desired: Desired): FieldChange[] {
  return FIELDS[desired.kind].flatMap((row) => {
    const after = desired.values.get(row.path);
    return after === undefined || sameValue(after, row.default) ? [] : [{ path: row.path, before: undefined, after }];
  });
}

/**
 * Whether a row with this object's key was stored for it: what every new row must have besides its key tells, a link's
 * destination or a pixel's type and value.
 */
export function isSameObject({ kind, values }: Desired, live: Live): boolean {
  return FIELDS[kind].every(({ path, required, kind: fieldKind }) => {
    if (!required || fieldKind === "reference" || path === KEY_FIELD[kind]) return true;
    const [declared, there] = [values.get(path), live.values.get(path)];
    return declared !== undefined && there !== undefined && sameValue(declared, there);
  });
}
