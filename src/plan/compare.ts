// The differences between a declared object and a live one. A missing field never opens a link.

import type { Desired, FieldChange, Live } from "../domain/change.ts";
import type { FieldSpec, Opens } from "../domain/field.ts";
import { expiryOf } from "../domain/status.ts";
import { blockFields, eachKind, FIELDS } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";

/** An undeclared field that keeps its live value, because the default would open it. */
export interface KeptValue {
  readonly path: string;
  readonly opens: Opens;
}

export interface Comparison {
  readonly fields: readonly FieldChange[];
  readonly kept: readonly KeptValue[];
  /** Paths that the service does not return. */
  readonly unknown: readonly string[];
  /** The number of secrets that both sides have. Their values cannot be compared. */
  readonly secretsCompared: number;
}

/** The compared facts of a field as objects of one shape, which the engine reads faster than the ten kinds of specs. */
interface ComparedField {
  readonly path: string;
  readonly unset: Value;
  readonly field: FieldSpec;
}

const COMPARED_FIELDS = eachKind((kind) =>
  FIELDS[kind].map((field): ComparedField => ({ path: field.path, unset: field.default, field })),
);

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

/** A fast filter: leaves out fields that clearly have their declared or default value. For most links, none are left. */
function doubtfulFields({ kind, values }: Desired, live: Live): readonly ComparedField[] {
  const there = live.values;
  let doubtful = NONE;
  for (const field of COMPARED_FIELDS[kind]) {
    const before = there.get(field.path);
    const declared = values.get(field.path);
    if (before !== (declared === undefined ? field.unset : declared) || before === true)
      doubtful = doubtful.concat(field);
  }
  return doubtful;
}

const NONE: readonly ComparedField[] = [];
const NOTHING: Comparison = { fields: [], kept: [], unknown: [], secretsCompared: 0 };

/** Field changes that send the secrets of this object again. */
export function resentSecrets({ kind, secrets }: Desired, live: Live): FieldChange[] {
  const sent = FIELDS[kind].filter(({ path }) => secrets.has(path) && live.values.get(path) === true);
  return sent.map(({ path }) => ({ path, before: true, after: true }));
}

type DeclaredSide = Pick<Desired, "values" | "unspecified">;
type LiveSide = Pick<Live, "kind" | "values" | "clicks">;

/** The new value of a field; undefined if it keeps its live value. */
export function wantedValue(field: FieldSpec, desired: DeclaredSide, live: LiveSide, now: string): Value | undefined {
  const declared = desired.values.get(field.path);
  return declared === undefined ? undeclaredValue(field, desired, live, live.values.get(field.path), now) : declared;
}

/** The new value of an undeclared field with the live value `before`; undefined to keep it. */
function undeclaredValue(
  field: FieldSpec,
  desired: DeclaredSide,
  live: LiveSide,
  before: Value | undefined,
  now: string,
): Value | undefined {
  if (desired.unspecified === "keep") return undefined;
  // Whether the default of a field would show or revive something that its live value, which differs, hides.
  const hides = ({ when }: Opens, value: Value | undefined): boolean =>
    when === "expired" ? willHaveExpired(desired, live, now) : value !== undefined;
  if (field.opens !== null) return hides(field.opens, before) ? undefined : field.default;
  // If an undeclared group, such as `expiration`, keeps one field, it keeps all of them.
  const prefix = `${field.path.split(".")[0]}.`;
  const group = FIELDS[live.kind].filter(({ path }) => path.startsWith(prefix));
  const isLeft =
    group.every(({ path }) => !desired.values.has(path)) &&
    group.some(({ path, opens }) => opens !== null && hides(opens, live.values.get(path)));
  return isLeft ? undefined : field.default;
}

/**
 * Whether the link will have expired, or may have, once it has what the files declare and keeps the rest. It is judged on the new
 * state, so that a second plan comes to the same result.
 */
function willHaveExpired(desired: DeclaredSide, live: LiveSide, now: string): boolean {
  const get = (path: string): Value | undefined => (desired.values.has(path) ? desired.values : live.values).get(path);
  return expiryOf({ values: { get }, clicks: live.clicks }, now) !== "not expired";
}

/** The fields that a new object is stored with: those that differ from the default (docs/service.md, "Limited plans"). */
export function storedFields(desired: Desired): FieldChange[] {
  return FIELDS[desired.kind].flatMap(({ path, default: unset }) => {
    const after = desired.values.get(path);
    return after === undefined || sameValue(after, unset) ? [] : [{ path, before: undefined, after }];
  });
}

/** Whether a record is the same object, by the required fields: the destination of a link, or the type and value of a pixel. */
export function isSameObject({ kind, values }: Pick<Desired, "kind" | "values">, live: Live): boolean {
  return IDENTIFYING[kind].every((path) => {
    const declared = values.get(path);
    return declared !== undefined && declared === live.values.get(path);
  });
}

/** Equal for objects that may be the same, to group them before they are compared. */
export function objectKey({ kind, values }: Desired | Live): string {
  return JSON.stringify([kind, ...IDENTIFYING[kind].map((path) => values.get(path))]);
}

const IDENTIFYING = eachKind((kind) =>
  blockFields(kind).flatMap(({ path, required, kind: form }) => (required && form !== "reference" ? [path] : [])),
);

/** Whether an update can turn a record into this object: its fixed fields are the same. */
export function canBecome(live: Live, desired: Desired): boolean {
  return FIELDS[desired.kind].every(
    ({ path, updatable }) => updatable || live.values.get(path) === desired.values.get(path),
  );
}
