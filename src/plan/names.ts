// One name for each object on both sides: keys with their identities, and pixels whatever they are renamed to.

import { fold } from "../domain/fold.ts";
import type { LiveRow } from "../domain/live.ts";
import { nearest } from "../domain/nearest.ts";
import { showKey, type Declaration, type WrittenKey } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { Directory } from "./directory.ts";

/** Identities and shown keys: equal identities are one object to the service. */
export class Keys {
  readonly #domains: Directory;

  constructor(domains: Directory) {
    this.#domains = domains;
  }

  of(written: WrittenKey): { identity: string; key: string } {
    if (written.domain === null) return { identity: `pixel ${fold(written.name)}`, key: written.name };
    const id = this.#domains.idOf(written.domain);
    const shown = id === undefined ? undefined : this.#domains.shown(id);
    return {
      identity: `link ${id ?? written.domain}/${fold(written.name)}`,
      key: showKey({ ...written, domain: shown ?? written.domain }),
    };
  }

  ofRow(row: LiveRow, name: string): { identity: string; key: string } {
    const [domain] = row.references.get(REFERENCE_FIELD.domain) ?? [];
    if (domain === undefined) return { identity: `${row.kind} ${fold(name)}`, key: name };
    return {
      identity: `link ${domain.id}/${fold(name)}`,
      key: `${this.#domains.shown(domain.id) ?? domain.name}/${name}`,
    };
  }
}

/** One name for each pixel on both sides: the declared one where a live row is (or becomes) that pixel. */
export class PixelNames {
  /** Ids of live pixels, by the folded name under which they are declared or live. */
  readonly ids: ReadonlyMap<string, number>;
  readonly #declared: ReadonlyMap<string, string>;
  readonly #byId = new Map<number, string>();

  constructor(declarations: readonly Declaration[], rows: readonly LiveRow[]) {
    const pixels = declarations.filter(({ kind }) => kind === "pixel");
    const ids = new Map<string, number>();
    this.#declared = new Map(pixels.map(({ name }) => [fold(name), name]));
    for (const row of rows) ids.set(fold(nameOf(row)), row.id);
    for (const { name, renamedFrom } of pixels) {
      const old = renamedFrom === null ? undefined : ids.get(fold(renamedFrom.name));
      if (old === undefined || ids.has(fold(name))) continue;
      ids.set(fold(name), old);
      this.#byId.set(old, name);
    }
    for (const row of rows)
      if (!this.#byId.has(row.id)) this.#byId.set(row.id, this.#declared.get(fold(nameOf(row))) ?? nameOf(row));
    this.ids = ids;
  }

  /** The one name of a pixel that a file mentions; undefined where it is neither declared nor live. */
  ofMention(name: string): string | undefined {
    const id = this.ids.get(fold(name));
    return this.#declared.get(fold(name)) ?? (id === undefined ? undefined : this.#byId.get(id));
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
export function nameOf(row: LiveRow): string {
  return String(row.values.get(KEY_FIELD[row.kind]) ?? "");
}
