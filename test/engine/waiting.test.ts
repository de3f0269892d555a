// linkform waits for an uncertain store only as long as the service may still process it. Only changes that need its record wait.

import { expect, it } from "vitest";
import { holdingClock, StillClock } from "../support/clock.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import { applyThrough, documentThrough, once, send, SERVER_ERROR, TOO_MANY, type Act } from "../support/through.ts";

const OLD = { url: "https://example.com/", domain: 2, alias: "old" };
const SLOW = "links: { go.example.com/slow: { url: https://example.com/ } }";

/** The part of the 0.5 s backoff that is not random. */
const FIRST_DELAY = 250;

const isGone = ({ sandbox }: Scenario, alias: string): boolean =>
  sandbox.state().links.every((link) => link.alias !== alias);

const isStore = (request: string): boolean => request === "POST /api/v1/links";

// Fails if "not there" counts before 6 s have passed since the response was lost, or only after much more; or if the 6 s start before the
// store is sent.
it.each([
  ["at once", 0, [6000]],
  // Without a Retry-After header, linkform waits a minute.
  ["after a wait for the rate limit", 1, [60_000, 6000]],
])("a store that is sent %s, and takes 5 s after its response was lost, is found", async (_what, refusals, slept) => {
  const scenario = await startWith(SLOW);
  const clock = new StillClock();
  let stores = 0;
  const act: Act = (request, body) => {
    if (!isStore(request)) return "forward";
    stores += 1;
    if (stores <= refusals) return TOO_MANY;
    clock.after(5000, () => send(scenario, "POST", "/api/v1/links", body));
    return "drop";
  };
  const { exit } = await applyThrough(scenario, act, {}, { clock });
  expect([exit, stores, clock.slept]).toEqual([0, refusals + 1, slept]);
  await scenario.converge();
});

// Fails if linkform waits for a store that has ended, or sends it again immediately.
it("after a 500, linkform looks immediately, and sends the store again after a pause", async () => {
  const scenario = await startWith(SLOW);
  const clock = new StillClock();
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST/, () => SERVER_ERROR),
    {},
    { clock },
  );
  expect([exit, asked.filter(isStore).length, clock.slept]).toEqual([0, 2, [FIRST_DELAY]]);
});

// Fails if the other changes wait as long as an uncertain store.
it("other links are stored and deleted meanwhile", async () => {
  const scenario = await startWith(
    "links:\n  go.example.com/first: { url: https://example.com/ }\n  go.example.com/quick: { url: https://example.com/ }\nabsent: { links: [go.example.com/old] }\n",
    { links: [OLD] },
  );
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST/, () => "drop"),
    { concurrency: 1 },
    { clock: holdingClock(() => isGone(scenario, "old")) },
  );
  const found = asked.findIndex((request) => request.includes("search=first"));
  const before = asked.slice(0, found).filter((request) => !request.startsWith("GET"));
  expect([exit, before.slice(0, 2), before.at(-1)]).toEqual([
    0,
    ["POST /api/v1/links", "POST /api/v1/links"],
    "DELETE /api/v1/links/1",
  ]);
  await scenario.converge();
});

// Fails if changes that need an uncertain pixel are skipped or sent without it, or if the deletes of the next level wait.
it("a link waits for its uncertain pixel, and deletes do not", async () => {
  const scenario = await startWith(
    "pixels: { Main: { type: bing, value: '1' } }\nlinks: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }\nabsent: { links: [go.example.com/old] }\n",
    { links: [OLD] },
  );
  const { exit, asked } = await applyThrough(
    scenario,
    once(/^POST .*pixels$/, () => "drop"),
    {},
    { clock: holdingClock(() => isGone(scenario, "old")) },
  );
  expect(exit).toBe(0);
  const steps = asked.filter((request) => !request.startsWith("GET") || /search=Main.*sort=asc/.test(request));
  expect(steps.map((request) => request.replace(/\?.*/, ""))).toEqual([
    "POST /index.php/api/v1/pixels",
    "DELETE /links/1/destroy",
    "DELETE /api/v1/links/1",
    "GET /index.php/api/v1/pixels",
    "POST /index.php/api/v1/pixels",
    "POST /api/v1/links",
  ]);
  expect(scenario.link("uses").pixels).toEqual([1]);
  await scenario.converge();
});

/** A clock on which only Ctrl-C ends a wait. The first wait triggers it. */
class EndlessClock extends StillClock {
  onSleep: () => void = () => undefined;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      this.onSleep();
    });
  }
}

// Fails if Ctrl-C has an effect only after the 6 s, which never pass here.
it("Ctrl-C ends the wait for an uncertain store", async () => {
  const scenario = await startWith(SLOW);
  const clock = new EndlessClock();
  const drop: Act = (request, _body, abort) => {
    clock.onSleep = abort;
    return isStore(request) ? "drop" : "forward";
  };
  const { exit, document } = await documentThrough(scenario, drop, {}, { clock });
  expect([exit, document.result]).toEqual([130, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "unreachable" });
});
