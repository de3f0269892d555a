// Random records as the service stores them: every field of links and pixels, several at once.

import type { Entry, Group, Link, Pixel } from "../../src/sandbox/index.ts";
import { instantOf, wallTimeOf } from "../../src/domain/zone.ts";
import { addressOf, passwordOf } from "./live-names.ts";
import type { Random } from "./random.ts";

/** The time of the test: some expirations are before it, and some after it. */
export const LIVE_NOW = "2026-11-21T12:00:00Z";

/** The common values of an account's records. */
export interface Surroundings {
  readonly zone: string;
  readonly spaces: readonly number[];
  readonly pixels: readonly number[];
  /** The space of most links of a domain, by the domain's id. */
  readonly usualSpace: ReadonlyMap<number, number | null>;
}

export type Identity = Pick<Link, "id" | "domain" | "alias">;

const COUNTRIES = ["DE", "FR", "US", "GB", "AT", "CH", "NO", "JP", "BR", "IN", "ZA", "UA"] as const;
const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;
const LANGUAGES = ["de", "en", "fr", "no", "ja", "pt", "uk", "zh", "os"] as const;
const TYPES =
  "adroll bing facebook google-ads google-analytics google-tag-manager linkedin pinterest quora twitter".split(" ");

/** A link; most of its fields have their defaults. */
export function linkOf(random: Random, identity: Identity, around: Surroundings): Link {
  const usual = around.usualSpace.get(identity.domain) ?? null;
  const clickLimit = random.pick([null, 0, 0, 0, 1, 100, 5000, 999_999_999]);
  return {
    ...identity,
    url: addressOf(random),
    title: random.chance(0.5) ? null : random.pick(["A page", "=1+1", "<b>bold</b>", "Seite: “über”", "x\ny"]),
    password: random.chance(0.12) ? passwordOf(random) : null,
    space: random.chance(0.8) ? usual : random.pick([null, ...around.spaces]),
    pixels: random.chance(0.3) ? random.some(around.pixels, random.chance(0.1) ? 40 : 4).toSorted((a, b) => a - b) : [],
    disabled: random.chance(0.1) ? 1 : 0,
    privacy: random.chance(0.75) ? 0 : random.between(1, 2),
    privacy_password: random.chance(0.12) ? passwordOf(random).trim() : null,
    expiration_url: random.chance(0.15) ? addressOf(random) : null,
    ends_at: random.chance(0.25) ? expiryOf(random, around.zone) : null,
    expiration_clicks: clickLimit,
    clicks: random.chance(0.5) ? 0 : random.pick([1, 99, 100, 101, 4999, 5000, 123_456]),
    ...targetsOf(random),
    last_rotation: 0,
    created_at: "2025-01-02T03:04:05.000Z",
    updated_at: `2026-${String(random.between(1, 10)).padStart(2, "0")}-02T03:04:05.000Z`,
  };
}

/** A pixel's type and value. */
export function pixelOf(random: Random): Pick<Pixel, "type" | "value"> {
  const type = random.pick(TYPES);
  const value = random.pick([
    ..."1234567890123456 0123456 9999999999999999 null on 1e5 0x1F G-AB12CD34 GTM-ABC123 AW-123456789".split(" "),
    ..."-1 _ Ünïcode-值 __proto__ 2024-01-01 ٣٤".split(" "),
    "x".repeat(255),
  ]);
  return { type, value: type === "adroll" && !value.includes("-") ? `ABC-${value.slice(0, 200)}` : value };
}

/** A minute that occurs once in the account's zone, and that the service can store. */
function expiryOf(random: Random, zone: string): string {
  for (;;) {
    const minutes = random.pick([
      random.between(-500_000, -1),
      random.between(-2, 2),
      random.between(1, 500_000),
      random.between(-29_000_000, 5_800_000),
    ]);
    const at = new Date(Date.parse(LIVE_NOW) + minutes * 60_000).toISOString();
    const instant = at.replace(".000Z", "Z");
    const isHeld = at > "1970-01-02" && at < "2038-01-19";
    if (isHeld && instantOf(wallTimeOf(instant, zone), zone) === instant) return at;
  }
}

/** The groups, active and only stored: one of them, several, or none. */
function targetsOf(random: Random): Pick<Link, "target_type" | "country" | "platform" | "language" | "rotation"> {
  const share = random.pick([0, 0, 0, 0.25, 0.9]);
  const keyed = (keys: readonly string[]): Entry[] =>
    random.chance(share) ? random.some(keys, 7).map((key) => ({ key, value: addressOf(random) })) : [];
  const few = [addressOf(random), addressOf(random)];
  const turns = random.chance(share)
    ? random.list(6, () => ({ value: random.chance(0.5) ? random.pick(few) : addressOf(random) }))
    : [];
  const groups = { country: keyed(COUNTRIES), platform: keyed(PLATFORMS), language: keyed(LANGUAGES), rotation: turns };
  const filled = [groups.country, groups.platform, groups.language, groups.rotation].flatMap(({ length }, at) =>
    length > 0 ? [at + 1] : [],
  );
  return {
    target_type: random.chance(0.25) ? 0 : random.pick([0, ...filled, ...filled, ...filled]),
    country: stored(random, groups.country),
    platform: stored(random, groups.platform),
    language: stored(random, groups.language),
    // With an empty first entry, every visit would fail: see live-spoiled.ts.
    rotation: groups.rotation,
  };
}

/** The stored forms of a group (docs/service.md, "Responses"). */
function stored(random: Random, entries: readonly Entry[]): Group {
  if (entries.length === 0) return random.chance(0.5) ? null : [];
  if (!random.chance(0.1)) return entries;
  return Object.fromEntries(entries.map((entry, at) => [String(at + 1), entry]));
}
