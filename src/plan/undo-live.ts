// What is live now, held against what a receipt says: which row has an id or a key, and whether a field is as it was.

import type { FieldChange } from "../domain/change.ts";
import type { FieldRow } from "../domain/field.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/group.ts";
import type { LiveRow, LiveState } from "../domain/live.ts";
import type { KeyOfRow, Pointer, Snapshot } from "../domain/receipt.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value } from "../domain/value.ts";
import { nameOf } from "./names.ts";

/** What a field holds: a canonical value, or what it refers to. */
export type Held = { readonly value: Value } | { readonly pointers: readonly Pointer[] };

/** What a snapshot or a row says of a field; undefined where nothing is known. */
export function heldAt({ values, references }: Snapshot | LiveRow, path: string): Held | undefined {
  const [value, pointers] = [values.get(path), references.get(path)];
  if (pointers !== undefined) return { pointers };
  return value === undefined ? undefined : { value };
}

/** What a field holds by default. */
export function heldByDefault({ kind, default: value }: FieldRow): Held {
  return kind === "reference" || kind === "references" ? { pointers: [] } : { value };
}

/** What a field holds, with names for what it refers to: for people. */
function shownValue(row: FieldRow, held: Held): Value {
  if ("value" in held) return held.value;
  const names = held.pointers.map(({ name }) => name);
  return row.kind === "references" ? names : (names[0] ?? null);
}

/** The live rows that a receipt may speak of. */
export class LiveIndex {
  readonly #byId: ReadonlyMap<string, LiveRow>;
  readonly #byKey: ReadonlyMap<string, readonly LiveRow[]>;
  readonly #pixelIds: ReadonlyMap<string, number>;

  constructor({ links, pixels }: Pick<LiveState, "links" | "pixels">) {
    const rows = [...links, ...pixels];
    this.#byId = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
    this.#byKey = groupBy(rows, (row) => identityOf(row.kind, keyOf(row)));
    this.#pixelIds = new Map(pixels.map((row) => [fold(nameOf(row)), row.id]));
  }

  withId(kind: ResourceKind, id: number): LiveRow | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  at(kind: ResourceKind, key: KeyOfRow): readonly LiveRow[] {
    return this.#byKey.get(identityOf(kind, key)) ?? [];
  }

  /** Whether two fields hold the same. What had no id when the receipt was written is told by its name. */
  same(a: Held, b: Held): boolean {
    if ("value" in a) return "value" in b && sameValue(a.value, b.value);
    if ("value" in b) return false;
    const [one, other] = [this.#tokens(a.pointers), this.#tokens(b.pointers)];
    return one.size === other.size && [...one].every((token) => other.has(token));
  }

  #tokens(pointers: readonly Pointer[]): Set<number | string> {
    return new Set(pointers.map(({ id, name }) => id ?? this.#pixelIds.get(fold(name)) ?? fold(name)));
  }
}

/** The key that a row has now. */
export function keyOf(row: LiveRow): KeyOfRow {
  return { domain: row.references.get(REFERENCE_FIELD.domain)?.[0] ?? null, name: nameOf(row) };
}

/** Equal for what the service takes for one key. */
export function identityOf(kind: ResourceKind, { domain, name }: KeyOfRow): string {
  return `${kind} ${domain?.id ?? domain?.name ?? ""}/${fold(name)}`;
}

/** What somebody has done to a field: as the apply left it, and as it is now. */
export function changeSince(field: FieldRow, stored: Held, now: Held): FieldChange {
  return { path: field.path, before: shownValue(field, stored), after: shownValue(field, now) };
}

/** Whether a secret is set. */
export function isSet(held: Held | undefined): boolean {
  return held !== undefined && "value" in held && held.value === true;
}
