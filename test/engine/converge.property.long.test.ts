// Random live and desired states: after an apply, the plan is empty. Fails if any combination of fields is read, compared, ordered or
// written wrongly, if anything undeclared is changed, or if apply does more than planned.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runs } from "../support/states.ts";
import { expectLegalOrder, expectPromised } from "../support/written.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

async function check(folder: string, input: Account): Promise<"planned" | "refused"> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
  try {
    await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(sandbox.url, input)) });
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
    const document = async (): Promise<PlanDocument> =>
      JSON.parse((await runIn(folder, env, (world) => plan(world, { format: ["json"] }))).out);
    const planned = await document();
    const before = sandbox.requests.length;
    expect(sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
    const state = sandbox.state();
    const { exit, err, out } = await runIn(folder, env, (world) =>
      apply(world, { yes: true, quiet: true, concurrency: 3 }),
    );

    const writes = sandbox.requests.slice(before).filter(({ method }) => method !== "GET");
    if (!planned.complete) {
      expect({ exit, writes }).toEqual({ exit: 1, writes: [] });
      return "refused";
    }
    expect({ exit, err, out }).toMatchObject({ exit: 0, err: "" });
    expectPromised(planned.changes, writes);
    expectLegalOrder(state, writes);
    // The plan has the number of requests to read, to apply and to verify.
    const { read, apply: applied, verify } = planned.requests;
    expect(sandbox.requests.length - before).toBe(read + applied + verify);

    const touched = new Set(planned.changes.map(({ kind, id }) => `${kind} ${id}`));
    const after = sandbox.state();
    for (const link of state.links) if (!touched.has(`link ${link.id}`)) expect(after.links).toContainEqual(link);
    for (const pixel of state.pixels) if (!touched.has(`pixel ${pixel.id}`)) expect(after.pixels).toContainEqual(pixel);

    const again = await document();
    expect({ changes: again.changes, complete: again.complete }).toEqual({ changes: [], complete: true });
    return "planned";
  } finally {
    await sandbox.close();
  }
}

it("after an apply, the plan is empty, nothing else has changed, pixels came first, and only planned changes were made", async () => {
  const folder = await temporaryFolder();
  const endings = { planned: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(account, async (input) => {
      endings[await check(folder, input)] += 1;
    }),
    { numRuns: runs(150), endOnFailure: false },
  );
  // The property means little if most runs change nothing.
  expect(endings.planned).toBeGreaterThan(endings.refused);
});
