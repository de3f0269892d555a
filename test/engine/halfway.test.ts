// A record that was stored but not completed is reported as that: never as not started, and never as "nothing applied".

import { describe, expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { startScenario, type Scenario, startWith } from "../support/scenario.ts";
import { documentThrough, once, storeWithoutPixels, TOO_MANY, type Act } from "../support/through.ts";

const PIXEL = { id: 1, name: "Main", type: "bing", value: "1" };

async function startWithPixel(): Promise<Scenario> {
  const scenario = await startScenario({ seed: { pixels: [PIXEL] } });
  await scenario.write("links: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }");
  return scenario;
}

/** Stores without the pixels. The update that would complete the record gets this response. */
const completedBy =
  (scenario: Scenario, answer: Answer) =>
  (request: string, body: string): Answer | Promise<Answer> => {
    if (request.startsWith("POST")) return storeWithoutPixels(scenario, body);
    return request.startsWith("PUT") ? answer : "forward";
  };

// Fails if the new record counts as nothing, so that the run ends with 1, "nothing was applied".
it("a row that was found, and whose completion is refused: failed, partial, 4", async () => {
  const scenario = await startWithPixel();
  const refusal = { status: 422, body: '{"message":{"pixels":["No such pixel."]},"status":422}' };
  const { exit, document } = await documentThrough(scenario, completedBy(scenario, refusal));
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error?.message).toBe(
    "`go.example.com/uses` was created (id 1), but is incomplete. The service rejected pixels: No such pixel.",
  );
  await scenario.converge();
});

// Fails if a new record counts as not started because the run was stopped by something other than a failure of the service.
it("a row that was found, and whose completion would wait too long: failed, partial, 4", async () => {
  const scenario = await startWithPixel();
  const { exit, document } = await documentThrough(scenario, completedBy(scenario, TOO_MANY), { maxWait: 0 });
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "max-wait" });
  expect(document.changes[0]?.error?.message).toContain("was created (id 1), but is incomplete.");
  await scenario.converge();
});

/**
 * A link whose change takes two calls: the service refuses the new privacy with an empty password (docs/service.md,
 * "Clearing a field").
 */
async function startWithTwoCalls(): Promise<Scenario> {
  const stats = { url: "https://example.com/", domain: 2, alias: "stats", privacy: 1, privacy_password: "old" };
  const scenario = await startScenario({ seed: { links: [stats] } });
  await scenario.write(
    "links: { go.example.com/stats: { url: https://example.com/, privacy: password, privacy_password: none } }",
  );
  return scenario;
}

/** The second PUT gets this response. */
function secondUpdate(act: (abort: () => void) => Answer): Act {
  let updates = 0;
  return (request, _body, abort) => (request.startsWith("PUT") && ++updates === 2 ? act(abort) : "forward");
}

describe("between the two calls of an update", () => {
  const HALF = "Only `privacy_password` was updated.";

  // Fails if a changed link counts as unchanged because the run was stopped and did not fail.
  it("a rate limit that takes too long: failed, partial, 4", async () => {
    const scenario = await startWithTwoCalls();
    const { exit, document } = await documentThrough(
      scenario,
      secondUpdate(() => TOO_MANY),
      { maxWait: 0 },
    );
    expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0, complete: false }]);
    expect(document.changes[0]?.error).toMatchObject({ code: "max-wait" });
    expect(document.changes[0]?.error?.message).toMatch(new RegExp(`^${HALF} The service asks to wait`));
    await scenario.converge();
  });

  // Fails if the run does not stop before the second call, or if the effect of the first call is not reported.
  it("Ctrl-C: failed, partial, 130", async () => {
    const scenario = await startWithTwoCalls();
    const { exit, document, asked } = await documentThrough(
      scenario,
      once(/^PUT/, (_body, abort): Answer => {
        abort();
        return "forward";
      }),
    );
    expect([exit, asked.filter((request) => request.startsWith("PUT")).length]).toEqual([130, 1]);
    expect(document.changes[0]?.error).toMatchObject({ message: `${HALF} The run was interrupted.` });
    await scenario.converge();
  });

  // Fails if the effect of the first call is not reported because the second one is refused.
  it("a refusal of the second call: failed, partial, 4", async () => {
    const scenario = await startWithTwoCalls();
    const refusal: Answer = { status: 422, body: '{"message":{"privacy":["No."]},"status":422}' };
    const { exit, document } = await documentThrough(
      scenario,
      secondUpdate(() => refusal),
    );
    expect([exit, document.changes[0]?.error?.message]).toEqual([4, `${HALF} The service rejected privacy: No.`]);
  });
});

// Fails if a link loses a pixel although it should have got another one first and was skipped.
it("a pixel is not deleted if its link could not get another one", async () => {
  const scenario = await startWith(
    "pixels: { New: { type: bing, value: '2' } }\nlinks: { go.example.com/uses: { url: https://example.com/, pixels: [New] } }\nabsent: { pixels: [Old] }\n",
    {
      pixels: [{ id: 1, name: "Old", type: "bing", value: "1" }],
      links: [{ url: "https://example.com/", domain: 2, alias: "uses", pixels: [1] }],
    },
  );
  const refused = { status: 422, body: '{"message":{"value":["No."]},"status":422}' };
  const { exit, document } = await documentThrough(
    scenario,
    once(/^POST/, () => refused),
  );
  expect(exit).toBe(1);
  expect(document.changes.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
    "New failed",
    "Old skipped",
    "go.example.com/uses skipped",
  ]);
  expect([scenario.writes(), scenario.link("uses").pixels]).toEqual([[], [1]]);
});
