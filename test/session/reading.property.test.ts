// Random accounts and files: a narrow reading gives the same plan as a whole one. Fails if a look-up or a filter misses a relevant record,
// in any spelling and at any position.

import fc from "fast-check";
import { expect, it } from "vitest";
import { plan } from "../../src/cli/plan.ts";
import { account, projectOf, seedOf } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

/** Links on five pages that no file names. */
const OTHERS = Array.from({ length: 450 }, (_, at) => ({
  url: "https://example.com/other",
  domain: at % 5 === 0 ? 3 : 2,
  alias: `other-${at}`,
  pixels: at === 400 ? [1] : [],
}));

const cases = fc.record({
  account: account.filter(({ livePixels }) => livePixels.length > 0),
  /** Whether the relevant records are on the first page or on the last. */
  isFirst: fc.boolean(),
  hasLabels: fc.boolean(),
  absentPixels: fc.boolean(),
});

it("a narrow reading gives the same plan as a whole one", async () => {
  const folder = await temporaryFolder();
  let narrow = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ account: one, isFirst, hasLabels, absentPixels }) => {
      const { links = [], ...rest } = seedOf(one);
      const seed = { ...rest, links: isFirst ? [...links, ...OTHERS] : [...OTHERS, ...links] };
      const sandbox = await startSandbox({ rateLimit: 0, seed, software: one.software });
      try {
        const { domains, absent, ...project } = projectOf(sandbox.url, one);
        const pixels = absentPixels ? one.livePixels.filter((name) => !one.declaredPixels.includes(name)) : [];
        const files = { ...project, ...(hasLabels && { domains }), absent: Object.assign({ pixels }, absent) };
        await writeFiles(folder, { "linkform.yaml": JSON.stringify(files) });
        const planned = async (showUnmanaged: boolean): Promise<PlanDocument> => {
          const env = { LINKFORM_API_KEY: sandbox.apiKey };
          const { out } = await runIn(folder, env, (world) => plan(world, { format: ["json"], showUnmanaged }));
          return JSON.parse(out);
        };
        const [asNeeded, whole] = [await planned(false), await planned(true)];
        expect([asNeeded.changes, asNeeded.diagnostics]).toEqual([whole.changes, whole.diagnostics]);
        if (asNeeded.requests.read < whole.requests.read) narrow += 1;
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(20), endOnFailure: true },
  );
  // The property means little if no reading was narrow.
  expect(narrow).toBeGreaterThan(0);
});
