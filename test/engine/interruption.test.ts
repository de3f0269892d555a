// Ctrl-C and a time limit: the report always shows what was done.

import { expect, it } from "vitest";
import type { ApplyFlags } from "../../src/cli/apply.ts";
import { interruption } from "../../src/cli/interruption.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { type Answer } from "../support/proxy.ts";
import { type Scenario, startWith } from "../support/scenario.ts";
import { applyThrough, documentThrough, once, SERVER_ERROR, type Act, type Through } from "../support/through.ts";

const links = (count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("")}`;

/** Applies one change at a time. */
const applyInTurn = (scenario: Scenario, act: Act, flags: ApplyFlags = {}): Promise<Through> =>
  applyThrough(scenario, act, { concurrency: 1, ...flags });

// Fails if the running call is aborted, another one starts, or a completed change is not reported.
it("interrupted during a call: that call ends, the rest is skipped, 130", async () => {
  const scenario = await startWith(links(5));
  let stores = 0;
  const { exit, out, err } = await applyInTurn(scenario, (request, _body, abort) => {
    if (request.startsWith("POST") && ++stores === 3) abort();
    return "forward";
  });
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
  const scenario = await startWith(links(1));
  const { exit, out, asked } = await applyInTurn(
    scenario,
    once(/^POST/, (_body, abort): Answer => {
      abort();
      return "forward";
    }),
  );
  expect([exit, out]).toEqual([
    130,
    expect.stringMatching(
      /^Done: 1 created\. The changes were not verified\. Run `linkform plan` to check the account\.\n/,
    ),
  ]);
  expect(asked.at(-1)).toBe("POST /api/v1/links");
});

// Fails if Ctrl-C has an effect only after the whole account was read.
it("interrupted during reading: nothing is applied, 130", async () => {
  const scenario = await startWith(links(2));
  const { exit, err } = await applyInTurn(scenario, (_request, _body, abort) => {
    abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(err).toContain("error[interrupted] The run was interrupted.\n");
  expect(err).toContain("nothing was applied.");
  expect(scenario.writes()).toEqual([]);
});

// Fails if an uncertain store counts as not started, or if linkform waits for it after Ctrl-C.
it("interrupted while the result of a store is unknown: it is reported as failed, and may have been made", async () => {
  const scenario = await startWith(links(2));
  const { exit, out, err } = await applyInTurn(
    scenario,
    (request, _body, abort) => {
      if (!request.startsWith("POST")) return "forward";
      abort();
      return "drop";
    },
    { format: ["json"] },
  );
  const document: ApplyDocument = JSON.parse(out);
  expect(exit).toBe(130);
  expect(document.result).toEqual({ applied: 0, failed: 1, skipped: 1, complete: false });
  expect(document.changes[0]?.error).toMatchObject({ code: "unreachable" });
  expect(document.diagnostics.map(({ code }) => code)).toContain("interrupted");
  // With JSON, only the document reports it.
  expect(err).not.toContain("error[interrupted] The run was interrupted.");
  await scenario.converge();
});

// Fails if a store that may have worked counts as not started because its look-up was interrupted.
it("interrupted while searching for a link that may exist: it is reported as failed, and may have been made", async () => {
  const scenario = await startWith(links(1));
  const { exit, document } = await documentThrough(scenario, (request, _body, abort) => {
    if (request.startsWith("POST")) return SERVER_ERROR;
    if (request.includes("search=")) abort();
    return "forward";
  });
  expect([exit, document.result]).toEqual([130, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "server-error" });
});

// Fails if the refusal of a second store hides that the first one may have worked, and caused the refusal.
it("interrupted while a second store is refused as taken: it is reported as failed, and may have been made", async () => {
  const scenario = await startWith(links(1));
  let stores = 0;
  const { exit, document } = await documentThrough(scenario, (request, _body, abort) => {
    if (!request.startsWith("POST")) return "forward";
    stores += 1;
    if (stores === 1) return SERVER_ERROR;
    abort();
    return { status: 422, body: '{"message":{"alias":["The alias has already been taken."]},"status":422}' };
  });
  expect([exit, stores, document.result]).toEqual([130, 2, { applied: 0, failed: 1, skipped: 0, complete: false }]);
  expect(document.changes[0]?.error).toMatchObject({ code: "server-error" });
});

// Fails if a created record is reported as lost because its last check was interrupted.
it("interrupted after an uncertain row was created: it stays applied", async () => {
  const scenario = await startWith(links(2));
  let stores = 0;
  const { exit, document } = await documentThrough(
    scenario,
    (request, _body, abort) => {
      if (!request.startsWith("POST")) return "forward";
      stores += 1;
      if (stores === 3) abort();
      return stores === 1 ? SERVER_ERROR : "forward";
    },
    { concurrency: 1 },
  );
  expect([exit, document.result]).toEqual([130, { applied: 2, failed: 0, skipped: 0, complete: false }]);
});

// Fails if a run that was interrupted at its very end looks complete, or like a bug.
it("interrupted during verification: the changes that were not verified are reported, 130", async () => {
  const scenario = await startWith(links(2));
  let stores = 0;
  const { exit, out, err } = await applyInTurn(scenario, (request, _body, abort) => {
    if (request.startsWith("POST")) stores += 1;
    if (stores === 2 && request.startsWith("GET")) abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(out).toContain("Not all changes were applied: 2 failed.");
  expect(err).toContain("It was applied, but linkform could not read it again: The run was interrupted.");
  expect(err).not.toContain("linkform itself failed");
});

// Fails if linkform sends every remaining change, with all retries, to a service that is down.
it("a service that is down ends the run after a while", async () => {
  const scenario = await startWith(links(60));
  let stores = 0;
  const { exit, out, err } = await applyInTurn(
    scenario,
    (request) => (request.startsWith("GET") || ++stores <= 5 ? (stores > 5 ? "drop" : "forward") : "drop"),
    { concurrency: 10 },
  );
  expect(exit).toBe(4);
  expect(err).toContain("error[service-down] The service has not responded for a minute. It seems to be down.");
  expect(out).toMatch(/^Not all changes were applied: 5 created; \d+ failed, [345]\d not started\./);
  await scenario.converge();
});

// Fails if the first signal ends the process, or the second does not.
it("the first signal requests the end, the second one forces it", () => {
  const handlers = new Map<string, () => void>();
  const told: string[] = [];
  const fake = {
    on: (name: string, handler: () => void) => handlers.set(name, handler),
  };
  const signal = interruption(
    fake,
    () => told.push("first"),
    () => told.push("second"),
  );
  expect(signal.aborted).toBe(false);
  handlers.get("SIGINT")?.();
  expect([signal.aborted, told]).toEqual([true, ["first"]]);
  expect(signal.reason).toMatchObject({ code: "interrupted", exit: 130 });
  handlers.get("SIGTERM")?.();
  expect(told).toEqual(["first", "second"]);
});
