// Promise 4 for random links and blocks: in every combination, a field that a block leaves out stays as it is if it closes the link.

import fc from "fast-check";
import { expect, it } from "vitest";
import { declaredLink, liveLink } from "../support/random-account.ts";
import { holds, startSandbox } from "../support/sandbox.ts";
import { Scenario, temporaryFolder } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const url = "https://example.com/";
const NOW = "2026-11-21T12:00:00.000Z";
const COUNT = 40;

it("only the fields that a block declares open a link", async () => {
  const folder = await temporaryFolder();
  const kept = new Set<string>();
  const pairs = fc.array(fc.tuple(liveLink, declaredLink), { minLength: COUNT, maxLength: COUNT });
  await fc.assert(
    fc.asyncProperty(pairs, async (all) => {
      const own = { url, space: null, pixels: [], domain: 2 };
      const links = all.map(([live], at) => ({ ...live, ...own, alias: `shut-${at}` }));
      const sandbox = await startSandbox({ rateLimit: 0, seed: { links } });
      try {
        const blocks = all.map(([, { pixels: _pixels, targeting: _targeting, ...block }], at) => [
          `go.example.com/shut-${at}`,
          { ...block, url },
        ]);
        const scenario = new Scenario(sandbox, folder);
        const text = JSON.stringify(Object.fromEntries(blocks));
        await scenario.write(`brake: { deletes: 100%, updates: 100%, clicks: 100% }\nlinks: ${text}\n`);
        const before = sandbox.state().links;
        await scenario.converge();
        for (const [at, [, block]] of all.entries()) {
          const [was, is] = [before[at], scenario.link(`shut-${at}`)];
          const { ends_at: end = null, expiration_clicks: limit = null, clicks = 0 } = was ?? {};
          const { expiration = {}, password, privacy, privacy_password, disabled } = block;
          const isLeftOut = (key: string): boolean => typeof expiration === "object" && !(key in expiration);
          // One of the two keeps the link expired, so the other one stays, too.
          const isOver =
            (isLeftOut("date") && end !== null && end <= NOW) ||
            (isLeftOut("clicks") && limit !== null && limit > 0 && clicks >= limit);
          const leftOut = [
            ["password", password === undefined],
            ["privacy", privacy === undefined],
            ["privacy_password", privacy_password === undefined],
            ["disabled", disabled === undefined],
            ["ends_at", isOver && isLeftOut("date")],
            ["expiration_clicks", isOver && isLeftOut("clicks")],
          ] as const;
          for (const [field, isLeft] of leftOut) {
            if (!isLeft) continue;
            expect({ was, block, [field]: is[field] }).toEqual({ was, block, [field]: was?.[field] });
            if ((was?.[field] ?? 0) !== 0) kept.add(field);
          }
        }
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(5), endOnFailure: true },
  );
  expect(kept.size).toBe(holds("disabled links") ? 6 : 5);
}, 120_000);
