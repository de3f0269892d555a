// For random accounts and random filters, `list` has the same records and order as a plain filter over the service's own state, and
// requests each page at most once, except for checks: on both versions of the service, and on unknown versions, which
// ignore or misread a filter. Fails if such a version changes the result, if the order of equal records is
// random, or if a limit loses records.

import fc from "fast-check";
import { expect, test } from "vitest";
import { startProxy } from "../support/proxy.ts";
import { runs } from "../support/states.ts";
import { flagsOf, listed, plainIds, startLooking } from "./looking.ts";
import { accounts, asked, seedOf } from "./random.ts";

/** A proxy that returns ten rows for each page of links, and reads their query in another way. */
async function startReading(
  { sandbox }: Awaited<ReturnType<typeof startLooking>>,
  alter: (query: URLSearchParams) => URLSearchParams | null,
): Promise<string> {
  return startProxy(sandbox.url, async (_method, address) => {
    const url = new URL(address, sandbox.url);
    if (!url.pathname.endsWith("/links")) return "forward";
    const query = alter(url.searchParams);
    if (query === null) return { status: 200, body: JSON.stringify(NOTHING) };
    query.set("per_page", "10");
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, accept: "application/json" };
    const answer = await fetch(`${url.origin}${url.pathname}?${query.toString()}`, { headers });
    return { status: answer.status, body: await answer.text() };
  });
}

const NOTHING = { data: [], links: { next: null }, meta: { current_page: 1, last_page: 1, total: 0 } };

test.each(["4.1", "4.9"] as const)("%s", async (software) => {
  let [trials, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(accounts, fc.array(asked, { minLength: 6, maxLength: 6 }), async (links, all) => {
      const scenario = await startLooking({ software, seed: seedOf(links) });
      const baseUrl = await startReading(scenario, (query) => query);
      for (const { filter: wanted, sort, limit } of all) {
        const before = scenario.sandbox.requests.length;
        const { rows, total } = await listed(scenario, {
          ...flagsOf(wanted),
          sort,
          ...(limit !== undefined && { limit }),
          baseUrl,
        });
        const ids = plainIds(scenario.sandbox.state(), wanted, sort);
        expect(
          rows.map(({ id }) => id),
          `asked: ${JSON.stringify({ wanted, sort, limit })}`,
        ).toEqual(ids.slice(0, limit));
        trials += 1;
        found += rows.length === 0 ? 0 : 1;
        expect([null, ids.length]).toContain(total);
        // The list itself, the first page of all links with a probe, all links once more, and requests for domain, space and dates.
        const pages = Math.ceil(links.length / 10) + 1;
        expect(scenario.sandbox.requests.length - before).toBeLessThanOrEqual(2 * pages + 5);
      }
      await scenario.sandbox.close();
    }),
    { numRuns: runs(40) },
  );
  // Empty lists would prove nothing.
  expect(found).toBeGreaterThan(trials / 2);
});

/** The query of a list as an unknown version reads it; null: it finds nothing. */
const STRANGE: Readonly<Record<string, (query: URLSearchParams) => URLSearchParams | null>> = {
  "names the searched field otherwise": (query) => without(query, "by", "search_by"),
  "does not search": (query) => without(query, "search"),
  "knows no status": (query) => without(query, "status"),
  "knows no spaces": (query) => without(query, "space"),
  "knows no domains": (query) => without(query, "domain"),
  "knows no pixels": (query) => without(query, "pixel"),
  "sorts as it likes": (query) => without(query, "sort"),
  "has no space 0": (query) => (query.get("space") === "0" ? null : query),
  "finds nothing by search": (query) => (query.has("search") ? null : query),
  "finds nothing by status": (query) => (query.has("status") ? null : query),
};

function without(query: URLSearchParams, ...names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}

test.each(Object.entries(STRANGE))("a version that %s", async (_, alter) => {
  await fc.assert(
    fc.asyncProperty(accounts, fc.array(asked, { minLength: 6, maxLength: 6 }), async (links, all) => {
      const scenario = await startLooking({ seed: seedOf(links) });
      const baseUrl = await startReading(scenario, alter);
      for (const { filter: wanted, sort, limit } of all) {
        const flags = { ...flagsOf(wanted), sort, ...(limit !== undefined && { limit }), baseUrl };
        const { rows, total } = await listed(scenario, flags);
        const ids = plainIds(scenario.sandbox.state(), wanted, sort);
        expect(
          rows.map(({ id }) => id),
          `asked: ${JSON.stringify({ wanted, sort, limit })}`,
        ).toEqual(ids.slice(0, limit));
        expect([null, ids.length]).toContain(total);
      }
      await scenario.sandbox.close();
    }),
    { numRuns: runs(15) },
  );
});
