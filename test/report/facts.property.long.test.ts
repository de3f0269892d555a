// What each format says of random accounts on every version of the service. Fails if text, Markdown or HTML lacks a key, an id, clicks, a
// value, a place or a finding of the JSON document.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { drift } from "../../src/cli/drift.ts";
import { plan } from "../../src/cli/plan.ts";
import { FACT_FORMATS, missingFacts } from "../support/facts.ts";
import { account, projectOf, seedOf } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

it("each format of a plan, a comparison and an apply has the facts of the document", async () => {
  const folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(account, async (input) => {
      const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
      try {
        await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(sandbox.url, input)) });
        const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
        const flags = { format: FACT_FORMATS, verbose: true, maxLength: 1_000_000 };
        for (const run of [plan, drift]) {
          await runIn(folder, env, (world) => run(world, flags));
          expect([run.name, await missingFacts(folder)]).toEqual([run.name, []]);
        }
        await runIn(folder, env, (world) => apply(world, { ...flags, yes: true }));
        // The log of an apply has the plan before the result.
        const missing = (await missingFacts(folder)).filter((one) => !one.startsWith("text: "));
        expect(["apply", missing]).toEqual(["apply", []]);
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(200), endOnFailure: true },
  );
});
