// The live objects by id and key, and the states of a record in the same canonical form.

import type { Live, UnreadableLive } from "../domain/change.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value, type Values } from "../domain/value.ts";
import { LiveIndex, RecordValues } from "../plan/live-records.ts";
import type { Identified, KeyedRecord } from "../plan/names.ts";
import type { Resolved } from "../plan/resolve.ts";
import type { RecordedChange, RecordKey, Reference, Snapshot } from "../record/changes.ts";

export class Account {
  readonly #side: Resolved["side"];
  readonly #byId: ReadonlyMap<string, Live>;
  readonly #byIdentity: LiveIndex;
  readonly #unreadable: readonly UnreadableLive[];

  constructor({ live, side, unreadable }: Resolved) {
    this.#side = side;
    this.#byId = new Map(live.map((one) => [`${one.kind} ${one.id}`, one]));
    this.#byIdentity = new LiveIndex(live);
    this.#unreadable = unreadable;
  }

  withId(kind: ResourceKind, id: number | null): Live | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  /** The objects with a key; none for null. */
  at(kind: ResourceKind, key: RecordKey | null): readonly Live[] {
    return key === null ? [] : this.#byIdentity.at(this.identified(kind, key).identity);
  }

  identified(kind: ResourceKind, key: RecordKey): Identified {
    return this.#side.keys.ofRecord(keyed(kind, key));
  }

  /** The shown name of a domain or space; undefined if no list, link or label of the files has it. */
  shown(kind: "domain" | "space", { id }: Reference): string | undefined {
    const names = kind === "domain" ? this.#side.domains : this.#side.spaces;
    return id === null ? undefined : names.shown(id);
  }

  /** The known fields of a state. */
  valuesOf(kind: ResourceKind, state: Snapshot): Map<string, Value> {
    const values = new RecordValues(state, this.#side);
    return new Map(
      FIELDS[kind].flatMap(({ path }) => {
        const value = values.get(path);
        return value === undefined ? [] : [[path, value] as const];
      }),
    );
  }

  /** Whether exactly one object has this key, and it has all these values. */
  isAsBefore(kind: ResourceKind, key: RecordKey, before: Values): boolean {
    const [live, ...others] = this.at(kind, key);
    return live !== undefined && others.length === 0 && FIELDS[kind].every(({ path }) => hasValue(path, before, live));
  }

  /** Whether somebody gave an object another key than it had before or after the run. */
  hasOtherKey({ kind, was, is }: RecordedChange, { identity }: Live): boolean {
    return [was, is].every((key) => key === null || this.identified(kind, key).identity !== identity);
  }

  /** The unreadable record of a change, or with one of its keys; undefined for none. */
  unreadableOf(change: RecordedChange): UnreadableLive | undefined {
    return this.#unreadable.find((live) => {
      const isOwn = live.id === change.id || live.id === change.newId || !this.hasOtherKey(change, live);
      return live.kind === change.kind && isOwn;
    });
  }
}

/** Whether a live object has this value. A field that is unknown on one side is not compared. */
export function hasValue(path: string, values: Values, live: Live): boolean {
  const [value, current] = [values.get(path), live.values.get(path)];
  return value === undefined || current === undefined || sameValue(value, current);
}

function keyed(kind: ResourceKind, { domain, name }: RecordKey): KeyedRecord {
  const references = domain === null ? [] : [[REFERENCE_FIELD.domain, [{ ...domain, id: domain.id ?? 0 }]] as const];
  return { kind, values: new Map([[KEY_FIELD[kind], name]]), references: new Map(references) };
}
