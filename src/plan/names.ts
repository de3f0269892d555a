// One name for each object on both sides: keys with their identities, and pixels, also those that are renamed.

import type { Desired, Live, Zones } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { nearest, SearchBudget } from "../domain/nearest.ts";
import type { WrittenKey } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { NameDirectory } from "./directory.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";

/** Equal identities are one object to the service; `key` is for display. */
export interface Identified {
  readonly identity: string;
  readonly key: string;
}

export type KeyedRecord = Pick<LiveRecord, "kind" | "values" | "references">;

export class Keys {
  readonly #domains: NameDirectory;
  /** The start of all keys of a domain, by the text of a file, and by the id of the domain. */
  readonly #prefixes = new Map<string | number, Identified>();

  constructor(domains: NameDirectory) {
    this.#domains = domains;
  }

  of({ domain, name }: Pick<WrittenKey, "domain" | "name">): Identified {
    if (domain === null) return { identity: `pixel ${fold(name)}`, key: name };
    return this.#keyIn(this.#prefixes.get(domain) ?? this.#keep(domain, this.#domains.idOf(domain), domain), name);
  }

  ofRecord(record: KeyedRecord): Identified {
    const [name, domain] = [nameOf(record), domainOf(record)];
    if (domain === undefined) return { identity: `${record.kind} ${fold(name)}`, key: name };
    return this.#keyIn(this.#prefixes.get(domain.id) ?? this.#keep(domain.id, domain.id, domain.name), name);
  }

  #keyIn(prefix: Identified, name: string): Identified {
    return { identity: prefix.identity + fold(name), key: prefix.key + name };
  }

  /** A domain is shown by its name, else as it is written. */
  #keep(as: string | number, id: number | undefined, written: string): Identified {
    const shown = id === undefined ? undefined : this.#domains.shown(id);
    const prefix = { identity: `link ${id ?? written}/`, key: `${shown ?? written}/` };
    this.#prefixes.set(as, prefix);
    return prefix;
  }
}

/** The domain of a link; undefined if the service does not return it. */
export function domainOf({ references }: Pick<KeyedRecord, "references">): Named | undefined {
  return references.get(REFERENCE_FIELD.domain)?.[0];
}

/** One name for each pixel on both sides: the declared one if a live pixel is, or becomes, that pixel. */
export class PixelNames {
  /** Ids of live pixels, by their folded declared or live name. */
  readonly ids = new Map<string, number>();
  #declared: ReadonlyMap<string, string> = new Map();
  readonly #byId = new Map<number, string>();
  readonly #searches = new SearchBudget();

  /** Names the live pixels. `claims` has the live pixel of each declared one. */
  assign(
    claims: readonly { readonly desired: Desired; readonly live: Live | undefined }[],
    live: readonly Live[],
  ): void {
    this.ids.clear();
    this.#declared = new Map(claims.map(({ desired: { key } }) => [fold(key), key]));
    const successors = new Map(claims.map(({ desired, live: record }) => [record, desired]));
    for (const record of live) {
      const successor = successors.get(record);
      const isLeft = successor === undefined && this.#declared.has(fold(record.key));
      // A pixel whose name goes to another one gets a distinct name.
      this.#byId.set(record.id, successor?.key ?? (isLeft ? `${record.key} #${record.id}` : record.key));
      if (!isLeft) this.ids.set(fold(successor?.key ?? record.key), record.id);
    }
  }

  /** The name of a pixel in the files; undefined if it is neither declared nor live. */
  ofMention(name: string): string | undefined {
    const folded = fold(name);
    const id = this.ids.get(folded);
    return this.#declared.get(folded) ?? (id === undefined ? undefined : this.#byId.get(id));
  }

  /** The most similar name of a declared or live pixel; null for none. */
  nearest(name: string): string | null {
    const isAllowed = this.#searches.take(this.#declared.size + this.#byId.size);
    return isAllowed ? nearest(name, new Set([...this.#declared.values(), ...this.#byId.values()])) : null;
  }

  ofRecord(id: number, name: string): string {
    return this.#byId.get(id) ?? name;
  }
}

export function nameOf(record: Pick<KeyedRecord, "kind" | "values">): string {
  const name = record.values.get(KEY_FIELD[record.kind]);
  return typeof name === "string" ? name : "";
}

/** The meaning of names in the files and of ids in records, which both sides of a comparison share. */
export interface AccountNames {
  readonly domains: NameDirectory;
  readonly spaces: NameDirectory;
  readonly pixels: Pick<PixelNames, "ofMention" | "nearest" | "ofRecord">;
  readonly keys: Keys;
  readonly zones: Zones;
  readonly diagnostics: Diagnostic[];
}
