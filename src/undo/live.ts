// Compares the states in a record with live records.

import { groupBy } from "../domain/collections.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordedChange, RecordKey, Reference, Snapshot } from "../domain/run-record.ts";
import { FIELDS, KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";
import { keyOf } from "../record/changes.ts";

/** The canonical value of a field, or its references. */
export type FieldValue = { readonly value: Value } | { readonly references: readonly Reference[] };

/** A field of a snapshot or record; undefined if it is unknown. */
export function fieldValueOf(state: Snapshot | LiveRecord, path: string): FieldValue | undefined {
  const [value, references] = [state.values.get(path), state.references.get(path)];
  if (references !== undefined) return { references };
  return value === undefined ? undefined : { value };
}

export function defaultFieldValue({ kind, default: value }: FieldSpec): FieldValue {
  return kind === "reference" || kind === "references" ? { references: [] } : { value };
}

/** The canonical value; undefined for references, and if the field is unknown. */
export function plainValue(field: FieldValue | undefined): Value | undefined {
  return field !== undefined && "value" in field ? field.value : undefined;
}

/** A value for a report: references are shown by name. */
export function displayValue(field: FieldSpec, value: FieldValue): Value {
  if ("value" in value) return value.value;
  const names = value.references.map(({ name }) => name);
  return field.kind === "references" ? names : (names[0] ?? null);
}

/** The live records by id and by key. */
export class LiveRecords {
  readonly #byId: ReadonlyMap<string, LiveRecord>;
  readonly #byKey: ReadonlyMap<string, readonly LiveRecord[]>;
  readonly #pixelIds: ReadonlyMap<string, number>;

  constructor({ links, pixels }: Pick<LiveState, "links" | "pixels">) {
    const records = [...links, ...pixels];
    this.#byId = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    this.#byKey = groupBy(records, (record) => identityOf(record.kind, keyOf(record)));
    this.#pixelIds = new Map(pixels.map((record) => [fold(nameOf(record)), record.id]));
  }

  findById(kind: ResourceKind, id: number | null): LiveRecord | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  findByKey(kind: ResourceKind, key: RecordKey | null): readonly LiveRecord[] {
    return key === null ? [] : (this.#byKey.get(identityOf(kind, key)) ?? []);
  }

  /** Whether two states of a field are equal. A pixel without a live id is compared by name. */
  isSame({ kind }: FieldSpec, a: FieldValue | undefined, b: FieldValue | undefined): boolean {
    if (a === undefined || b === undefined) return a === b;
    if ("value" in a) return "value" in b && sameValue(a.value, b.value);
    if ("value" in b) return false;
    const tokenOf = (reference: Reference): number | string =>
      kind === "references" ? this.#pixelToken(reference) : (reference.id ?? reference.name);
    const [one, other] = [new Set(a.references.map(tokenOf)), new Set(b.references.map(tokenOf))];
    return one.size === other.size && [...one].every((token) => other.has(token));
  }

  #pixelToken({ id, name }: Reference): number | string {
    if (id !== null && this.#byId.has(`pixel ${id}`)) return id;
    return this.#pixelIds.get(fold(name)) ?? id ?? fold(name);
  }

  /** Whether exactly one record has this key, and it matches all known fields of the snapshot. */
  isRestored(kind: ResourceKind, key: RecordKey, snapshot: Snapshot): boolean {
    const [record, ...others] = this.findByKey(kind, key);
    if (record === undefined || others.length > 0) return false;
    return FIELDS[kind].every((field) => {
      const [previous, current] = [fieldValueOf(snapshot, field.path), fieldValueOf(record, field.path)];
      return previous === undefined || current === undefined || this.isSame(field, previous, current);
    });
  }
}

/** Whether a record has neither the key that the run left nor the one before: somebody made it another object. */
export function hasOtherKey({ kind, keyBefore, keyAfter }: RecordedChange, record: LiveRecord): boolean {
  const identity = identityOf(kind, keyOf(record));
  return [keyBefore, keyAfter].every((key) => key === null || identityOf(kind, key) !== identity);
}

/** Equal for keys that the service treats as one. */
export function identityOf(kind: ResourceKind, { domain, name }: RecordKey): string {
  return `${kind} ${domain?.id ?? domain?.name ?? ""}/${fold(name)}`;
}

/** A key as messages show it. */
export function displayKey({ domain, name }: RecordKey): string {
  return domain === null ? name : `${domain.name}/${name}`;
}

/** The required fields of an object except its key, which show whether two records are the same object. */
export function identifyingFields(kind: ResourceKind): readonly FieldSpec[] {
  return FIELDS[kind].filter((field) => field.required && field.kind !== "reference" && field.path !== KEY_FIELD[kind]);
}
