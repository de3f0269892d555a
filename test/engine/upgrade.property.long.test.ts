// Random projects of 4.1 after an upgrade of the service: in sync, or the error names what the new version cannot store.

import fc from "fast-check";
import { expect, it } from "vitest";
import { account, projectOf, seedOf } from "../support/random-account.ts";
import { holds, startSandbox, upgradeOf } from "../support/sandbox.ts";
import { Scenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

// Fails if a version reads or compares a field differently than the one before.
it.each(["44", "49"] as const)(
  "random projects of 4.1 are in sync on %s, or name what it cannot express",
  async (software) => {
    const folder = await temporaryFolder();
    const counted = { same: 0, named: 0 };
    await fc.assert(
      fc.asyncProperty(account, async (input) => {
        const old = await startSandbox({ rateLimit: 0, software: "4.1", seed: seedOf(input) });
        await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(old.url, input)) });
        const scenario = new Scenario(old, folder);
        const { exit } = await scenario.apply({ quiet: true });
        const copy = await upgradeOf(old, software);
        try {
          if (exit !== 0) return;
          const { complete, changes, diagnostics } = await new Scenario(copy, folder).planDocument();
          expect(changes).toEqual([]);
          const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
          expect(new Set(errors)).toEqual(new Set(complete ? [] : ["not-in-version"]));
          counted[complete ? "same" : "named"] += 1;
        } finally {
          await copy.close();
        }
      }),
      { numRuns: runs(40), endOnFailure: false },
    );
    expect(counted.same).toBeGreaterThan(0);
    // Random accounts for tests on 49 only have what it can express.
    expect(counted.named > 0).toBe(software === "49" && holds("disabled links"));
  },
);
