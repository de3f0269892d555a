// A run that stops: Ctrl-C, a service that is down, or a change that is made in part. The report always shows what was done: nothing that
// was stored counts as not started, and never as "nothing was applied".

import { expect, it } from "vitest";
import type { ApplyFlags } from "../../src/cli/apply.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { type Answer } from "../support/proxy.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import {
  applyThrough,
  documentThrough,
  once,
  SERVER_ERROR,
  storeWithoutPixels,
  TOO_MANY,
  type Act,
  type Through,
} from "../support/through.ts";

const links = (count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("")}`;

/** Applies one change at a time. */
const applyInTurn = (scenario: Scenario, act: Act, flags: ApplyFlags = {}): Promise<Through> =>
  applyThrough(scenario, act, { concurrency: 1, ...flags });

/** Ctrl-C at the store with this number. */
function abortAt(store: number, then: (request: string, abort: () => void) => void = () => undefined): Act {
  let stores = 0;
  return (request, _body, abort) => {
    if (request.startsWith("POST") && ++stores === store) abort();
    then(request, abort);
    return "forward";
  };
}

// Fails if the running call is aborted, another one starts, or a completed change is not reported.
it("interrupted during a call: that call ends, the rest is skipped, 130", async () => {
  const scenario = await startWith(links(5));
  const { exit, out, err } = await applyInTurn(scenario, abortAt(3));
  expect(exit).toBe(130);
  expect(out).toContain("Not all changes were applied: 3 created; 2 not started.\n");
  expect(err).toContain("✓ created link go.example.com/l2\n");
  expect(out).toMatch(
    /○ 2 changes\n +The run was interrupted\.\n +create link go.example.com\/l3 .*\n +create link go.example.com\/l4 .*\n/,
  );
  expect(scenario.sandbox.state().links).toHaveLength(3);
  await scenario.converge();
});

// Fails if the last change is read again after Ctrl-C, or counts as verified without a check.
it("interrupted during the last call: applied, not verified, 130", async () => {
  const { exit, out, asked } = await applyInTurn(await startWith(links(1)), abortAt(1));
  expect(exit).toBe(130);
  expect(out).toMatch(
    /^Done: 1 created\. The changes were not verified\. Run `linkform plan` to check the account\.\n/,
  );
  expect(asked.at(-1)).toBe("POST /api/v1/links");
});

// Fails if Ctrl-C has an effect only after the whole account was read.
it("interrupted during reading: nothing is applied, 130", async () => {
  const scenario = await startWith(links(2));
  const { exit, err } = await applyInTurn(
    scenario,
    abortAt(0, (_request, abort) => abort()),
  );
  expect(exit).toBe(130);
  expect(err).toContain("error[interrupted] The run was interrupted.\n");
  expect(err).toContain("nothing was applied.");
  expect(scenario.writes()).toEqual([]);
});

// Fails if a run that was interrupted at its very end looks complete, or like a bug.
it("interrupted during verification: the changes that were not verified are reported, 130", async () => {
  let stores = 0;
  const { exit, out, err } = await applyInTurn(
    await startWith(links(2)),
    abortAt(0, (request, abort) => {
      if (request.startsWith("POST")) stores += 1;
      if (stores === 2 && request.startsWith("GET")) abort();
    }),
  );
  expect(exit).toBe(130);
  expect(out).toContain("Not all changes were applied: 2 failed.");
  expect(err).toContain("It was applied, but linkform could not read it again: The run was interrupted.");
  expect(err).not.toContain("linkform itself failed");
});

const TAKEN = { status: 422, body: '{"message":{"alias":["The alias has already been taken."]},"status":422}' };

// Fails if an uncertain store counts as not started, if linkform waits for it after Ctrl-C, or if the refusal of a second store hides
// that the first one may have worked, and caused the refusal. A store that was found stays applied.
it.each<[string, number, Answer[], number | "search", object, string | undefined]>([
  ["while the result of a store is unknown", 2, ["drop"], 1, { applied: 0, failed: 1, skipped: 1 }, "unreachable"],
  ["while a store is looked up", 1, [SERVER_ERROR], "search", { applied: 0, failed: 1, skipped: 0 }, "server-error"],
  [
    "while a second store is refused",
    1,
    [SERVER_ERROR, TAKEN],
    2,
    { applied: 0, failed: 1, skipped: 0 },
    "server-error",
  ],
  ["after an uncertain store was found", 2, [SERVER_ERROR], 3, { applied: 2, failed: 0, skipped: 0 }, undefined],
])("interrupted %s: the report shows what may have happened", async (_what, count, answers, abortsAt, result, code) => {
  const scenario = await startWith(links(count));
  let stores = 0;
  const act: Act = (request, _body, abort) => {
    const isStore = request.startsWith("POST");
    if (isStore) stores += 1;
    if (isStore ? stores === abortsAt : abortsAt === "search" && request.includes("search=l0")) abort();
    return (isStore ? answers[stores - 1] : undefined) ?? "forward";
  };
  const { exit, err, document } = await documentThrough(scenario, act, { concurrency: 1 });
  expect([exit, document.result]).toEqual([130, { ...result, complete: false }]);
  expect(document.changes[0]?.error?.code).toBe(code);
  expect(document.diagnostics.map((one) => one.code)).toContain("interrupted");
  // With JSON, only the document reports it.
  expect(err).not.toContain("error[interrupted] The run was interrupted.");
  await scenario.converge();
});

// Fails if a run that was stopped by the rate limit ends as if nothing had been applied, or does not explain what it skipped.
it("a rate limit that takes too long: the rest is skipped with the reason, 4", async () => {
  const scenario = await startWith(links(5));
  let stores = 0;
  const act: Act = (request) => (request.startsWith("POST") && ++stores > 2 ? TOO_MANY : "forward");
  const { exit, document } = await documentThrough(scenario, act, { concurrency: 1, maxWait: 1 });
  expect([exit, document.result]).toEqual([4, { applied: 2, failed: 0, skipped: 3, complete: false }]);
  expect(document.diagnostics).toMatchObject([{ code: "max-wait", severity: "error" }]);
  for (const { error } of document.changes.slice(2)) expect(error?.message).toMatch(/This exceeds --max-wait 1\.$/);
  await scenario.converge();
});

// Fails if linkform sends every remaining change, with all retries, to a service that is down.
it("a service that is down ends the run after a while", async () => {
  const scenario = await startWith(links(60));
  let stores = 0;
  const { exit, out, err } = await applyInTurn(
    scenario,
    (request) => ((request.startsWith("GET") && stores <= 5) || ++stores <= 5 ? "forward" : "drop"),
    { concurrency: 10 },
  );
  expect(exit).toBe(4);
  expect(err).toContain("error[service-down] The service has not responded for a minute. It seems to be down.");
  expect(out).toMatch(/^Not all changes were applied: 5 created; \d+ failed, [345]\d not started\./);
  await scenario.converge();
});

const PIXEL = { id: 1, name: "Main", type: "bing", value: "1" };
const STATS = { url: "https://example.com/", domain: 2, alias: "stats", privacy: 1, privacy_password: "old" };

/** A link that is stored without its pixels, and gets them by an update. */
const IN_PART: [string, SeedState] = [
  "links: { go.example.com/uses: { url: https://example.com/, pixels: [Main] } }",
  { pixels: [PIXEL] },
];
/** A change that takes two calls: the service refuses the new privacy with an empty password (docs/service.md, "Clearing a field"). */
const TWO_CALLS: [string, SeedState] = [
  "links: { go.example.com/stats: { url: https://example.com/, privacy: password, privacy_password: none } }",
  { links: [STATS] },
];

const refusal = (field: string): Answer => ({ status: 422, body: `{"message":{"${field}":["No."]},"status":422}` });
const CREATED = "`go.example.com/uses` was created (id 1), but is incomplete.";
const HALF = "Only `privacy_password` was updated.";

// Fails if a changed object counts as unchanged because something other than a failure of the service stopped the run, or if the effect
// of the first call is not reported.
it.each<[string, [string, SeedState], number, Answer | "abort", ApplyFlags, number, string]>([
  ["a refused completion", IN_PART, 1, refusal("pixels"), {}, 4, `${CREATED} The service rejected pixels: No.`],
  ["a completion that waits too long", IN_PART, 1, TOO_MANY, { maxWait: 0 }, 4, `${CREATED} The service asks to wait`],
  ["a second call that waits too long", TWO_CALLS, 2, TOO_MANY, { maxWait: 0 }, 4, `${HALF} The service asks to wait`],
  ["a refused second call", TWO_CALLS, 2, refusal("privacy"), {}, 4, `${HALF} The service rejected privacy: No.`],
  ["Ctrl-C before the second call", TWO_CALLS, 1, "abort", {}, 130, `${HALF} The run was interrupted.`],
])("a change that was made in part is a failed one: %s", async (_what, start, update, answer, flags, code, says) => {
  const scenario = await startWith(...start);
  let updates = 0;
  const act: Act = (request, body, abort) => {
    if (request.startsWith("POST")) return storeWithoutPixels(scenario, body);
    if (!request.startsWith("PUT") || ++updates < update) return "forward";
    if (answer !== "abort") return answer;
    abort();
    return "forward";
  };
  const { exit, document } = await documentThrough(scenario, act, flags);
  expect([exit, document.result]).toEqual([code, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  if (answer === "abort") expect(updates).toBe(update);
  expect(document.changes[0]?.error?.message.slice(0, says.length)).toBe(says);
  await scenario.converge();
});

// Fails if a link is stored without the pixel that failed, if other links are not stored, or if a pixel is deleted although its link could
// not get another one.
it("a change that needs a failed one is skipped with the reason, and the others are made", async () => {
  const scenario = await startWith(
    "pixels: { New: { type: bing, value: '2' } }\nlinks: { go.example.com/uses: { url: https://example.com/, pixels: [New] }, go.example.com/plain: { url: https://example.com/ } }\nabsent: { pixels: [Old] }\n",
    {
      pixels: [{ ...PIXEL, name: "Old" }],
      links: [{ url: "https://example.com/", domain: 2, alias: "uses", pixels: [1] }],
    },
  );
  const { exit, document } = await documentThrough(
    scenario,
    once(/^POST .*pixels/, () => refusal("value")),
  );
  expect([exit, document.result]).toEqual([4, { applied: 1, failed: 1, skipped: 2, complete: false }]);
  const ends = document.changes.map(({ key, outcome, error }) => [
    key,
    outcome,
    error?.code === "refused" ? "" : error?.message,
  ]);
  expect(ends).toEqual([
    ["New", "failed", ""],
    ["Old", "skipped", "It depends on the link go.example.com/uses, which could not be updated."],
    ["go.example.com/plain", "applied", undefined],
    ["go.example.com/uses", "skipped", "It depends on the pixel New, which could not be created."],
  ]);
  expect([scenario.writes(), scenario.link("uses").pixels]).toEqual([["POST /api/v1/links"], [1]]);
});
