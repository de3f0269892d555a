// The stored rows with their look-ups, and the file that keeps them.
import { renameSync, writeFileSync } from "node:fs";
import { fold } from "./fold.ts";
import { notFound, type Refusal } from "./reply.ts";
import type { Account, Domain, Link, Pixel, Row, Space, State } from "./state.ts";

/** Rows by id, and by a key. Writes go through `put` and `remove`. */
class Table<T extends Row> extends Map<number, T> {
  readonly #byKey = new Map<string, T>();
  readonly #keyOf: (row: T) => string;

  constructor(rows: readonly T[], keyOf: (row: T) => string) {
    super();
    this.#keyOf = keyOf;
    for (const row of rows) this.put(row);
  }

  at(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** The row with an id from a path. @throws Refusal `missing` */
  find(id: string, missing: () => Refusal = notFound): T {
    const row = /^\d+$/.test(id) ? this.get(Number(id)) : undefined;
    if (row === undefined) throw missing();
    return row;
  }

  put(row: T): void {
    const before = this.get(row.id);
    if (before !== undefined) this.#byKey.delete(this.#keyOf(before));
    this.set(row.id, row);
    this.#byKey.set(this.#keyOf(row), row);
  }

  remove(row: T): void {
    this.delete(row.id);
    this.#byKey.delete(this.#keyOf(row));
  }
}

export class Store {
  readonly account: Account;
  readonly domains: ReadonlyMap<number, Domain>;
  readonly spaces: ReadonlyMap<number, Space>;
  readonly pixels: Table<Pixel>;
  readonly links: Table<Link>;
  readonly #file: string | undefined;
  #next: State["next"];

  /** @param file for all commits; without one, rows live as long as the process */
  constructor({ account, domains, spaces, pixels, links, next }: State, file: string | undefined) {
    this.account = account;
    this.domains = new Map(domains.map((domain) => [domain.id, domain]));
    this.spaces = new Map(spaces.map((space) => [space.id, space]));
    this.pixels = new Table(pixels, ({ name }) => fold(name));
    this.links = new Table(links, ({ domain, alias }) => `${domain}/${fold(alias)}`);
    this.#file = file;
    this.#next = next;
  }

  /** Ignores case and accents, as `linkAt` does. */
  pixelNamed(name: string): Pixel | undefined {
    return this.pixels.at(fold(name));
  }

  linkAt(domain: number, alias: string): Link | undefined {
    return this.links.at(`${domain}/${fold(alias)}`);
  }

  pixelsOf({ pixels }: Link): Pixel[] {
    return pixels.flatMap((id) => this.pixels.get(id) ?? []);
  }

  newId(kind: keyof State["next"]): number {
    const id = this.#next[kind];
    this.#next = { ...this.#next, [kind]: id + 1 };
    return id;
  }

  /** Also removes the pixel from all links, silently (docs/service.md, "Delete paths"). */
  removePixel(pixel: Pixel): void {
    this.pixels.remove(pixel);
    for (const link of this.links.values()) {
      if (link.pixels.includes(pixel.id)) {
        this.links.put({ ...link, pixels: link.pixels.filter((id) => id !== pixel.id) });
      }
    }
  }

  /** The rows are not copied. */
  state(): State {
    return {
      account: this.account,
      domains: [...this.domains.values()],
      spaces: [...this.spaces.values()],
      pixels: [...this.pixels.values()],
      links: [...this.links.values()],
      next: this.#next,
    };
  }

  /** Call it before a write is acknowledged. The file is replaced as a whole, so that a kill leaves the old or the new one. */
  commit(): void {
    if (this.#file === undefined) return;
    const draft = `${this.#file}.${process.pid}.tmp`;
    writeFileSync(draft, `${JSON.stringify(this.state())}\n`, { mode: 0o600, flush: true });
    renameSync(draft, this.#file);
  }
}
