// Runs that share a rate limit of sixty requests.

import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { fastClock } from "../support/clock.ts";
import { runIn, startScenario, temporaryFolder, Scenario } from "../support/scenario.ts";

const links = (prefix: string, count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/${prefix}-${at}: { url: https://example.com/ }\n`).join("")}`;

// Fails if jobs with the same address take each other's requests until one fails.
it("three projects that are applied in parallel all succeed", async () => {
  // The window is slow enough for sixty requests. The sandbox and the commands share the clock.
  const clock = fastClock(20);
  const first = await startScenario({ rateLimit: 60, rateWindow: 20_000, now: () => new Date(clock.now()) });
  const others = [await temporaryFolder(), await temporaryFolder()].map(
    (folder) => new Scenario(first.sandbox, folder),
  );
  const projects = [first, ...others];
  for (const [at, project] of projects.entries()) await project.write(links(`p${at}`, 40));
  const flags = { yes: true, format: ["json"] };
  const ran = await Promise.all(
    projects.map(({ folder, env }) => runIn(folder, env, (world) => apply(world, flags), { clock })),
  );
  const result = { applied: 40, failed: 0, skipped: 0, complete: true };
  expect(ran.map(({ exit, out }) => [exit, JSON.parse(out).result])).toEqual(projects.map(() => [0, result]));
  expect(first.sandbox.state().links).toHaveLength(120);
});
