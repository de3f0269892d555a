// One name for each object on both sides: keys with their identities, and pixels, also those that are renamed.

import type { Desired, Live, Zones } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { nearest } from "../domain/nearest.ts";
import type { WrittenKey } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { NameDirectory } from "./directory.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";

/** What tells an object: equal identities are one object to the service; `key` is for people. */
export interface Identified {
  readonly identity: string;
  readonly key: string;
}

/** How the keys of a domain begin. */
interface Prefix {
  readonly identity: string;
  readonly key: string;
}

/** Identities and shown keys. */
export class Keys {
  readonly #domains: NameDirectory;
  /** By the text of a file, and by a row's id. */
  readonly #prefixes = new Map<string | number, Prefix>();

  constructor(domains: NameDirectory) {
    this.#domains = domains;
  }

  of({ domain, name }: Pick<WrittenKey, "domain" | "name">): Identified {
    if (domain === null) return { identity: `pixel ${fold(name)}`, key: name };
    const prefix = this.#prefixes.get(domain) ?? this.#keep(domain, this.#domains.idOf(domain), domain);
    return { identity: prefix.identity + fold(name), key: prefix.key + name };
  }

  /** Whether two of the texts that were asked about mean one domain. */
  get hasSynonyms(): boolean {
    const written = [...this.#prefixes].flatMap(([as, { identity }]) => (typeof as === "string" ? [identity] : []));
    return new Set(written).size < written.length;
  }

  identityOfRow(row: LiveRecord): string {
    const name = nameOf(row);
    const domain = domainOf(row);
    if (domain === undefined) return `${row.kind} ${fold(name)}`;
    return this.#prefixOf(domain).identity + fold(name);
  }

  keyOfRow(row: LiveRecord): string {
    const domain = domainOf(row);
    return domain === undefined ? nameOf(row) : this.#prefixOf(domain).key + nameOf(row);
  }

  #prefixOf({ id, name }: Named): Prefix {
    return this.#prefixes.get(id) ?? this.#keep(id, id, name);
  }

  /** A domain is shown by the name in use, else as it is written. */
  #keep(as: string | number, id: number | undefined, written: string): Prefix {
    const shown = id === undefined ? undefined : this.#domains.shown(id);
    const prefix = { identity: `link ${id ?? written}/`, key: `${shown ?? written}/` };
    this.#prefixes.set(as, prefix);
    return prefix;
  }
}

/** The domain that a link is on; undefined where the service does not return it. */
export function domainOf({ references }: LiveRecord): Named | undefined {
  return references.get(REFERENCE_FIELD.domain)?.[0];
}

/** One name for each pixel on both sides: the declared one where a live row is (or becomes) that pixel. */
export class PixelNames {
  /** Ids of live pixels, by the folded name under which they are declared or live. */
  readonly ids: ReadonlyMap<string, number>;
  readonly #declared: ReadonlyMap<string, string>;
  readonly #byId = new Map<number, string>();

  /** `claims`: which live pixel each declared one is, or is to become. */
  constructor(
    claims: readonly { readonly desired: Desired; readonly live: Live | undefined }[],
    live: readonly Live[],
  ) {
    this.#declared = new Map(claims.map(({ desired: { key } }) => [fold(key), key]));
    const successors = new Map(claims.map(({ desired, live: row }) => [row, desired]));
    const ids = new Map<string, number>();
    for (const row of live) {
      const successor = successors.get(row);
      const isLeft = successor === undefined && this.#declared.has(fold(row.key));
      // A row that leaves its name to another keeps one of its own, so that nobody takes the two for one.
      this.#byId.set(row.id, successor?.key ?? (isLeft ? `${row.key} #${row.id}` : row.key));
      if (!isLeft) ids.set(fold(successor?.key ?? row.key), row.id);
    }
    this.ids = ids;
  }

  /** The one name of a pixel that a file mentions; undefined where it is neither declared nor live. */
  ofMention(name: string): string | undefined {
    const folded = fold(name);
    const id = this.ids.get(folded);
    return this.#declared.get(folded) ?? (id === undefined ? undefined : this.#byId.get(id));
  }

  /** The name of a pixel that is declared or live and most like this one; null where none is. */
  nearest(name: string): string | null {
    return nearest(name, new Set([...this.#declared.values(), ...this.#byId.values()]));
  }

  ofRow(id: number, name: string): string {
    return this.#byId.get(id) ?? name;
  }
}

/** The alias, or the pixel's name, of a row. */
export function nameOf(row: LiveRecord): string {
  const name = row.values.get(KEY_FIELD[row.kind]);
  return typeof name === "string" ? name : "";
}

/** What texts of the files and ids of rows mean. */
export interface ComparisonSide {
  readonly domains: NameDirectory;
  readonly spaces: NameDirectory;
  readonly pixels: Pick<PixelNames, "ofMention" | "nearest" | "ofRow">;
  readonly keys: Keys;
  readonly zones: Zones;
  readonly diagnostics: Diagnostic[];
}
