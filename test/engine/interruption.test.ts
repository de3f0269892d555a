// Ctrl-C, a limit of time, and the journal: what was done is always known.

import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { apply, type ApplyFlags } from "../../src/commands/apply.ts";
import { interruption } from "../../src/commands/interruption.ts";
import { plan } from "../../src/commands/plan.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/document.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";

const links = (count: number): string =>
  `links:\n${Array.from({ length: count }, (_, at) => `  go.example.com/l${at}: { url: https://example.com/ }\n`).join("")}`;

const INTERRUPTED = new UserError("interrupted", "It was interrupted.", { exit: EXIT.interrupted });

/** Applies through a proxy; `act` may abort the run at a request. */
async function applyThrough(
  scenario: Scenario,
  act: (request: string, abort: () => void, body: string) => Answer | Promise<Answer>,
  flags: ApplyFlags = {},
): Promise<Ran> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(INTERRUPTED);
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url, body) => act(`${method} ${url}`, abort, body));
  return runIn(
    scenario.folder,
    scenario.env,
    (world) => apply(world, { yes: true, baseUrl, concurrency: 1, ...flags }),
    { signal: controller.signal },
  );
}

// Fails when the call under way is cut off, another one is begun, or what was done is not told.
it("interrupted while it applies: the call under way ends, the rest is skipped, 130", async () => {
  const scenario = await startScenario();
  await scenario.write(links(5));
  let stores = 0;
  const { exit, out, err } = await applyThrough(scenario, (request, abort) => {
    if (request.startsWith("POST") && ++stores === 3) abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(out).toContain("3 applied, 0 failed, 2 skipped");
  expect(err).toContain("✓ create link go.example.com/l2\n");
  expect(err).toContain("· create link go.example.com/l3: skipped. It was interrupted.\n");
  expect(scenario.sandbox.state().links).toHaveLength(3);
  await scenario.converge();
});

// Fails when somebody who interrupts has to wait until the whole account has been read.
it("interrupted while it reads: nothing is applied, 130", async () => {
  const scenario = await startScenario();
  await scenario.write(links(2));
  const { exit, err } = await applyThrough(scenario, (_request, abort) => {
    abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(err).toContain("interrupted It was interrupted.\n");
  expect(err).toContain("nothing was applied.");
  expect(scenario.writes()).toEqual([]);
});

// Fails when a store in doubt counts as not begun, or is waited for after Ctrl-C.
it("interrupted while a store is in doubt: it is told as failed, and may have been made", async () => {
  const scenario = await startScenario();
  await scenario.write(links(2));
  const { exit, out } = await applyThrough(
    scenario,
    (request, abort) => {
      if (!request.startsWith("POST")) return "forward";
      abort();
      return "drop";
    },
    { format: ["json"] },
  );
  const document: ApplyDocument = JSON.parse(out);
  expect(exit).toBe(130);
  expect(document.result).toEqual({ applied: 0, failed: 1, skipped: 1 });
  expect(document.changes[0]?.error).toMatchObject({ code: "unreachable" });
  expect(document.diagnostics.map(({ code }) => code)).toContain("interrupted");
  await scenario.converge();
});

// Fails when the end of a run that was interrupted last of all looks like any other, or like a mistake of ours.
it("interrupted while it reads again: what could not be verified is told, 130", async () => {
  const scenario = await startScenario();
  await scenario.write(links(2));
  let stores = 0;
  const { exit, out, err } = await applyThrough(scenario, (request, abort) => {
    if (request.startsWith("POST")) stores += 1;
    if (stores === 2 && request.startsWith("GET")) abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(out).toContain("0 applied, 2 failed, 0 skipped");
  expect(err).toContain("It was applied, but could not be read again: It was interrupted.");
  expect(err).not.toContain("linkform itself failed");
});

describe("a limit of time", () => {
  // Fails when the run goes on, or ends as if somebody had interrupted it.
  it("ends an apply: 4 where something was applied", async () => {
    const scenario = await startScenario();
    await scenario.write(links(4));
    // Each store takes 10 s of the run's clock, which is fifty times as fast.
    const slow = async (request: string): Promise<Answer> => {
      if (request.startsWith("POST")) await new Promise((resolve) => setTimeout(resolve, 200));
      return "forward";
    };
    const { exit, out, err } = await applyThrough(scenario, slow, { timeout: 15 });
    expect(exit).toBe(4);
    expect(err).toContain("timed-out It took longer than --timeout 15 allows.");
    expect(out).toMatch(/[12] applied, 0 failed, [23] skipped/);
    await scenario.converge();
  });

  it("ends a plan: 1", async () => {
    const scenario = await startScenario();
    await scenario.write(links(1));
    const baseUrl = await startProxy(scenario.sandbox.url, () => new Promise(() => undefined));
    const { exit, err } = await runIn(scenario.folder, scenario.env, (world) => plan(world, { baseUrl, timeout: 5 }));
    expect([exit, err]).toEqual([
      1,
      "timed-out It took longer than --timeout 5 allows.\n    Run again: what was applied stays, the rest is planned anew.\n1 error: nothing was planned.\n",
    ]);
  });
});

// Fails when a service that is down is asked for every change that is left, with all tries: hours, for a long plan.
it("a service that is gone ends the run after a while", async () => {
  const scenario = await startScenario();
  await scenario.write(links(60));
  let stores = 0;
  const { exit, out, err } = await applyThrough(
    scenario,
    (request) => (request.startsWith("GET") || ++stores <= 5 ? (stores > 5 ? "drop" : "forward") : "drop"),
    { concurrency: 10 },
  );
  expect(exit).toBe(4);
  expect(err).toContain("service-down The service has not answered for a minute: it seems to be down.");
  expect(out).toMatch(/5 applied, \d+ failed, [345]\d skipped/);
  await scenario.converge();
});

// Fails when the first signal ends the process, or the second does not.
it("the first signal asks for an end, the second is it", () => {
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

describe("the journal", () => {
  const read = async (scenario: Scenario, file = "journal.jsonl"): Promise<Record<string, unknown>[]> => {
    const text = await readFile(`${scenario.folder}/${file}`, "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
  };

  // Fails when an intent is written after its call, a result is missing, or a line is not as its schema says.
  it("holds the intent of every call before it is made, and its result", async () => {
    const scenario = await startScenario({
      seed: { links: [{ url: "https://example.com/", domain: 2, alias: "old" }] },
    });
    await scenario.write(
      "pixels: { P: { type: bing, value: '1' } }\nlinks:\n  go.example.com/a: { url: https://example.com/, pixels: [P], password: { env: LINKFORM_SECRET_A } }\n  go.example.com/bad: { url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }\nabsent: { links: [go.example.com/old] }\n",
    );
    const seen: number[] = [];
    const { exit } = await applyThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (!request.startsWith("GET")) {
          const lines = await read(scenario);
          seen.push(lines.filter(({ event }) => event === "intent").length);
        }
        return "forward";
      },
      { journal: "journal.jsonl" },
    );
    expect(exit).toBe(4);
    // The last delete finds out its path: two requests, one call.
    expect(seen).toEqual([1, 2, 3, 4, 4]);
    const lines = await read(scenario);
    expect(lines.map(({ event, call, does, key, result, id }) => [event, call, does ?? result, key ?? id])).toEqual([
      ["begin", undefined, undefined, undefined],
      ["intent", 1, "store", "P"],
      ["result", 1, "done", 1],
      ["intent", 2, "store", "go.example.com/a"],
      ["result", 2, "done", 2],
      ["intent", 3, "store", "go.example.com/bad"],
      ["result", 3, "refused", null],
      ["intent", 4, "delete", "go.example.com/old"],
      ["result", 4, "done", 1],
      ["end", undefined, undefined, undefined],
    ]);
    const validate = new Ajv().compile(JSON.parse(await readFile("schemas/journal.schema.json", "utf8")));
    for (const line of lines) expect([validate(line), validate.errors]).toEqual([true, null]);
    expect(JSON.stringify(lines)).not.toContain("first secret");
  });

  it("says of a lost answer that nobody knows, and goes on behind what is there", async () => {
    const scenario = await startScenario();
    await scenario.write(links(1));
    let dropped = false;
    const dropOnce = (request: string): Answer => {
      if (dropped || !request.startsWith("POST")) return "forward";
      dropped = true;
      return "drop";
    };
    expect((await applyThrough(scenario, dropOnce, { journal: "journal.jsonl" })).exit).toBe(0);
    expect((await applyThrough(scenario, () => "forward", { journal: "journal.jsonl" })).exit).toBe(0);
    expect((await read(scenario)).map(({ event, result }) => [event, result].filter(Boolean).join(" "))).toEqual([
      "begin",
      "intent",
      "result unknown",
      "intent",
      "result done",
      "end",
      "begin",
      "end",
    ]);
  });

  // Fails when a change is made that no journal could tell of.
  it("that can't be opened, or not written, keeps everything from being made", async () => {
    const scenario = await startScenario();
    await scenario.write(links(1));
    const nowhere = await applyThrough(scenario, () => "forward", { journal: "no/such/folder/journal" });
    expect(nowhere.exit).toBe(1);
    expect(nowhere.err).toContain("journal-unwritable");
    const full = await applyThrough(scenario, () => "forward", { journal: "/dev/full" });
    expect(full.exit).toBe(1);
    expect(full.err).toContain("The journal /dev/full can't be written (ENOSPC).");
    expect(full.err).toContain("nothing was applied.");
    expect(scenario.writes()).toEqual([]);
  });
});
