// An apply that is stopped or killed at any of its requests. Fails if the next run does not end in the declared state, if it creates an
// object twice, or treats its own record as someone else's, or if a change that the first run made in part counts as moved.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fastClock } from "../support/clock.ts";
import { STRIKES } from "../support/faults.ts";
import type { Asked } from "../support/layer.ts";
import { MIXED, MIXED_SECRETS } from "./mixed.ts";
import { appliedAgain, appliedSavedAgain, isAny, KILLED_AFTER, problemsAfter } from "./struck.ts";
import { PLAN, savePlan, withTrial } from "./trial.ts";

const hasPixels = ({ method, body }: Asked): boolean =>
  method === "POST" && /pixel(s|_ids)%5B%5D/.test(body.toString());

describe("stopped at any request and applied again, a saved plan ends in the reviewed state", () => {
  it.each(["drop-before", "drop-after", "without-pixels"] as const)("%s", async (fault) => {
    const applies = fault === "without-pixels" ? hasPixels : isAny;
    const faulty = { run: "apply of a saved plan", strike: STRIKES[fault], ends: "stopped", applies } as const;
    expect(await problemsAfter(MIXED, faulty, appliedSavedAgain)).toEqual([]);
  });
});

it("after a kill at any request of an apply, a second apply ends in the declared state", async () => {
  const faulty = { run: "apply", ...KILLED_AFTER, applies: isAny } as const;
  expect(await problemsAfter(MIXED, faulty, appliedAgain)).toEqual([]);
});

// Fails if a saved plan contains an API key or the text of a secret.
it("a saved plan contains no secret", async () => {
  await withTrial(MIXED, null, fastClock(50), async (trial) => {
    await savePlan(trial);
    const text = await readFile(path.join(trial.folder, PLAN), "utf8");
    expect(text).toContain("LINKFORM_SECRET_DOOR");
    for (const secret of [...Object.values(MIXED_SECRETS), trial.sandbox.apiKey, "old secret"])
      expect(text).not.toContain(secret);
  });
});
