// What differs between a declared object and a live one, field by field, and what silence means (promise 4).

import type { Desired, FieldChange, Live } from "../domain/change.ts";
import type { FieldSpec, Opens } from "../domain/field.ts";
import { expiryOf } from "../domain/status.ts";
import { FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";

/** A field that silence leaves as it is, and what opening it takes. */
export interface KeptValue {
  readonly path: string;
  readonly opens: Opens;
}

export interface Comparison {
  readonly fields: readonly FieldChange[];
  /** What is left as it is although the files are silent, because the default would open it. */
  readonly kept: readonly KeptValue[];
  /** Paths that the service does not return. */
  readonly unknown: readonly string[];
  /** Secrets that both sides have: whether they are the same can't be seen. */
  readonly secretsCompared: number;
}

/** What is looked at for every field of every object, in objects of one form: rows of the table have as many as kinds. */
interface ComparedField {
  readonly path: string;
  readonly unset: Value;
  readonly field: FieldSpec;
}

const comparedFields = (kind: ResourceKind): readonly ComparedField[] =>
  FIELDS[kind].map((field) => ({ path: field.path, unset: field.default, field }));
const COMPARED_FIELDS: Readonly<Record<ResourceKind, readonly ComparedField[]>> = {
  link: comparedFields("link"),
  pixel: comparedFields("pixel"),
};

/** Compares a declared object with the live one that has its key. `now` is an instant in canonical form. */
export function compare(desired: Desired, live: Live, now: string): Comparison {
  const doubtful = doubtfulFields(desired, live);
  if (doubtful.length === 0) return NOTHING;
  const fields: FieldChange[] = [];
  const kept: KeptValue[] = [];
  const unknown: string[] = [];
  let secretsCompared = 0;
  for (const { path, field } of doubtful) {
    const before = live.values.get(path);
    const declared = desired.values.get(path);
    const after = declared === undefined ? undeclaredValue(field, desired, live, before, now) : declared;
    if (after === undefined) {
      const closed = desired.unspecified === "keep" ? null : field.opens;
      if (closed !== null) kept.push({ path, opens: closed });
    } else if (before === undefined) {
      unknown.push(path);
    } else if (!sameValue(before, after)) {
      fields.push({ path, before, after });
    } else if (field.kind === "secret" && before === true) {
      secretsCompared += 1;
    }
  }
  return { fields, kept, unknown, secretsCompared };
}

/** All but those that are plainly as declared, or as they are by default: of most links that leaves none. */
function doubtfulFields({ kind, values }: Desired, live: Live): readonly ComparedField[] {
  const there = live.values;
  let doubtful = NONE;
  for (const field of COMPARED_FIELDS[kind]) {
    const before = there.get(field.path);
    const declared = values.get(field.path);
    if (before !== undefined && before === (declared === undefined ? field.unset : declared) && before !== true)
      continue;
    doubtful = doubtful.concat(field);
  }
  return doubtful;
}

const NONE: readonly ComparedField[] = [];
const NOTHING: Comparison = { fields: [], kept: [], unknown: [], secretsCompared: 0 };

/** The secrets of this object that are the same by presence, as fields that send them once more. */
export function resentSecrets({ kind, values, secrets }: Desired, live: Live): FieldChange[] {
  return FIELDS[kind].flatMap(({ kind: fieldKind, path }) => {
    if (fieldKind !== "secret" || !secrets.has(path)) return [];
    return values.get(path) === true && live.values.get(path) === true ? [{ path, before: true, after: true }] : [];
  });
}

/** What of the two sides decides about silence. */
type DeclaredSide = Pick<Desired, "values" | "unspecified">;
type LiveSide = Pick<Live, "kind" | "values" | "clicks">;

/** What a field is to become; undefined where it is left alone: the files are silent, and keep it or would open it. */
export function wantedValue(field: FieldSpec, desired: DeclaredSide, live: LiveSide, now: string): Value | undefined {
  const declared = desired.values.get(field.path);
  return declared === undefined ? undeclaredValue(field, desired, live, live.values.get(field.path), now) : declared;
}

/** What becomes of a field that the files are silent about; its live value is `before`. */
function undeclaredValue(
  field: FieldSpec,
  desired: DeclaredSide,
  live: LiveSide,
  before: Value | undefined,
  now: string,
): Value | undefined {
  if (desired.unspecified === "keep") return undefined;
  const isOver = (): boolean => willHaveExpired(desired, live, now);
  if (field.opens !== null) return hides(field.opens, field.default, before, isOver) ? undefined : field.default;
  // Files that say nothing of a group leave all of it as it is, if they leave any of it.
  const group = HIDING_GROUPS[live.kind].get(field.path) ?? [];
  const isLeft =
    group.every(({ path }) => !desired.values.has(path)) &&
    group.some(
      ({ path, opens, default: unset }) => opens !== null && hides(opens, unset, live.values.get(path), isOver),
    );
  return isLeft ? undefined : field.default;
}

/** By path of a field that opens nothing, all fields of its group, where others of the group open something. */
const hidingGroups = (kind: ResourceKind): ReadonlyMap<string, readonly FieldSpec[]> =>
  new Map(
    FIELDS[kind].flatMap(({ path, opens }) => {
      const [group = "", member] = path.split(".");
      const rows = FIELDS[kind].filter((field) => field.path.startsWith(`${group}.`));
      const isOne = member !== undefined && opens === null && rows.some((field) => field.opens !== null);
      return isOne ? [[path, rows] as const] : [];
    }),
  );
const HIDING_GROUPS: Readonly<Record<ResourceKind, ReadonlyMap<string, readonly FieldSpec[]>>> = {
  link: hidingGroups("link"),
  pixel: hidingGroups("pixel"),
};

/** Whether the live value of a field hides something that its default would show or revive. */
function hides(opens: Opens, unset: Value, before: Value | undefined, isOver: () => boolean): boolean {
  if (before !== undefined && sameValue(before, unset)) return false;
  return opens.when === "expired" ? isOver() : before !== undefined;
}

/**
 * Whether the link will have expired, or may have, once it has what the files declare and keeps the rest. It is judged on the new
 * state, so that a second plan comes to the same result.
 */
function willHaveExpired(desired: DeclaredSide, live: LiveSide, now: string): boolean {
  const get = (path: string): Value | undefined => (desired.values.has(path) ? desired.values : live.values).get(path);
  return expiryOf({ values: { get }, clicks: live.clicks }, now) !== "not expired";
}

/** The fields that a new row is stored with: what differs from the default (docs/service.md, "Limited plans"). */
export function storedFields(desired: Desired): FieldChange[] {
  return FIELDS[desired.kind].flatMap((field) => {
    const after = desired.values.get(field.path);
    return after === undefined || sameValue(after, field.default)
      ? []
      : [{ path: field.path, before: undefined, after }];
  });
}

/**
 * Whether a row with this object's key was stored for it: what every new row must have besides its key tells, a link's
 * destination or a pixel's type and value.
 */
export function isSameObject({ kind, values }: Desired, live: Live): boolean {
  return IDENTIFYING[kind].every((path) => {
    const [declared, there] = [values.get(path), live.values.get(path)];
    return declared !== undefined && there !== undefined && sameValue(declared, there);
  });
}

/** Equal for objects that may be the same, so that not each must be held against each. */
export function objectKey({ kind, values }: Desired | Live): string {
  return JSON.stringify([kind, ...IDENTIFYING[kind].map((path) => values.get(path))]);
}

const identifying = (kind: ResourceKind): readonly string[] =>
  FIELDS[kind].flatMap(({ path, required, kind: fieldKind }) =>
    required && fieldKind !== "reference" && path !== KEY_FIELD[kind] ? [path] : [],
  );
const IDENTIFYING: Readonly<Record<ResourceKind, readonly string[]>> = {
  link: identifying("link"),
  pixel: identifying("pixel"),
};

/** Whether a row can become this object by an update: fields that the service never changes are the same. */
export function canBecome(live: Live, desired: Desired): boolean {
  return FIELDS[desired.kind].every(
    ({ path, updatable }) => updatable || live.values.get(path) === desired.values.get(path),
  );
}
