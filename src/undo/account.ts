// The live objects by id and key, and the states of a record in the same canonical form.

import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { fieldAt, FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value, type Values } from "../domain/value.ts";
import { domainOf, nameOf, type Identified, type KeyedRecord } from "../plan/names.ts";
import type { Resolved } from "../plan/resolve.ts";
import type { RecordedChange, RecordKey, Reference, Snapshot } from "../record/changes.ts";

export class Account {
  readonly #side: Resolved["side"];
  readonly #byId: ReadonlyMap<string, Live>;
  readonly #byIdentity: ReadonlyMap<string, readonly Live[]>;
  readonly #unreadable: readonly LiveRecord[];
  /** The names of the live pixels, by id. */
  readonly pixels: ReadonlyMap<number, string>;

  constructor({ live, side }: Resolved, { unreadable, pixels }: LiveState) {
    this.#side = side;
    this.#byId = new Map(live.map((one) => [`${one.kind} ${one.id}`, one]));
    this.#byIdentity = groupBy(live, ({ identity }) => identity);
    this.#unreadable = unreadable;
    this.pixels = new Map(pixels.map((record) => [record.id, nameOf(record)]));
  }

  withId(kind: ResourceKind, id: number | null): Live | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  /** The objects with a key; none for null. */
  at(kind: ResourceKind, key: RecordKey | null): readonly Live[] {
    return key === null ? [] : (this.#byIdentity.get(this.identified(kind, key).identity) ?? []);
  }

  identified(kind: ResourceKind, key: RecordKey): Identified {
    const record = keyed(kind, key);
    return { identity: this.#side.keys.identityOfRecord(record), key: this.#side.keys.keyOfRecord(record) };
  }

  /** The shown name of a domain or space; undefined if no list, link or label of the files has it. */
  shown(kind: "domain" | "space", { id }: Reference): string | undefined {
    const names = kind === "domain" ? this.#side.domains : this.#side.spaces;
    return id === null ? undefined : names.shown(id);
  }

  /** The known fields of a state. A pixel that is no longer live is identified by its name. */
  valuesOf(kind: ResourceKind, { values, references }: Snapshot): Map<string, Value> {
    const known = new Map(values);
    for (const [path, targets] of references) {
      const field = fieldAt(kind, path);
      const [target] = targets;
      if (field?.kind === "references")
        known.set(path, targets.map((pixel) => pixelIn(this.pixels, pixel)?.name ?? pixel.name).toSorted(compareText));
      else if (field?.kind === "reference")
        known.set(path, target === undefined ? null : (this.shown(field.to, target) ?? target.name));
    }
    return known;
  }

  /** Whether exactly one object has this key, and it has all these values. */
  isAsBefore(kind: ResourceKind, key: RecordKey, before: Values): boolean {
    const [live, ...others] = this.at(kind, key);
    return live !== undefined && others.length === 0 && FIELDS[kind].every(({ path }) => isSame(path, before, live));
  }

  /** Whether somebody gave an object another key than it had before or after the run. */
  hasOtherKey({ kind, was, is }: RecordedChange, { identity }: Live): boolean {
    return [was, is].every((key) => key === null || this.identified(kind, key).identity !== identity);
  }

  /** The unreadable record of a change, or with one of its keys; undefined for none. Its domain may be unknown. */
  unreadableOf({ kind, id, newId, was, is }: RecordedChange): LiveRecord | undefined {
    return this.#unreadable.find((record) => {
      if (record.kind !== kind) return false;
      if (record.id === id || record.id === newId) return true;
      return [was, is].some((key) => {
        if (key === null) return false;
        const own = { domain: domainOf(record) ?? key.domain, name: nameOf(record) };
        return this.identified(kind, own).identity === this.identified(kind, key).identity;
      });
    });
  }
}

/** Whether a live object has this value. A field that is unknown on one side is not compared. */
export function isSame(path: string, values: Values, live: Live): boolean {
  const [value, current] = [values.get(path), live.values.get(path)];
  return value === undefined || current === undefined || sameValue(value, current);
}

/** The pixel of a reference among these names by id: by its id, else by its name. */
export function pixelIn(
  names: ReadonlyMap<number, string>,
  { id, name }: Reference,
): { readonly name: string; readonly isOther: boolean } | null {
  const own = id === null ? undefined : names.get(id);
  if (own !== undefined) return { name: own, isOther: false };
  const other = [...names.values()].find((one) => fold(one) === fold(name));
  return other === undefined ? null : { name: other, isOther: id !== null };
}

function keyed(kind: ResourceKind, { domain, name }: RecordKey): KeyedRecord {
  const references = domain === null ? [] : [[REFERENCE_FIELD.domain, [{ ...domain, id: domain.id ?? 0 }]] as const];
  return { kind, values: new Map([[KEY_FIELD[kind], name]]), references: new Map(references) };
}
