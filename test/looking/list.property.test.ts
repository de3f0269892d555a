// For random accounts and random filters, on both versions of the service, `list` has just the rows that a plain filter over the
// service's own state has, in that order, and one request for each page at most besides those that prove it. Fails when a filter
// that a version ignores or takes for something else changes the answer, when ties are ordered by chance, or a limit loses rows.

import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../support/states.ts";
import { flagsOf, listed, plainIds, startLooking, type PlainFilter } from "./looking.ts";

/** Parts of which aliases, addresses and titles are made, so that searches find something in several of them. */
const WORDS = ["spring", "Sale", "a_b", "ab", "x-1", "fb", "UE"] as const;
const TITLES = [...WORDS, "100%", "50", "Größe", "ÜE", "é", "春", "back\\slash", "ß", "Ss", "=1+1"] as const;
const SEARCHES = [
  "spring",
  "SALE",
  "_",
  "a_b",
  "%",
  "100%",
  "\\",
  "k\\s",
  "ue",
  "ü",
  "e",
  "春",
  "zzz",
  "x-1 ",
] as const;

const word = fc.constantFrom(...WORDS);
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
/** Few at a time: with all of them nothing is found. */
const filter: fc.Arbitrary<PlainFilter> = fc
  .array(one, { maxLength: 2, size: "max" })
  .map((parts) => Object.assign({}, ...parts));

const asked = fc.record({
  filter,
  sort: fc.constantFrom("asc", "desc", "max", "min"),
  limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  perPage: fc.constantFrom(undefined, 10, 10, 25, 33),
});

test.each(["4.1", "4.9"] as const)("%s", { timeout: 600_000 }, async (software) => {
  let [trials, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { maxLength: 60, size: "max" }),
      fc.array(asked, { minLength: 6, maxLength: 6 }),
      async (links, all) => {
        const scenario = await startLooking({
          software,
          seed: {
            pixels: [1, 2, 3].map((id) => ({ id, name: `pixel ${id}`, type: "facebook", value: "1" })),
            links: links.map(({ words, path, ...row }, at) => ({
              ...row,
              alias: `${words.join("-")}-${at}`,
              url: `https://example.com/${path.join("/")}`,
            })),
          },
        });
        for (const { filter: wanted, sort, limit, perPage } of all) {
          const before = scenario.sandbox.requests.length;
          const { rows, total } = await listed(scenario, {
            ...flagsOf(wanted),
            sort,
            ...(limit !== undefined && { limit }),
            ...(perPage !== undefined && { perPage }),
          });
          const ids = plainIds(scenario.sandbox.state(), wanted, sort);
          expect(
            rows.map(({ id }) => id),
            JSON.stringify({ wanted, sort, limit }),
          ).toEqual(ids.slice(0, limit));
          trials += 1;
          found += rows.length === 0 ? 0 : 1;
          expect([null, ids.length]).toContain(total);
          // The list itself, the first page of all with a probe, all once more, and what confirms domain, space and dates.
          const pages = Math.ceil(links.length / 10) + 1;
          expect(scenario.sandbox.requests.length - before).toBeLessThanOrEqual(2 * pages + 5);
        }
        await scenario.sandbox.close();
      },
    ),
    { numRuns: runs(40) },
  );
  // Lists of nothing would be right whatever is done.
  expect(found).toBeGreaterThan(trials / 2);
});
