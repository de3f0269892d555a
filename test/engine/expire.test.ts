// A change that makes a link expire ends its short URL like a deletion does. Fails if protection, the brake, a report or a
// saved plan lets such a change pass as an ordinary update.

import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import type { Software } from "../../src/sandbox/index.ts";
import { startProxy } from "../support/proxy.ts";
import { runIn, startWith, type Scenario } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

const KEY = "go.example.com/poster";
const live = { url: "https://example.com/", domain: 2, alias: "poster" };
const declared = (more: string): string =>
  `rules: { expired: off }\nlinks: { ${KEY}: { url: https://example.com/, ${more} } }\n`;

async function started(row: object, text: string, software?: Software): Promise<Scenario> {
  const seed = { links: [{ ...live, ...row }] };
  return startWith(text, seed, software === undefined ? {} : { software });
}

/** Links of version 49, which also have a start. All others: test/fixtures/plans/expire. The plan is made on 2026-11-21 at 12:00 UTC. */
const CASES: readonly [name: string, row: object, expiration: string, breaks: boolean][] = [
  ["a start in the past", {}, "{ start: 2020-01-01, clicks: 9 }", false],
  ["this very minute", {}, '{ start: 2026-11-21, start_time: "12:00" }', false],
  ["a minute from now", {}, '{ start: 2026-11-21, start_time: "12:01" }', true],
  ["a period that is over", {}, "{ start: 2020-01-01, date: 2021-01-01 }", true],
  [
    "a later start on a link that has not started",
    { starts_at: "2027-01-01T00:00:00.000Z", ends_at: "2030-01-01T00:00:00.000Z" },
    "{ start: 2028-01-01, date: 2030-01-01 }",
    false,
  ],
];

it.each(CASES)("an update of the expiration: %s", async (_, row, expiration, breaks) => {
  const scenario = await started(row, declared(`expiration: ${expiration}`), "49");
  const { changes } = await scenario.planDocument();
  expect(changes).toMatchObject([{ action: "update", breaks_url: breaks }]);
  await scenario.write(`protect: ["*"]\n${declared(`expiration: ${expiration}`)}`);
  expect((await scenario.plan()).err.includes("error[protected]")).toBe(breaks);
  await scenario.write(`brake: { deletes: 0 }\n${declared(`expiration: ${expiration}`)}`);
  expect((await scenario.plan()).exit).toBe(breaks ? 3 : 0);
});

it("a click limit may end a link whose clicks the service does not report, unless it is raised", async () => {
  const scenario = await started({ clicks: 3, expiration_clicks: 10 }, "");
  const baseUrl = await startProxy(
    scenario.sandbox.url,
    () => "forward",
    (body, url) =>
      url.includes("/links")
        ? JSON.stringify(JSON.parse(body), (key, value: unknown) => (key === "clicks" ? undefined : value))
        : body,
  );
  const planned = async (clicks: string): Promise<PlanDocument["changes"]> => {
    await scenario.write(declared(`expiration: { clicks: ${clicks} }`));
    return (await scenario.planDocument({ baseUrl })).changes;
  };
  expect(await planned("9")).toMatchObject([{ breaks_url: true }]);
  expect(await planned("11")).toMatchObject([{ breaks_url: false }]);
  await scenario.write(declared("expiration: { clicks: 9 }"));
  const { out } = await scenario.plan({ baseUrl });
  expect(out).toContain(`! ${KEY} may expire, because the service does not report its clicks.`);
});

it("a saved plan that ended nothing is not applied once the clicks have reached its limit", async () => {
  const scenario = await started({ clicks: 9 }, declared("expiration: { clicks: 10 }"));
  expect(await scenario.plan({ out: "plan.json" })).toMatchObject({ exit: 0 });
  // A visit is the tenth click.
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/120" };
  await fetch(`${scenario.sandbox.url}/go.example.com/poster`, { redirect: "manual", headers: browser });
  expect(scenario.link("poster").clicks).toBe(10);
  const ran = await runIn(scenario.folder, scenario.env, (world) => apply(world, { yes: true }, "plan.json"));
  expect(ran).toMatchObject({ exit: 3 });
  expect(ran.out).toContain("The short URL would now stop working, which the saved plan does not show.");
});
