// Somebody else changes records during an apply, long after linkform read them. Fails if an update is sent although its record was last
// read more than 10 seconds ago or differed from the plan then, or if reading the records again takes more requests than necessary.

import { describe, expect, it } from "vitest";
import { StillClock } from "../support/clock.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import type { Answer } from "../support/proxy.ts";
import { wireForm } from "../support/sandbox.ts";
import { startScenario, type Scenario, startWith } from "../support/scenario.ts";
import {
  documentThrough,
  beforeFirst,
  once,
  send,
  SERVER_ERROR,
  storeWithoutPixels,
  TOO_MANY,
  type Act,
} from "../support/through.ts";

const name = (id: number): string => `link-${String(id).padStart(3, "0")}`;

/** An account with this many links. The files give those with `ids` another destination. */
async function startUpdates(
  count: number,
  ids: readonly number[],
  domainOf = (_id: number): number => 2,
  options: SandboxOptions = {},
): Promise<Scenario> {
  const links = Array.from({ length: count }, (_, at) => ({
    url: "https://example.com/old",
    domain: domainOf(at + 1),
    alias: name(at + 1),
  }));
  const scenario = await startScenario({ ...options, seed: { links } });
  const declared = ids.map((id) => `  go.example.com/${name(id)}: { url: https://example.com/new }\n`);
  await scenario.write(`brake: { updates: 100% }\nlinks:\n${declared.join("")}`);
  return scenario;
}

const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const isUpdate = (request: string): boolean => request.startsWith("PUT");
/** The reads after the first write, without the check of the first write and the verification. */
const rereads = (asked: readonly string[]): string[] =>
  asked
    .slice(asked.findIndex(isUpdate), asked.findLastIndex(isUpdate))
    .filter((request) => request.startsWith("GET"))
    .slice(1)
    .map((request) => /links(\/\d+|\?.*)$/.exec(request)?.[0].replace(/\?.*page=(\d+)$/, " page $1") ?? request);

/** The service refuses the update with this number for a minute, and `act` runs meanwhile. */
function waitingAt(update: number, clock: StillClock, act: () => Promise<unknown>): Act {
  let updates = 0;
  return (request) => {
    if (!isUpdate(request) || ++updates !== update) return "forward";
    clock.after(1000, act);
    return TOO_MANY;
  };
}

describe("an update that waits for the rate limit", () => {
  it.each([
    ["a rename", "PUT", "alias=partner", "`alias` was link-025 and is now partner"],
    ["a deletion", "DELETE", "", "It no longer exists (id 25)"],
  ])("is skipped after %s, and one page shows the others", async (_what, method, form, says) => {
    const scenario = await startUpdates(30, all(30));
    const clock = new StillClock();
    const theirs = (): Promise<unknown> => send(scenario, method, "/api/v1/links/25", wireForm(form));
    const { exit, document, asked } = await documentThrough(
      scenario,
      waitingAt(10, clock, theirs),
      { concurrency: 3 },
      { clock },
    );
    expect([exit, document.result]).toMatchObject([4, { applied: 29, failed: 0, skipped: 1, complete: false }]);
    const change = document.changes.find(({ id }) => id === 25);
    expect(change).toMatchObject({ outcome: "skipped", error: { code: "moved" } });
    expect(change?.error?.message).toContain(says);
    expect(asked.filter((request) => request === "PUT /api/v1/links/25")).toEqual([]);
    // Row 25 is not on the page, or differs there.
    expect(rereads(asked)).toEqual(["links page 1", "links/25"]);
  });

  it.each([
    ["alone on its page: the row", 230, [5, 150], undefined, ["links/150"]],
    ["with another one: one page", 230, [5, 205, 210], undefined, ["links page 3"]],
    ["on two pages", 230, [5, 105, 110, 205, 210, 220], undefined, ["links page 2", "links page 3"]],
    ["of a domain that is read alone", 400, [4, 304, 308], (id: number) => (id % 4 === 0 ? 2 : 3), ["links page 1"]],
  ])("is read again with the fewest requests: %s", async (_what, count, ids, domainOf, reads) => {
    const scenario = await startUpdates(count, ids, domainOf);
    const clock = new StillClock();
    let updates = 0;
    const { exit, asked } = await documentThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (isUpdate(request) && ++updates === 1) await clock.sleep(11_000);
        return "forward";
      },
      { concurrency: 1 },
      { clock },
    );
    expect([exit, rereads(asked)]).toEqual([0, reads]);
  });

  it.each([
    [9000, 0],
    [11_000, 1],
  ])("is read again only if the last reading is 10 seconds old: %i ms", async (ms, reads) => {
    const scenario = await startUpdates(2, [1, 2]);
    const clock = new StillClock();
    const { exit, asked } = await documentThrough(
      scenario,
      beforeFirst(/^PUT/, () => clock.sleep(ms)),
      { concurrency: 1 },
      { clock },
    );
    expect([exit, rereads(asked).length]).toEqual([0, reads]);
  });

  it("is read alone if a page takes more than 10 seconds", async () => {
    const scenario = await startUpdates(4, [1, 2, 3]);
    const clock = new StillClock();
    const { exit, asked } = await documentThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (isUpdate(request) || request.includes("page=1")) await clock.sleep(11_000);
        return "forward";
      },
      { concurrency: 3 },
      { clock },
    );
    expect(exit).toBe(0);
    expect(rereads(asked).filter((read) => !read.includes("page")).length).toBeGreaterThan(1);
  });

  it("is read alone if rows before it were deleted and its page has others now", async () => {
    const scenario = await startUpdates(120, [1, 102, 103]);
    const clock = new StillClock();
    const { exit, document, asked } = await documentThrough(
      scenario,
      beforeFirst(/^PUT/, async () => {
        for (const id of [90, 91, 92]) await send(scenario, "DELETE", `/api/v1/links/${id}`);
        await clock.sleep(11_000);
      }),
      { concurrency: 2 },
      { clock },
    );
    expect([exit, document.result.applied]).toEqual([0, 3]);
    expect(rereads(asked)).toEqual(["links page 2", "links/102", "links/103"]);
  });
});

