// A saved plan that was stopped in the middle and is applied again: one of each, as it was reviewed. Fails if what the first
// run left in parts is taken for moved, made twice, or not finished.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fastClock } from "../support/clock.ts";
import type { Answered, Asked, Strike } from "../support/layer.ts";
import { PIXELS_SENT } from "../support/sandbox.ts";
import { MIXED, MIXED_SECRETS } from "./mixed.ts";
import { problemsOfSaved } from "./struck.ts";
import { PLAN, savePlan, withTrial } from "./trial.ts";

const SERVER_ERROR: Answered = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"message":"Server Error"}'),
};

/** What becomes of the request at which the first run is stopped. */
const WAYS: Readonly<Record<string, Strike>> = {
  "before it is done": async ({ drop }) => drop(),
  "after it is done": async ({ forward, drop }) => {
    await forward();
    drop();
  },
  "when all but a link's pixels is saved": async ({ asked, forward, answer }) => {
    const form = new URLSearchParams(asked.body.toString());
    for (const name of PIXELS_SENT) form.delete(name);
    await forward({ body: Buffer.from(form.toString()) });
    answer(SERVER_ERROR);
  },
};

const hasPixels = ({ method, body }: Asked): boolean =>
  method === "POST" && /pixel(s|_ids)%5B%5D/.test(body.toString());

describe("stopped at any request, and applied again: as it was reviewed", () => {
  it.each(Object.entries(WAYS))("%s", async (way, strike) => {
    const applies = way.includes("pixels") ? hasPixels : (): boolean => true;
    expect(await problemsOfSaved(MIXED, { strike, isStopped: true, applies })).toEqual([]);
  });
});

// Fails when a key or the text of a secret is in the plan that a pipeline keeps.
it("no secret is in a saved plan", async () => {
  await withTrial(MIXED, null, fastClock(50), async (trial) => {
    await savePlan(trial);
    const text = await readFile(path.join(trial.folder, PLAN), "utf8");
    expect(text).toContain("LINKFORM_SECRET_DOOR");
    for (const secret of [...Object.values(MIXED_SECRETS), trial.sandbox.apiKey, "old secret"])
      expect(text).not.toContain(secret);
  });
});
