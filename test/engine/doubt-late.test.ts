// The last check of all uncertain records: late ones are completed, and duplicates are reported (promise 6).

import { expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { startScenario, startWith } from "../support/scenario.ts";
import { documentThrough, send, SERVER_ERROR, type Act } from "../support/through.ts";

const TRIES = 3;
const isStore = (request: string): boolean => request === "POST /api/v1/links";
const isLook = (request: string): boolean => request.startsWith("GET /api/v1/links?") && request.includes("search=");

/** No store gets a response. Just before the check with this number, counted from 1, `act` runs. */
function unanswered(look: number, act: () => Promise<unknown>): Act {
  let looks = 0;
  return async (request) => {
    if (isStore(request)) return SERVER_ERROR;
    if (isLook(request) && ++looks === look) await act();
    return "forward";
  };
}

const LATE = "url=https%3A%2F%2Fexample.com%2F&domain=2&alias=late";

// Fails if a record that appeared after the last attempt stays incomplete and is reported as failed.
it("a row that appeared after the last attempt is completed, and counts as applied", async () => {
  const scenario = await startScenario({ seed: { pixels: [{ id: 1, name: "Main", type: "bing", value: "1" }] } });
  await scenario.write("links: { go.example.com/late: { url: https://example.com/, pixels: [Main] } }");
  const { exit, err, document, asked } = await documentThrough(
    scenario,
    unanswered(TRIES + 1, () => send(scenario, "POST", "/api/v1/links", LATE)),
  );
  expect([exit, document.result, asked.filter(isStore).length]).toEqual([
    0,
    { applied: 1, failed: 0, skipped: 0, complete: true },
    TRIES,
  ]);
  expect(err).toContain("✗ create link go.example.com/late");
  expect(err).toContain("✓ created link go.example.com/late");
  expect(scenario.link("late").pixels).toEqual([1]);
  await scenario.converge();
});

// Fails if a replacement counts as done although the old link still exists.
it("a replacement whose new row appeared after the last attempt stays failed, and the next run completes it", async () => {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 3, alias: "old" }] } });
  await scenario.write(
    "links: { go.example.com/late: { url: https://example.com/, renamed_from: promo.example.com/old } }",
  );
  const { exit, document } = await documentThrough(
    scenario,
    unanswered(TRIES + 1, () => send(scenario, "POST", "/api/v1/links", LATE)),
  );
  expect([exit, document.result]).toEqual([4, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  // Never reported as applied first and as failed later.
  expect(document.changes[0]?.error).toMatchObject({ code: "server-error" });
  await scenario.converge();
  expect(scenario.sandbox.state().links.map(({ id, alias }) => `${alias} ${id}`)).toEqual(["late 2"]);
});

// Fails if the old link of a replacement is deleted before the new one is known to exist, or if the new one is created twice.
it("a replacement with an uncertain store is found, and then the old link is deleted", async () => {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 3, alias: "old" }] } });
  await scenario.write(
    "links: { go.example.com/late: { url: https://example.com/, renamed_from: promo.example.com/old } }",
  );
  const { exit, asked } = await documentThrough(scenario, async (request, body): Promise<Answer> => {
    if (!isStore(request)) return "forward";
    await send(scenario, "POST", "/api/v1/links", body);
    return SERVER_ERROR;
  });
  expect([exit, asked.filter((request) => !request.startsWith("GET"))]).toEqual([
    0,
    ["POST /api/v1/links", "DELETE /links/1/destroy", "DELETE /api/v1/links/1"],
  ]);
  await scenario.converge();
});

/** The result of a search after two overlapping stores both succeeded (docs/service.md, "Writing"). */
const TWICE: Answer = {
  status: 200,
  body: JSON.stringify({
    data: [7, 8].map((id) => ({
      id,
      alias: "late",
      url: "https://example.com/",
      domain: { id: 2, name: "go.example.com" },
    })),
    meta: { current_page: 1, last_page: 1, total: 2 },
  }),
};

// Fails if two records are reported only after a store with a response.
it("a link that was created twice after the last attempt is reported as a duplicate", async () => {
  const scenario = await startWith("links: { go.example.com/late: { url: https://example.com/ } }");
  let looks = 0;
  const { document } = await documentThrough(scenario, (request) => {
    if (isStore(request)) return SERVER_ERROR;
    return isLook(request) && ++looks > TRIES ? TWICE : "forward";
  });
  expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "doubled" } });
});

/** The first store has no effect and no response. Just before the last check, `act` runs. */
function lostOnce(act: () => Promise<unknown>): Act {
  let [stores, looks] = [0, 0];
  return async (request) => {
    if (isStore(request) && ++stores === 1) return SERVER_ERROR;
    if (isLook(request) && ++looks === 2) await act();
    return "forward";
  };
}

// Fails if a correct record is completed or reported again.
it("a link that the second attempt created is reported once", async () => {
  const scenario = await startWith("links: { go.example.com/late: { url: https://example.com/ } }");
  const { exit, err } = await documentThrough(
    scenario,
    lostOnce(() => Promise.resolve()),
  );
  expect([exit, err.match(/✓ created/g)]).toEqual([0, ["✓ created"]]);
});

// Fails if a record that differs from the sent values counts as applied. One of two stores may be somebody else's.
it("a link that somebody else created or changed is reported", async () => {
  const scenario = await startWith("links: { go.example.com/late: { url: https://example.com/ } }");
  const { exit, document } = await documentThrough(
    scenario,
    lostOnce(() => send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Ftheirs.example%2F")),
  );
  expect(exit).toBe(4);
  expect(document.changes[0]?.error).toMatchObject({
    code: "changed-meanwhile",
    message: "`url` was sent as https://example.com/ and is now https://theirs.example/.",
  });
});
