// Random projects of 4.1 after an upgrade of the service: in sync, or the error names what the new version cannot store.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Software } from "../../src/domain/software.ts";
import type { SeedState, State } from "../../src/sandbox/index.ts";
import { account, projectOf, seedOf } from "../support/random-account.ts";
import { holds, startSandbox } from "../support/sandbox.ts";
import { Scenario, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

/** An account as a version would hold it: on 49 an end of a period has an effect only with a start. */
function heldBy(software: Software, state: State): SeedState {
  if (software !== "49") return state;
  const links = state.links.map((link) =>
    link.ends_at === null ? link : { ...link, starts_at: link.starts_at ?? "1970-01-02T00:00:00.000Z" },
  );
  return { ...state, links };
}

// Fails when a version reads or compares a field in another way than the one before.
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
        const state = old.state();
        await old.close();
        if (exit !== 0) return;
        const copy = await startSandbox({
          port: old.port,
          apiKey: old.apiKey,
          software,
          rateLimit: 0,
          seed: heldBy(software, state),
        });
        try {
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
    // Random accounts for tests on 49 hold only what it can express.
    expect(counted.named > 0).toBe(software === "49" && holds("disabled links"));
  },
);
