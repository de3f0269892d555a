// Runs that share a rate limit of sixty requests, and a limit of the wait.

import { expect, it } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import { send } from "../sandbox/client.ts";
import { fastClock } from "../support/clock.ts";
import { runIn, startScenario, temporaryFolder, Scenario, type Ran } from "../support/scenario.ts";

/** A scenario whose window is slow enough for sixty requests. The sandbox and the commands share the clock. */
async function startLimited(): Promise<{
  first: Scenario;
  applied: (of: Scenario, flags?: ApplyFlags) => Promise<Ran>;
}> {
  const clock = fastClock(20);
  const first = await startScenario({ rateLimit: 60, rateWindow: 20_000, now: () => new Date(clock.now()) });
  const applied = ({ folder, env }: Scenario, flags: ApplyFlags = {}): Promise<Ran> =>
    runIn(folder, env, (world) => apply(world, { yes: true, ...flags }), { clock });
  return { first, applied };
}

const links = (prefix: string, count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/${prefix}-${at}: { url: https://example.com/ }\n`).join("")}`;

// Fails if jobs with the same address take each other's requests until one fails.
it("three projects that are applied in parallel all succeed", async () => {
  const { first, applied } = await startLimited();
  const others = [await temporaryFolder(), await temporaryFolder()].map(
    (folder) => new Scenario(first.sandbox, folder),
  );
  const projects = [first, ...others];
  for (const [at, project] of projects.entries()) await project.write(links(`p${at}`, 40));
  const ran = await Promise.all(projects.map((project) => applied(project, { format: ["json"] })));
  const result = { applied: 40, failed: 0, skipped: 0, complete: true };
  expect(ran.map(({ exit, out }) => [exit, JSON.parse(out).result])).toEqual(projects.map(() => [0, result]));
  expect(first.sandbox.state().links).toHaveLength(120);
});

// Fails if a run waits too long, or does not explain its end.
it("--max-wait 1 in a full window: nothing is applied, exit 1", async () => {
  const { first, applied } = await startLimited();
  await first.write(links("l", 5));
  const headers = { authorization: `Bearer ${first.sandbox.apiKey}`, accept: "application/json" };
  await Promise.all(Array.from({ length: 60 }, () => send(first.sandbox.url, "/api/v1/links/1", { headers })));
  const { exit, out, err } = await applied(first, { maxWait: 1 });
  expect([exit, out, first.writes()]).toEqual([1, "", []]);
  expect(err).toMatch(
    /^error\[max-wait\] The service asks to wait \d+ s \(rate limit\)\. This exceeds --max-wait 1\.\n {3}= Run the command again later, or allow a longer wait\.\n\n1 error: nothing was applied\.\n$/,
  );
});
