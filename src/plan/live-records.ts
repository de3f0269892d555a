// Live records in canonical form, and an index of them.

import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import type { LiveRecord } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { fieldAt, REFERENCE_FIELD } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { AccountNames } from "./names.ts";

/** Converts a record to canonical form. References are resolved lazily, because most of them are never read. */
export function resolveRecord(record: LiveRecord, side: AccountNames): Live {
  const { kind, id, clicks, updatedAt } = record;
  return { kind, id, ...side.keys.ofRecord(record), clicks, updatedAt, values: new RecordValues(record, side) };
}

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
    const named = this.#record.references.get(path);
    if (named === undefined) return undefined;
    const { pixels, domains, spaces } = this.#side;
    const [first] = named;
    if (path === REFERENCE_FIELD.pixel) {
      if (first === undefined) return NO_PIXELS;
      return named.map(({ id, name }) => pixels.ofRecord(id, name)).toSorted(compareText);
    }
    if (first === undefined) return null;
    return (path === REFERENCE_FIELD.domain ? domains : spaces).shown(first.id) ?? first.name;
  }
}

/** Live objects by key. An object that a tombstone takes is no longer found. */
export class LiveIndex {
  readonly #byIdentity: Map<string, readonly Live[]>;
  readonly #taken = new Map<string, Live>();

  constructor(records: readonly Live[]) {
    this.#byIdentity = groupBy(records, ({ identity }) => identity);
  }

  at(identity: string): readonly Live[] {
    return this.#byIdentity.get(identity) ?? [];
  }

  /** An object of this key that a tombstone has taken; undefined for none. */
  takenAt(identity: string): Live | undefined {
    return this.#taken.get(identity);
  }

  take(record: Live): void {
    const { identity } = record;
    this.#taken.set(identity, record);
    const others = this.at(identity).filter((one) => one !== record);
    this.#byIdentity.set(identity, others);
  }
}
