// Random accounts as after years of manual changes, for code that reads the live state. Up to thousands of links.

import fc from "fast-check";
import { fold } from "../../src/domain/fold.ts";
import type { Link, Pixel, SeedState } from "../../src/sandbox/index.ts";
import { fold as sandboxFold } from "../../src/sandbox/fold.ts";
import { aliasOf, pixelNameOf } from "./live-names.ts";
import { spoil } from "./live-spoiled.ts";
import { linkOf, pixelOf, type Identity, type Surroundings } from "./live-rows.ts";
import { Random } from "./random.ts";

/** The input for an account. Fewer records of the same seed are the first of them. */
interface LiveInput {
  readonly seed: number;
  readonly links: number;
  readonly pixels: number;
}

interface LiveOptions {
  /** Some records have values that no file can express: see live-spoiled.ts. Default: none. */
  readonly isSpoiled?: boolean;
}

/** A state with all stored columns of its records. */
export interface LiveSeed extends SeedState {
  readonly account: { readonly timezone: string };
  readonly domains: NonNullable<SeedState["domains"]>;
  readonly spaces: NonNullable<SeedState["spaces"]>;
  readonly pixels: readonly Pixel[];
  readonly links: readonly Link[];
}

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"] as const;
const SPACES = [
  "null",
  "2024",
  "Vertrieb & Co: Süd",
  "# 1",
  "sales",
  "Sales #2",
  "🎉",
  "a/b",
  "on",
  "-",
  "春",
] as const;
const DOMAINS = [
  { id: 1, name: "short.example.com", shared: true },
  { id: 2, name: "go.example.com" },
  { id: 3, name: "promo.example.com" },
] as const;
const DATES = { created_at: "2025-01-02T03:04:05.000Z", updated_at: "2026-01-02T03:04:05.000Z" };

/** What fast-check draws and shrinks, for `randomLive`. */
export function liveInput(most: Omit<LiveInput, "seed">): fc.Arbitrary<LiveInput> {
  return fc.record({
    links: fc.integer({ min: 0, max: most.links }),
    pixels: fc.integer({ min: 0, max: most.pixels }),
    seed: fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  });
}

/** The initial account of a sandbox, the same for the same input. */
export function randomLive(input: LiveInput, { isSpoiled = false }: LiveOptions = {}): LiveSeed {
  const random = new Random(input.seed);
  const zone = random.pick(ZONES);
  const named = ["Marketing", "Sales", ...random.some(SPACES, 4)];
  const spaces = named.map((name, at) => ({ id: at + 1, name }));
  const ids = spaces.map(({ id }) => id);
  const usualSpace = new Map(DOMAINS.map(({ id }) => [id, random.pick([null, ...ids])]));
  const usualDomain = random.pick([1, 2, 2, 3]);

  const pixels = pixelsOf(input);
  const around = { zone, spaces: ids, pixels: pixels.map(({ id }) => id), usualSpace };
  const taken = new Taken();
  const links: Link[] = [];
  for (let at = 0, id = 0; at < input.links; at += 1) {
    const own = new Random(input.seed * 31 + at * 7 + 1);
    id += own.chance(0.2) ? own.between(2, 9) : 1;
    const domain = own.chance(0.7) ? usualDomain : own.between(1, 3);
    links.push(linkOf(own, { id, ...newKey(own, domain, links, taken) }, around));
  }
  const plain = { account: { timezone: zone }, domains: DOMAINS, spaces, pixels, links };
  return isSpoiled ? spoil(plain, new Random(input.seed + 1)) : plain;
}

/** The common values of the records in a state, for records that are added. */
export function surroundings({ account, spaces, pixels }: LiveSeed): Surroundings {
  return {
    zone: account.timezone,
    spaces: spaces.flatMap(({ id }) => id ?? []),
    pixels: pixels.map(({ id }) => id),
    usualSpace: new Map(),
  };
}

function pixelsOf({ seed, pixels: count }: LiveInput): Pixel[] {
  const taken = new Taken();
  return Array.from({ length: count }, (_, at) => {
    const own = new Random(seed * 37 + at * 11 + 5);
    return { id: at * 2 + 1, name: newPixelName(own, taken), ...pixelOf(own), ...DATES };
  });
}

/** A name that no pixel has in any spelling. */
export function newPixelName(random: Random, taken: Taken): string {
  for (let more = 0; ; more += 1) {
    const name = more < 20 ? pixelNameOf(random) : `Pixel ${random.between(1, 1_000_000)}`;
    if (taken.take("pixel", name)) return name;
  }
}

/** A domain and an alias that no link has in any spelling. Sometimes another domain has the alias, too. */
export function newKey(
  random: Random,
  domain: number,
  others: readonly Pick<Link, "alias">[],
  taken: Taken,
): Omit<Identity, "id"> {
  for (;;) {
    const alias = others.length > 0 && random.chance(0.03) ? random.pick(others).alias : aliasOf(random);
    if (taken.take(domain, alias)) return { domain, alias };
  }
}

/** Used keys, folded as by the service and as by linkform. */
export class Taken {
  readonly #keys: Set<string>;

  constructor({ links, pixels }: Pick<LiveSeed, "links" | "pixels"> = { links: [], pixels: [] }) {
    this.#keys = new Set();
    for (const { domain, alias } of links) this.take(domain, alias);
    for (const { name } of pixels) this.take("pixel", name);
  }

  /** Whether it was free. */
  take(where: number | "pixel", name: string): boolean {
    const keys = [`linkform ${where} ${fold(name)}`, `sandbox ${where} ${sandboxFold(name)}`];
    if (keys.some((key) => this.#keys.has(key))) return false;
    for (const key of keys) this.#keys.add(key);
    return true;
  }
}
