// A store in doubt holds up only what needs its row: what waits, for how long, and what goes on meanwhile.

import { expect, it } from "vitest";
import { startScenario } from "../support/scenario.ts";
import { applyThrough, once } from "../support/through.ts";

// Fails when the deletes wait as well, because a link of the level before them waits for a pixel in doubt.
it("deletes go on while a link waits for its pixel", async () => {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] } });
  await scenario.write(
    "pixels: { Main: { type: bing, value: '1' } }\nlinks: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }\nabsent: { links: [go.example.com/old] }\n",
  );
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST .*pixels$/, () => "drop"),
  );
  expect(exit).toBe(0);
  const deleted = asked.indexOf("DELETE /api/v1/links/1");
  const lookedFor = asked.findIndex((request) => request.includes("search=Main"));
  expect([deleted > -1, deleted < lookedFor]).toEqual([true, true]);
  await scenario.converge();
});
