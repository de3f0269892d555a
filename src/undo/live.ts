// Compares the live state with a receipt: which record has an id or a key, and whether a field has changed.

import type { FieldChange } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordKey, Reference, Snapshot } from "../domain/receipt.ts";
import { FIELDS, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { nameOf } from "../plan/names.ts";

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

/** Whether a secret is set. */
export function isSet(secret: FieldValue | undefined): boolean {
  return plainValue(secret) === true;
}

/** A value for a report: references are shown by name. */
function displayValue(field: FieldSpec, value: FieldValue): Value {
  if ("value" in value) return value.value;
  const names = value.references.map(({ name }) => name);
  return field.kind === "references" ? names : (names[0] ?? null);
}

/** How someone changed a field after the apply. */
export function fieldChangeSince(field: FieldSpec, applied: FieldValue, current: FieldValue): FieldChange {
  return { path: field.path, before: displayValue(field, applied), after: displayValue(field, current) };
}

/** The live records by id and by key. */
export class ReceiptRecords {
  readonly #byId: ReadonlyMap<string, LiveRecord>;
  readonly #byKey: ReadonlyMap<string, readonly LiveRecord[]>;
  readonly #pixelIds: ReadonlyMap<string, number>;

  constructor({ links, pixels }: Pick<LiveState, "links" | "pixels">) {
    const records = [...links, ...pixels];
    this.#byId = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    this.#byKey = groupBy(records, (record) => identityOf(record.kind, keyOf(record)));
    this.#pixelIds = new Map(pixels.map((record) => [fold(nameOf(record)), record.id]));
  }

  findById(kind: ResourceKind, id: number): LiveRecord | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  findByKey(kind: ResourceKind, key: RecordKey): readonly LiveRecord[] {
    return this.#byKey.get(identityOf(kind, key)) ?? [];
  }

  /** Whether two states of a field are equal. A pixel without a live id is compared by name. */
  isSame({ kind }: FieldSpec, a: FieldValue, b: FieldValue): boolean {
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

/** The key of a live record. */
export function keyOf(record: LiveRecord): RecordKey {
  return { domain: record.references.get(REFERENCE_FIELD.domain)?.[0] ?? null, name: nameOf(record) };
}

/** Equal for keys that the service treats as one. */
export function identityOf(kind: ResourceKind, { domain, name }: RecordKey): string {
  return `${kind} ${domain?.id ?? domain?.name ?? ""}/${fold(name)}`;
}

/** A key as messages show it. */
export function displayKey({ domain, name }: RecordKey): string {
  return domain === null ? name : `${domain.name}/${name}`;
}