describe("an update whose first request is done", () => {
  const TWO_CALLS =
    "links: { go.example.com/link-001: { url: https://example.com/old, privacy: password, privacy_password: none } }";

  it("is not continued after somebody else changed its row", async () => {
    const links = [{ url: "https://example.com/old", domain: 2, alias: name(1), privacy: 1, privacy_password: "x" }];
    const scenario = await startWith(TWO_CALLS, { links });
    let updates = 0;
    const { exit, document } = await documentThrough(scenario, async (request): Promise<Answer> => {
      if (updates > 0 && request === "GET /api/v1/links/1")
        await send(scenario, "PUT", "/api/v1/links/1", wireForm("alias=partner"));
      updates += isUpdate(request) ? 1 : 0;
      return "forward";
    });
    expect([exit, updates, scenario.link("partner").privacy]).toEqual([4, 1, 1]);
    expect(document.changes[0]?.error?.message).toContain("Only `privacy_password` was updated.");
    expect(document.changes[0]?.error).toMatchObject({ code: "moved" });
  });

  it("is not tried again after somebody else changed its row", async () => {
    const scenario = await startUpdates(1, [1]);
    const { exit, document, asked } = await documentThrough(
      scenario,
      once(/^PUT/, async (): Promise<Answer> => {
        await send(scenario, "PUT", "/api/v1/links/1", wireForm("alias=partner"));
        return SERVER_ERROR;
      }),
    );
    expect([exit, asked.filter(isUpdate).length, scenario.link("partner").url]).toEqual([
      4,
      1,
      "https://example.com/old",
    ]);
    expect(document.changes[0]?.error?.message).toContain("`alias` was link-001 and is now partner");
  });
});

it("a link that was stored in part is not completed after somebody else changed it", async () => {
  const scenario = await startWith("links: { go.example.com/one: { url: https://example.com/, pixels: [Main] } }", {
    pixels: [{ name: "Main", type: "bing", value: "1" }],
  });
  const stored = once(/^POST/, (body) => storeWithoutPixels(scenario, body));
  const renamed = beforeFirst(/^GET \/api\/v1\/links\/1$/, () =>
    send(scenario, "PUT", "/api/v1/links/1", wireForm("alias=partner")),
  );
  const { exit, document } = await documentThrough(scenario, async (request, body, abort) => {
    const answer = await stored(request, body, abort);
    return answer === "forward" ? renamed(request, body, abort) : answer;
  });
  expect([exit, scenario.link("partner").pixels]).toEqual([4, []]);
  expect(document.changes[0]).toMatchObject({ outcome: "failed", error: { code: "moved" } });
});

it("a pixel that somebody else renamed is not updated", async () => {
  const pixels = ["A", "B", "C"].map((one) => ({ name: one, type: "bing", value: "1" }));
  const scenario = await startWith(
    `brake: { updates: 100% }\npixels: { A: { type: bing, value: "2" }, B: { type: bing, value: "2" }, C: { type: bing, value: "2" } }`,
    { pixels },
  );
  const clock = new StillClock();
  const { exit, document } = await documentThrough(
    scenario,
    beforeFirst(/^PUT/, async () => {
      await send(scenario, "PUT", "/api/v1/pixels/3", "name=Theirs");
      await clock.sleep(11_000);
    }),
    { concurrency: 1 },
    { clock },
  );
  expect([exit, scenario.sandbox.state().pixels.map(({ value }) => value)]).toEqual([4, ["2", "2", "1"]]);
  expect(document.changes[2]?.error?.message).toContain("`name` was C and is now Theirs");
});

it.each([
  ["a whole account", 150, all(150)],
  ["some links of it", 300, all(300).filter((id) => id % 4 === 0)],
])("a plan counts the reads of an apply that waits for the limit: %s", async (_what, count, ids) => {
  const clock = new StillClock();
  const scenario = await startUpdates(count, ids, undefined, { rateLimit: 60, now: () => new Date(clock.now()) });
  const { requests } = JSON.parse((await scenario.plan({ format: ["json"] })).out);
  await clock.sleep(60_000);
  const before = scenario.sandbox.requests.length;
  const { exit } = await documentThrough(scenario, () => "forward", {}, { clock });
  const sent = scenario.sandbox.requests.slice(before).filter(({ status }) => status !== 429).length;
  expect([exit, sent]).toEqual([0, requests.read + requests.apply + requests.verify]);
});
