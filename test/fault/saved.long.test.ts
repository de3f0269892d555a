// A saved plan that was stopped and is applied again ends in the reviewed state. Fails if a change that the first
// run made in part counts as moved, is made twice, or is not completed.

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

/** What happens to the request at which the first run stops. */
const WAYS: Readonly<Record<string, Strike>> = {
  "before the request is processed": async ({ drop }) => drop(),
  "after the request is processed": async ({ forward, drop }) => {
    await forward();
    drop();
  },
  "after a link is saved without its pixels": async ({ asked, forward, answer }) => {
    const form = new URLSearchParams(asked.body.toString());
    for (const name of PIXELS_SENT) form.delete(name);
    await forward({ body: Buffer.from(form.toString()) });
    answer(SERVER_ERROR);
  },
};

const hasPixels = ({ method, body }: Asked): boolean =>
  method === "POST" && /pixel(s|_ids)%5B%5D/.test(body.toString());

describe("stopped at any request and applied again, a saved plan ends in the reviewed state", () => {
  it.each(Object.entries(WAYS))("%s", async (way, strike) => {
    const applies = way.includes("pixels") ? hasPixels : (): boolean => true;
    expect(await problemsOfSaved(MIXED, { strike, isStopped: true, applies })).toEqual([]);
  });
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
