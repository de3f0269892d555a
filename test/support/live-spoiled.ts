// Values that an account can have and no file can express: from other programs, versions, or time zones.

import type { Link } from "../../src/sandbox/index.ts";
import type { LiveSeed } from "./live-random.ts";
import type { Random } from "./random.ts";

/** An instant that the service can store only in UTC, or only in the account's zone. */
const OUT_OF_RANGE: Readonly<Record<string, string>> = { "America/New_York": "1970-01-01T00:30:00.000Z" };

/** The ways to spoil a record, by what a file cannot express. */
const SPOILED: Readonly<Record<string, (link: Link, zone: string) => Link>> = {
  "an alias with other characters": (link) => ({ ...link, alias: `${link.alias.slice(0, 240)}.${link.id}` }),
  "an expiration with seconds": (link) => ({ ...link, ends_at: "2027-05-06T07:08:09.000Z" }),
  "an expiration before the first valid one": (link) => ({ ...link, ends_at: "1969-12-30T00:00:00.000Z" }),
  "an expiration next to the last valid one": (link, zone) => ({
    ...link,
    ends_at: OUT_OF_RANGE[zone] ?? (zone === "UTC" ? "2038-01-20T00:00:00.000Z" : "2038-01-19T23:30:00.000Z"),
  }),
  "a key twice in a group": (link) => ({
    ...link,
    country: [
      { key: "DE", value: "https://example.com/de" },
      { key: "DE", value: "https://example.com/de-2" },
    ],
  }),
  "a key of another program in a group": (link) => ({
    ...link,
    language: [{ key: "de-AT", value: "https://example.com/at" }],
  }),
  "a rotation with an empty entry": (link) => ({
    ...link,
    target_type: 4,
    rotation: { 1: { value: "https://example.com/r2" } },
  }),
  "an active empty group": (link) => ({ ...link, target_type: 1, country: [] }),
};

/** One link in this number is spoiled. */
const ONE_IN = 15;

/** The state with some spoiled links, some duplicate keys in different spellings, and a pixel with an impossible key. */
export function spoil(state: LiveSeed, random: Random): LiveSeed {
  const links = state.links.map((link, at): Link => {
    if (at % ONE_IN !== ONE_IN - 1) return link;
    return random.pick(Object.values(SPOILED))(link, state.account.timezone);
  });
  const twins = links.flatMap((link, at) => {
    const twin = { ...link, id: 1_000_000 + link.id, alias: otherSpelling(link.alias), clicks: 1 };
    return at % 40 === 7 ? [twin] : [];
  });
  const [first] = state.pixels;
  const odd = first === undefined ? [] : [{ ...first, id: 1_000_000, name: "__proto__" }];
  return { ...state, links: [...links, ...twins], pixels: [...state.pixels, ...odd] };
}

/** Of letters that all have an uppercase form (ı has none). */
function otherSpelling(alias: string): string {
  return alias.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}
