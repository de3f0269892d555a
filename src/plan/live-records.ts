// Live rows in canonical form, and which of them have a key.

import type { Live } from "../domain/change.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { fieldAt, REFERENCE_FIELD, type Referent } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { ComparisonSide } from "./names.ts";

/** A row in canonical form. Its values are named when they are asked for: most rows are never looked at closely. */
export function resolveRecord(row: LiveRecord, side: ComparisonSide): Live {
  return new SettledRow(row, side);
}

class SettledRow implements Live {
  readonly identity: string;
  readonly #row: LiveRecord;
  readonly #side: ComparisonSide;
  #values: Values | null = null;

  constructor(row: LiveRecord, side: ComparisonSide) {
    this.identity = side.keys.identityOfRow(row);
    this.#row = row;
    this.#side = side;
  }

  get kind(): Live["kind"] {
    return this.#row.kind;
  }

  get id(): number {
    return this.#row.id;
  }

  get key(): string {
    return this.#side.keys.keyOfRow(this.#row);
  }

  get clicks(): number | null {
    return this.#row.clicks;
  }

  get updatedAt(): string | null {
    return this.#row.updatedAt;
  }

  get values(): Values {
    this.#values ??= new RowValues(this.#row, this.#side);
    return this.#values;
  }
}

/** What the fields of a link refer to, by their path. */
const REFERENTS: ReadonlyMap<string, Referent> = new Map(
  (["domain", "space", "pixel"] as const).map((referent) => [REFERENCE_FIELD[referent], referent]),
);

/** The very value that most declared links have, too. */
const NO_PIXELS = fieldAt("link", REFERENCE_FIELD.pixel)?.default;

class RowValues implements Values {
  readonly #row: LiveRecord;
  readonly #side: ComparisonSide;

  constructor(row: LiveRecord, side: ComparisonSide) {
    this.#row = row;
    this.#side = side;
  }

  has(path: string): boolean {
    return this.#row.values.has(path) || this.#row.references.has(path);
  }

  get(path: string): Value | undefined {
    const value = this.#row.values.get(path);
    if (value !== undefined) return value;
    const referent = REFERENTS.get(path);
    const named = this.#row.references.get(path);
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
export class LiveRecords {
  readonly #first = new Map<string, Live>();
  /** All rows of the keys that several have. */
  readonly #shared = new Map<string, Live[]>();
  readonly #taken = new Set<Live>();
  /** Made when it is asked for. */
  #byId: Map<number, Live> | null = null;

  constructor(rows: readonly Live[]) {
    for (const row of rows) {
      const first = this.#first.get(row.identity);
      if (first === undefined) this.#first.set(row.identity, row);
      else this.#shared.set(row.identity, [...(this.#shared.get(row.identity) ?? [first]), row]);
    }
  }

  at(identity: string): readonly Live[] {
    const first = this.#first.get(identity);
    const rows = this.#shared.get(identity) ?? (first === undefined ? [] : [first]);
    return rows.filter((row) => !this.#taken.has(row));
  }

  /** The row of a key that no other row has; undefined where there is none, or more than one. */
  onlyAt(identity: string): Live | undefined {
    // Most accounts have no such keys, and most projects no tombstones.
    if (this.#shared.size > 0 || this.#taken.size > 0) {
      const [row, ...others] = this.at(identity);
      return others.length === 0 ? row : undefined;
    }
    return this.#first.get(identity);
  }

  /** The one row that a tombstone has taken from this key; undefined where none has. */
  takenAt(identity: string): Live | undefined {
    if (this.#taken.size === 0) return undefined;
    const rows = this.#shared.get(identity) ?? [this.#first.get(identity)];
    return rows.find((row) => row !== undefined && this.#taken.has(row));
  }

  /** The row with this id, unless a tombstone has taken it. */
  withId(id: number): Live | undefined {
    this.#byId ??= new Map([...this.#first.values(), ...[...this.#shared.values()].flat()].map((row) => [row.id, row]));
    const row = this.#byId.get(id);
    return row !== undefined && this.#taken.has(row) ? undefined : row;
  }

  take(row: Live): void {
    this.#taken.add(row);
  }
}
