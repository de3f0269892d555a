// Random accounts, and random lists of them.

import fc from "fast-check";
import type { Link, SandboxOptions, Seed } from "../../src/sandbox/index.ts";
import type { PlainFilter, PlainSort } from "./looking.ts";

/** Parts of aliases, addresses and titles, so that a search finds several. */
const WORDS = ["spring", "Sale", "a_b", "ab", "x-1", "fb", "UE"] as const;
const TITLES = [...WORDS, "100%", "50", "Größe", "ÜE", "é", "春", "back\\slash", "ß", "Ss", "=1+1"] as const;
const SEARCHES = "spring¦SALE¦_¦a_b¦%¦100%¦\\¦k\\s¦ue¦ü¦e¦春¦zzz¦x-1 ".split("¦");

const word: fc.Arbitrary<string> = fc.constantFrom(...WORDS);
const link = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 2 }),
  path: fc.array(word, { maxLength: 2 }),
  title: fc.option(fc.array(fc.constantFrom(...TITLES), { maxLength: 3 }).map((parts) => parts.join(" "))),
  domain: fc.constantFrom(2, 3),
  space: fc.constantFrom(null, 1, 2),
  pixels: fc.subarray([1, 2, 3]),
  disabled: fc.constantFrom(0, 0, 1),
  clicks: fc.nat({ max: 3 }),
  expiration_clicks: fc.constantFrom(0, 0, 2),
  ends_at: fc.constantFrom(null, null, "2020-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"),
});

const search = fc.record({ search: fc.constantFrom(...SEARCHES), by: fc.constantFrom("title", "alias", "url") });
const one: fc.Arbitrary<PlainFilter> = fc.oneof(
  { weight: 3, arbitrary: search },
  fc.record({ status: fc.constantFrom("active", "expired", "disabled") }),
  fc.record({ space: fc.constantFrom(0, 1, 2) }),
  fc.record({ domain: fc.constantFrom(1, 2, 2, 3, 3) }),
  fc.record({ pixel: fc.constantFrom(1, 2, 3) }),
);

/** A few at a time: with all of them, nothing matches. */
const filter: fc.Arbitrary<PlainFilter> = fc
  .array(one, { maxLength: 2, size: "max" })
  .map((parts) => Object.assign({}, ...parts));

/** A list with random flags. */
export const asked: fc.Arbitrary<{
  readonly filter: PlainFilter;
  readonly sort: PlainSort;
  readonly limit: number | undefined;
}> = fc.record({
  filter,
  sort: fc.constantFrom("asc", "desc", "max", "min"),
  limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
});

interface RandomLink extends Omit<Seed<Link, "domain">, "alias" | "url"> {
  readonly words: readonly string[];
  readonly path: readonly string[];
}

/** The links of an account, on up to several pages. */
export const accounts: fc.Arbitrary<RandomLink[]> = fc.array(link, { maxLength: 60, size: "max" });

/** An account with these links and three pixels. */
export function seedOf(links: readonly RandomLink[]): NonNullable<SandboxOptions["seed"]> {
  return {
    pixels: [1, 2, 3].map((id) => ({ id, name: `pixel ${id}`, type: "facebook", value: "1" })),
    links: links.map(({ words, path, ...row }, at) => ({
      ...row,
      alias: `${words.join("-")}-${at}`,
      url: `https://example.com/${path.join("/")}`,
    })),
  };
}
