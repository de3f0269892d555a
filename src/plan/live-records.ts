// Live records in canonical form, and an index of them.

import type { Live } from "../domain/change.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { fieldAt, REFERENCE_FIELD, type Referent } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { AccountNames } from "./names.ts";

/** Converts a record to canonical form. References are resolved lazily, because most of them are never read. */
export function resolveRecord(record: LiveRecord, side: AccountNames): Live {
  return new ResolvedRecord(record, side);
}

class ResolvedRecord implements Live {
  readonly identity: string;
  readonly #record: LiveRecord;
  readonly #side: AccountNames;
  #values: Values | null = null;

  constructor(record: LiveRecord, side: AccountNames) {
    this.identity = side.keys.identityOfRecord(record);
    this.#record = record;
    this.#side = side;
  }

  get kind(): Live["kind"] {
    return this.#record.kind;
  }

  get id(): number {
    return this.#record.id;
  }

  get key(): string {
    return this.#side.keys.keyOfRecord(this.#record);
  }

  get clicks(): number | null {
    return this.#record.clicks;
  }

  get updatedAt(): string | null {
    return this.#record.updatedAt;
  }

  get values(): Values {
    this.#values ??= new RecordValues(this.#record, this.#side);
    return this.#values;
  }
}

/** The kinds of references of a link, by path. */
const REFERENTS: ReadonlyMap<string, Referent> = new Map(
  (["domain", "space", "pixel"] as const).map((referent) => [REFERENCE_FIELD[referent], referent]),
);

/** The same array as in most declared links, so that comparing is fast. */
const NO_PIXELS = fieldAt("link", REFERENCE_FIELD.pixel)?.default;

/** The fields of a record in canonical form. */
export class RecordValues implements Values {
  readonly #record: Pick<LiveRecord, "values" | "references">;
  readonly #side: AccountNames;

  constructor(record: Pick<LiveRecord, "values" | "references">, side: AccountNames) {
    this.#record = record;
    this.#side = side;
  }

  has(path: string): boolean {
    return this.#record.values.has(path) || this.#record.references.has(path);
  }

  get(path: string): Value | undefined {
    const value = this.#record.values.get(path);
    if (value !== undefined) return value;
    const referent = REFERENTS.get(path);
    const named = this.#record.references.get(path);
    if (referent === undefined || named === undefined) return undefined;
    const { pixels, domains, spaces } = this.#side;
    const [first] = named;
    if (referent === "pixel") {
      if (first === undefined) return NO_PIXELS;
      return named.map(({ id, name }) => pixels.ofRecord(id, name)).toSorted(compareText);
    }
    if (first === undefined) return null;
    return (referent === "domain" ? domains : spaces).shown(first.id) ?? first.name;
  }
}

/** Live objects by key. An object that a tombstone takes is no longer found. */
export class LiveIndex {
  readonly #first = new Map<string, Live>();
  /** The objects of keys that several have. */
  readonly #shared = new Map<string, Live[]>();
  readonly #taken = new Set<Live>();

  constructor(records: readonly Live[]) {
    for (const record of records) {
      const first = this.#first.get(record.identity);
      if (first === undefined) this.#first.set(record.identity, record);
      else this.#shared.set(record.identity, [...(this.#shared.get(record.identity) ?? [first]), record]);
    }
  }

  at(identity: string): readonly Live[] {
    const first = this.#first.get(identity);
    const records = this.#shared.get(identity) ?? (first === undefined ? [] : [first]);
    return records.filter((record) => !this.#taken.has(record));
  }

  /** The only object with a key; undefined if there is none, or more than one. */
  onlyAt(identity: string): Live | undefined {
    // A fast path for accounts without shared keys and projects without tombstones.
    if (this.#shared.size > 0 || this.#taken.size > 0) {
      const [record, ...others] = this.at(identity);
      return others.length === 0 ? record : undefined;
    }
    return this.#first.get(identity);
  }

  /** The object of this key that a tombstone has taken; undefined for none. */
  takenAt(identity: string): Live | undefined {
    if (this.#taken.size === 0) return undefined;
    const records = this.#shared.get(identity) ?? [this.#first.get(identity)];
    return records.find((record) => record !== undefined && this.#taken.has(record));
  }

  take(record: Live): void {
    this.#taken.add(record);
  }
}
