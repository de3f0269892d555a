// Notices about waits and retries: on stderr, and never in the result.

import { expect, it } from "vitest";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { StillClock } from "../support/clock.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, type Ran, type Scenario, startWith } from "../support/scenario.ts";
import { send, TOO_MANY } from "../support/through.ts";

const DESTINATION = "https://example.com/";
const BAD_GATEWAY: Answer = { status: 502, body: "<h1>Bad Gateway</h1>" };

/** Plans with `--format json`. The first requests get these responses, all others reach the service. */
async function planAfter(scenario: Scenario, answers: readonly Answer[], flags: PlanFlags = {}): Promise<Ran> {
  const left = [...answers];
  const baseUrl = await startProxy(scenario.sandbox.url, () => left.shift() ?? "forward");
  return runIn(
    scenario.folder,
    scenario.env,
    (world) => plan(world, { baseUrl, format: ["json"], showUnmanaged: true, ...flags }),
    { clock: new StillClock() },
  );
}

async function startWithLinks(count: number): Promise<Scenario> {
  const links = Array.from({ length: count }, (_, at) => ({ url: DESTINATION, domain: 2, alias: `other-${at}` }));
  const scenario = await startWith("links: { go.example.com/a: { url: https://example.com/ } }", { links });
  return scenario;
}

// Fails if a wait or its length is not reported, or if a wait for the rate limit is reported as an outage.
it("a wait for the rate limit is reported in seconds", async () => {
  const { exit, out, err } = await planAfter(await startWithLinks(1), [TOO_MANY]);
  expect([exit, err]).toEqual([0, "Waiting 60 s for the rate limit.\n"]);
  expect(JSON.parse(out)).toMatchObject({ complete: true });
});

// Fails if an outage is reported as a rate limit, or if retries are not reported.
it("retries are reported with their reason, and an outage as an outage", async () => {
  const { exit, err } = await planAfter(await startWithLinks(1), [BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY]);
  const lines = err.trimEnd().split("\n");
  expect(exit).toBe(0);
  expect(lines.filter((line) => /502.* Retrying in \d\.\d s\.$/.test(line))).toHaveLength(3);
  expect(lines.filter((line) => /^The service does not respond\. Waiting \d\.\d s\.$/.test(line))).toHaveLength(1);
});

// Fails if a list is read again without a reason.
it("a list that changed while it was read is reported", async () => {
  const scenario = await startWithLinks(150);
  let hasChanged = false;
  const baseUrl = await startProxy(scenario.sandbox.url, async (_method, url): Promise<Answer> => {
    if (!hasChanged && url.includes("page=2")) {
      hasChanged = true;
      await send(scenario, "DELETE", "/api/v1/links/1");
    }
    return "forward";
  });
  const { err } = await runIn(scenario.folder, scenario.env, (world) => plan(world, { baseUrl, showUnmanaged: true }));
  expect(err).toBe(
    "The list /api/v1/links changed while linkform read it (its total changed from 150 to 149). Reading it again.\n",
  );
});

// Fails if --quiet prints notices.
it("--quiet prints no notices", async () => {
  const { exit, err } = await planAfter(await startWithLinks(1), [TOO_MANY, BAD_GATEWAY], { quiet: true });
  expect([exit, err]).toEqual([0, ""]);
});

// Fails if a request does not use the proxy from the environment.
it("requests go through the proxy of the environment", async () => {
  const scenario = await startWithLinks(1);
  const { exit, err } = await runIn(
    scenario.folder,
    { ...scenario.env, HTTP_PROXY: "http://127.0.0.1:9" },
    (world) => plan(world, { quiet: true }),
    { clock: new StillClock() },
  );
  expect([exit, scenario.sandbox.requests]).toEqual([1, []]);
  expect(err).toMatch(/^error\[unreachable\] /);
});
