// Live rows in canonical form, and which of them have a key.

import type { Live } from "../domain/change.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { fieldAt, REFERENCE_FIELD, type Referent } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { ComparisonSide } from "./names.ts";

/** A row in canonical form. Its values are named when they are asked for: most rows are never looked at closely. */
export function resolveRecord(record: LiveRecord, side: ComparisonSide): Live {
  return new ResolvedRecord(record, side);
}

class ResolvedRecord implements Live {
  readonly identity: string;
  readonly #record: LiveRecord;
  readonly #side: ComparisonSide;
  #values: Values | null = null;

  constructor(record: LiveRecord, side: ComparisonSide) {
    this.identity = side.keys.identityOfRow(record);
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
    return this.#side.keys.keyOfRow(this.#record);
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

/** What the fields of a link refer to, by their path. */
const REFERENTS: ReadonlyMap<string, Referent> = new Map(
  (["domain", "space", "pixel"] as const).map((referent) => [REFERENCE_FIELD[referent], referent]),
);

/** The very value that most declared links have, too. */
const NO_PIXELS = fieldAt("link", REFERENCE_FIELD.pixel)?.default;

class RecordValues implements Values {
  readonly #record: LiveRecord;
  readonly #side: ComparisonSide;

  constructor(record: LiveRecord, side: ComparisonSide) {
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
      return named.map(({ id, name }) => pixels.ofRow(id, name)).toSorted(compareText);
    }
    if (first === undefined) return null;
    return (referent === "domain" ? domains : spaces).shown(first.id) ?? first.name;
  }
}

/** Live rows by their key. What a tombstone has taken is nobody else's. */
export class LiveIndex {
  readonly #first = new Map<string, Live>();
  /** All rows of the keys that several have. */
  readonly #shared = new Map<string, Live[]>();
  readonly #taken = new Set<Live>();
  /** Made when it is asked for. */
  #byId: Map<number, Live> | null = null;

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

  /** The row of a key that no other row has; undefined where there is none, or more than one. */
  onlyAt(identity: string): Live | undefined {
    // Most accounts have no such keys, and most projects no tombstones.
    if (this.#shared.size > 0 || this.#taken.size > 0) {
      const [record, ...others] = this.at(identity);
      return others.length === 0 ? record : undefined;
    }
    return this.#first.get(identity);
  }

  /** The one row that a tombstone has taken from this key; undefined where none has. */
  takenAt(identity: string): Live | undefined {
    if (this.#taken.size === 0) return undefined;
    const records = this.#shared.get(identity) ?? [this.#first.get(identity)];
    return records.find((record) => record !== undefined && this.#taken.has(record));
  }

  /** The row with this id, unless a tombstone has taken it. */
  withId(id: number): Live | undefined {
    this.#byId ??= new Map(
      [...this.#first.values(), ...[...this.#shared.values()].flat()].map((record) => [record.id, record]),
    );
    const record = this.#byId.get(id);
    return record !== undefined && this.#taken.has(record) ? undefined : record;
  }

  take(record: Live): void {
    this.#taken.add(record);
  }
}
