// The live objects by id and key, and the states of a record in the same canonical form.

import type { Live } from "../domain/change.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { sameValue, type Value, type Values } from "../domain/value.ts";
import { LiveIndex, RecordValues } from "../plan/live-records.ts";
import type { Identified } from "../plan/names.ts";
import type { Resolved } from "../plan/resolve.ts";
import type { RecordedChange, RecordKey, Reference, Snapshot } from "../record/changes.ts";

export class Account {
  readonly resolved: Resolved;
  readonly #byId: ReadonlyMap<string, Live>;
  readonly #byIdentity: LiveIndex;

  constructor(resolved: Resolved) {
    const { live } = resolved;
    this.resolved = resolved;
    this.#byId = new Map(live.map((one) => [`${one.kind} ${one.id}`, one]));
    this.#byIdentity = new LiveIndex(live);
  }

  withId(kind: ResourceKind, id: number | null): Live | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  at(key: Identified | null): readonly Live[] {
    return key === null ? [] : this.#byIdentity.at(key.identity);
  }

  keysOf({ kind, was, is }: RecordedChange): readonly [was: Identified | null, is: Identified | null] {
    const identified = ({ domain, name }: RecordKey): Identified => {
      const references =
        domain === null ? [] : [[REFERENCE_FIELD.domain, [{ ...domain, id: domain.id ?? 0 }]] as const];
      const values = new Map([[KEY_FIELD[kind], name]]);
      return this.resolved.side.keys.ofRecord({ kind, values, references: new Map(references) });
    };
    return [was && identified(was), is && identified(is)];
  }

  /** The shown name of a domain or space; undefined if no list, link or label of the files has it. */
  shown(kind: "domain" | "space", { id }: Reference): string | undefined {
    const { domains, spaces } = this.resolved.side;
    return id === null ? undefined : (kind === "domain" ? domains : spaces).shown(id);
  }

  valuesOf(kind: ResourceKind, state: Snapshot | null): ReadonlyMap<string, Value> {
    const values = state && new RecordValues(state, this.resolved.side);
    return new Map(
      FIELDS[kind].flatMap(({ path }) => {
        const value = values?.get(path);
        return value === undefined ? [] : [[path, value] as const];
      }),
    );
  }

  /** Whether exactly one object has this key, and it has all these values. */
  isAsBefore(key: Identified | null, before: Values): boolean {
    const [live, ...others] = this.at(key);
    return (
      live !== undefined && others.length === 0 && FIELDS[live.kind].every(({ path }) => hasValue(path, before, live))
    );
  }
}

/** Whether a live object has this value. A field that is unknown on one side is not compared. */
export function hasValue(path: string, values: Values, live: Live): boolean {
  const [value, current] = [values.get(path), live.values.get(path)];
  return value === undefined || current === undefined || sameValue(value, current);
}
