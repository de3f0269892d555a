// What was stored but could not be finished is told as that: never as not begun, nor as nothing applied.

import { expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { startScenario, type Scenario } from "../support/scenario.ts";
import { documentThrough, storeWithoutPixels, TOO_MANY } from "../support/through.ts";

const PIXEL = { id: 1, name: "Main", type: "bing", value: "1" };

async function startWithPixel(): Promise<Scenario> {
  const scenario = await startScenario({ seed: { pixels: [PIXEL] } });
  await scenario.write("links: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }");
  return scenario;
}

/** Stores without the pixels; the update that would complete the row gets this answer. */
const completedBy =
  (scenario: Scenario, answer: Answer) =>
  (request: string, body: string): Answer | Promise<Answer> => {
    if (request.startsWith("POST")) return storeWithoutPixels(scenario, body);
    return request.startsWith("PUT") ? answer : "forward";
  };

// Fails when the row that was made counts as nothing: then the run ends with 1, "nothing was applied".
it("a row that was found, and whose completion is refused: failed, half-done, 4", async () => {
  const scenario = await startWithPixel();
  const refusal = { status: 422, body: '{"message":{"pixels":["No such pixel."]},"status":422}' };
  const { exit, document } = await documentThrough(scenario, completedBy(scenario, refusal));
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0 }]);
  expect(document.changes[0]?.error?.message).toBe(
    "`go.example.com/uses` is there (id 1), but not all of it. The service refuses pixels: No such pixel.",
  );
  await scenario.converge();
});

// Fails when a row that was made counts as not begun, because what stopped the run is no failure of the service.
it("a row that was found, and whose completion may not be waited for: failed, half-done, 4", async () => {
  const scenario = await startWithPixel();
  const { exit, document } = await documentThrough(scenario, completedBy(scenario, TOO_MANY), { maxWait: 0 });
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0 }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "max-wait" });
  expect(document.changes[0]?.error?.message).toContain("is there (id 1), but not all of it.");
  await scenario.converge();
});
