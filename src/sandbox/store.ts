// The stored rows with their look-ups, and the file that keeps them.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fold } from "./fold.ts";
import { readState } from "./seed.ts";
import type { Account, Domain, Link, Pixel, SeedState, Space, State } from "./state.ts";

export class Store {
  readonly account: Account;
  readonly domains: ReadonlyMap<number, Domain>;
  readonly spaces: ReadonlyMap<number, Space>;
  readonly #file: string | undefined;
  readonly #pixels: Map<number, Pixel>;
  readonly #links: Map<number, Link>;
  readonly #pixelIds = new Map<string, number>();
  readonly #linkIds = new Map<string, number>();
  #next: State["next"];

  /** @param file where every commit goes; without one, rows live as long as the process */
  constructor(state: State, file: string | undefined) {
    this.account = state.account;
    this.domains = byId(state.domains);
    this.spaces = byId(state.spaces);
    this.#file = file;
    this.#next = state.next;
    this.#pixels = byId(state.pixels);
    this.#links = byId(state.links);
    for (const pixel of state.pixels) this.#pixelIds.set(fold(pixel.name), pixel.id);
    for (const link of state.links) this.#linkIds.set(addressKey(link.domain, link.alias), link.id);
  }

  get pixels(): ReadonlyMap<number, Pixel> {
    return this.#pixels;
  }

  get links(): ReadonlyMap<number, Link> {
    return this.#links;
  }

  /** The pixel that has this name, without regard to case and accents. */
  pixelNamed(name: string): number | undefined {
    return this.#pixelIds.get(fold(name));
  }

  /** The link that has this alias on the domain, without regard to case and accents. */
  linkAt(domain: number, alias: string): number | undefined {
    return this.#linkIds.get(addressKey(domain, alias));
  }

  /** An id that no row has had. */
  newId(kind: keyof State["next"]): number {
    const id = this.#next[kind];
    this.#next = { ...this.#next, [kind]: id + 1 };
    return id;
  }

  putPixel(pixel: Pixel): void {
    const before = this.#pixels.get(pixel.id);
    if (before !== undefined) this.#pixelIds.delete(fold(before.name));
    this.#pixels.set(pixel.id, pixel);
    this.#pixelIds.set(fold(pixel.name), pixel.id);
  }

  putLink(link: Link): void {
    const before = this.#links.get(link.id);
    if (before !== undefined) this.#linkIds.delete(addressKey(before.domain, before.alias));
    this.#links.set(link.id, link);
    this.#linkIds.set(addressKey(link.domain, link.alias), link.id);
  }

  /** Also takes the pixel off every link, silently (docs/service.md, "Delete paths"). */
  removePixel(pixel: Pixel): void {
    this.#pixels.delete(pixel.id);
    this.#pixelIds.delete(fold(pixel.name));
    for (const link of this.#links.values()) {
      if (link.pixels.includes(pixel.id)) {
        this.#links.set(link.id, { ...link, pixels: link.pixels.filter((id) => id !== pixel.id) });
      }
    }
  }

  removeLink(link: Link): void {
    this.#links.delete(link.id);
    this.#linkIds.delete(addressKey(link.domain, link.alias));
  }

  /** Everything stored; a copy is the caller's affair. */
  state(): State {
    return {
      account: this.account,
      domains: [...this.domains.values()],
      spaces: [...this.spaces.values()],
      pixels: [...this.#pixels.values()],
      links: [...this.#links.values()],
      next: this.#next,
    };
  }

  /** Call it before a write is acknowledged: the file is replaced as a whole, so that a kill leaves the old or the new one. */
  commit(): void {
    if (this.#file === undefined) return;
    const draft = `${this.#file}.${process.pid}.tmp`;
    const handle = openSync(draft, "w", 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(this.state())}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, this.#file);
  }
}

/**
 * The state to begin with: the data file's if there is one, else the seed's.
 * @param now the time (ISO) that seeded rows without dates get
 * @throws Error, one sentence, when a file cannot be read or says something impossible
 */
export function initialState(data: string | undefined, seed: string | SeedState | undefined, now: string): State {
  const file = data !== undefined && existsSync(data) ? data : seed;
  return typeof file === "string" ? readState(readJson(file), file, now) : readState(file ?? {}, "seed", now);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

const addressKey = (domain: number, alias: string): string => `${domain}/${fold(alias)}`;

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));
