// Compares the live state with a receipt: which record has an id or a key, and whether a field has changed.

import type { FieldChange } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/collections.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordKey, Pointer, Snapshot } from "../domain/receipt.ts";
import { FIELDS, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";

/** What a field holds: a canonical value, or what it refers to. */
export type Held = { readonly value: Value } | { readonly pointers: readonly Pointer[] };

/** What a snapshot or a record says of a field; undefined where nothing is known. */
export function heldAt({ values, references }: Snapshot | LiveRecord, path: string): Held | undefined {
  const [value, pointers] = [values.get(path), references.get(path)];
  if (pointers !== undefined) return { pointers };
  return value === undefined ? undefined : { value };
}

/** What a field holds by default. */
export function heldByDefault({ kind, default: value }: FieldSpec): Held {
  return kind === "reference" || kind === "references" ? { pointers: [] } : { value };
}

/** What a field holds, with names for what it refers to: for people. */
function shownValue(field: FieldSpec, held: Held): Value {
  if ("value" in held) return held.value;
  const names = held.pointers.map(({ name }) => name);
  return field.kind === "references" ? names : (names[0] ?? null);
}

/** The live records that a receipt may speak of. */
export class LiveIndex {
  readonly #byId: ReadonlyMap<string, LiveRecord>;
  readonly #byKey: ReadonlyMap<string, readonly LiveRecord[]>;
  readonly #pixelIds: ReadonlyMap<string, number>;

  constructor({ links, pixels }: Pick<LiveState, "links" | "pixels">) {
    const records = [...links, ...pixels];
    this.#byId = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    this.#byKey = groupBy(records, (record) => identityOf(record.kind, keyOf(record)));
    this.#pixelIds = new Map(pixels.map((record) => [fold(nameOf(record)), record.id]));
  }

  withId(kind: ResourceKind, id: number): LiveRecord | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  at(kind: ResourceKind, key: RecordKey): readonly LiveRecord[] {
    return this.#byKey.get(identityOf(kind, key)) ?? [];
  }

  /** Whether a field holds the same in two states. A pixel that had no id yet, or has another one by now, is told by its name. */
  same({ kind }: FieldSpec, a: Held, b: Held): boolean {
    if ("value" in a) return "value" in b && sameValue(a.value, b.value);
    if ("value" in b) return false;
    const token = ({ id, name }: Pointer): number | string =>
      kind === "references" ? this.#pixelOf({ id, name }) : (id ?? name);
    const [one, other] = [a, b].map(({ pointers }) => new Set(pointers.map(token)));
    return (
      one !== undefined && other !== undefined && one.size === other.size && [...one].every((each) => other.has(each))
    );
  }

  #pixelOf({ id, name }: Pointer): number | string {
    if (id !== null && this.#byId.has(`pixel ${id}`)) return id;
    return this.#pixelIds.get(fold(name)) ?? id ?? fold(name);
  }

  /** Whether there is one record with this key, and it has all that is known of a former object. */
  isBack(kind: ResourceKind, key: RecordKey, former: Snapshot): boolean {
    const [record, ...others] = this.at(kind, key);
    if (record === undefined || others.length > 0) return false;
    return FIELDS[kind].every((field) => {
      const [then, now] = [heldAt(former, field.path), heldAt(record, field.path)];
      return then === undefined || now === undefined || this.same(field, then, now);
    });
  }
}

/** The key that a record has now. */
export function keyOf(record: LiveRecord): RecordKey {
  return { domain: record.references.get(REFERENCE_FIELD.domain)?.[0] ?? null, name: nameOf(record) };
}

/** Equal for what the service takes for one key. */
export function identityOf(kind: ResourceKind, { domain, name }: RecordKey): string {
  return `${kind} ${domain?.id ?? domain?.name ?? ""}/${fold(name)}`;
}

/** What somebody has done to a field: as the apply left it, and as it is now. */
export function changeSince(field: FieldSpec, stored: Held, now: Held): FieldChange {
  return { path: field.path, before: shownValue(field, stored), after: shownValue(field, now) };
}

/** Whether a secret is set. */
export function isSet(held: Held | undefined): boolean {
  return held !== undefined && "value" in held && held.value === true;
}
