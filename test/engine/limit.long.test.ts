// An apply of more changes than the rate limit allows in a window takes longer, but hardly more requests.

import { describe, expect, it } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/json/schema.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { send } from "../sandbox/client.ts";
import { fastClock } from "../support/clock.ts";
import { runIn, startScenario, temporaryFolder, Scenario, type Ran } from "../support/scenario.ts";

/** Fast enough for short tests, slow enough that sixty requests end within a window. */
const SPEED = 20;
const WINDOW = 20_000;

interface Limited {
  readonly scenario: Scenario;
  apply(flags?: ApplyFlags, project?: Scenario): Promise<Ran>;
  plan(): Promise<PlanDocument>;
}

/** A scenario with sixty requests per window. The sandbox and the commands share the clock. */
async function startLimited(seed: SeedState = {}): Promise<Limited> {
  const clock = fastClock(SPEED);
  const now = (): Date => new Date(clock.now());
  const scenario = await startScenario({ rateLimit: 60, rateWindow: WINDOW, now, seed });
  return {
    scenario,
    apply: (flags = {}, { folder, env } = scenario) =>
      runIn(folder, env, (world) => apply(world, { yes: true, format: ["json"], ...flags }), { clock }),
    plan: async () => {
      const { folder, env } = scenario;
      const ran = await runIn(folder, env, (world) => plan(world, { format: ["json"] }), { clock });
      return JSON.parse(ran.out);
    },
  };
}

/** The lines of links with these numbers. */
function links(prefix: string, from: number, count: number, url: string): string {
  const of = (number: number): string =>
    `  go.example.com/${prefix}-${number}: { url: "https://example.com/${url}" }\n`;
  return Array.from({ length: count }, (_, at) => of(from + at)).join("");
}

function seeded(count: number): SeedState {
  return {
    links: Array.from({ length: count }, (_, at) => ({ url: "https://example.com/old", domain: 2, alias: `l-${at}` })),
  };
}

function documentOf({ out }: Ran): ApplyDocument {
  return JSON.parse(out);
}

// Fails if the limit fails a run, if each worker exceeds it separately, or if the wait is not explained.
it("two hundred changes with sixty requests a window: all done, with at most a tenth more requests than planned", async () => {
  const limited = await startLimited(seeded(90));
  const absent = Array.from({ length: 20 }, (_, at) => `go.example.com/l-${60 + at}: {}`).join(", ");
  await limited.scenario.write(
    `brake: { updates: 100% }\nlinks:\n${links("l", 0, 60, "new")}${links("n", 0, 120, "new")}absent: { links: { ${absent} } }\n`,
  );
  const ran = await limited.apply();
  expect(ran.exit).toBe(0);
  const { result, summary, requests } = documentOf(ran);
  expect(result).toEqual({ applied: 200, failed: 0, skipped: 0, complete: true });
  expect(summary).toMatchObject({ create: 120, update: 60, delete: 20 });
  const planned = requests.read + requests.apply + requests.verify;
  expect(planned).toBeGreaterThan(200);
  expect(limited.scenario.sandbox.requests.length).toBeLessThanOrEqual(planned * 1.1);
  expect(ran.err).toMatch(/^Waiting \d+ s for the rate limit\.$/m);
  expect((await limited.plan()).changes).toEqual([]);
});

// Fails if jobs with the same address take each other's requests until one fails.
it("three projects that are applied in parallel all succeed", async () => {
  const limited = await startLimited();
  const { sandbox } = limited.scenario;
  const projects = [limited.scenario];
  for (const _ of Array(2)) projects.push(new Scenario(sandbox, await temporaryFolder()));
  for (const [at, project] of projects.entries()) await project.write(`links:\n${links(`p${at}`, 0, 40, "x")}`);
  const ran = await Promise.all(projects.map((project) => limited.apply({}, project)));
  expect(ran.map(({ exit }) => exit)).toEqual([0, 0, 0]);
  for (const one of ran) expect(documentOf(one).result).toEqual({ applied: 40, failed: 0, skipped: 0, complete: true });
  expect(sandbox.state().links).toHaveLength(120);
});

// Fails if a run waits too long, does not explain its end, or ends as if nothing had been applied.
describe("--max-wait 1", () => {
  it("in a full window: nothing is applied, exit 1", async () => {
    const limited = await startLimited();
    const { scenario } = limited;
    await scenario.write(`links:\n${links("l", 0, 5, "x")}`);
    const headers = { authorization: `Bearer ${scenario.sandbox.apiKey}`, accept: "application/json" };
    await Promise.all(Array.from({ length: 60 }, () => send(scenario.sandbox.url, "/api/v1/links/1", { headers })));
    const { exit, out, err } = await limited.apply({ maxWait: 1, format: ["text"] });
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^error\[max-wait\] The service asks to wait \d+ s \(rate limit\)\. This exceeds --max-wait 1\.\n {3}= Run the command again later, or allow a longer wait\.\n\n1 error: nothing was applied\.\n$/,
    );
    expect(scenario.writes()).toEqual([]);
  });

  it("when the rate limit is used up: the applied changes are reported, exit code 4, and another run does the rest", async () => {
    const limited = await startLimited();
    await limited.scenario.write(`links:\n${links("l", 0, 100, "x")}`);
    const ran = await limited.apply({ maxWait: 1 });
    expect(ran.exit).toBe(4);
    const { result, diagnostics, changes } = documentOf(ran);
    const live = limited.scenario.sandbox.state().links.length;
    expect(live).toBeGreaterThan(0);
    expect(result).toEqual({ applied: live, failed: 0, skipped: 100 - live, complete: false });
    expect(diagnostics).toMatchObject([{ code: "max-wait", severity: "error" }]);
    const skipped = changes.flatMap(({ outcome, error }) => (outcome === "skipped" ? [error?.message ?? ""] : []));
    for (const because of skipped) expect(because).toMatch(/This exceeds --max-wait 1\.$/);
    expect((await limited.apply()).exit).toBe(0);
    expect(limited.scenario.sandbox.state().links).toHaveLength(100);
  });
});
