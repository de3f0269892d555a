// The progress line of a terminal, with a clock that the test moves and an emulated terminal. The service
// responds when the test allows it.

import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { HandClock } from "../support/clock.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Ran, type Scenario, startWith } from "../support/scenario.ts";
import { TerminalStream } from "../support/terminal.ts";
import { TOO_MANY } from "../support/through.ts";

/** Holds requests until it is opened. */
class Gate {
  /** Resolves when a request has arrived. */
  readonly reached: Promise<void>;
  open: () => void = () => undefined;
  #reach: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  async hold(answer: Answer = "forward"): Promise<Answer> {
    this.#reach();
    await new Promise<void>((resolve) => {
      this.open = resolve;
    });
    return answer;
  }
}

const DESTINATION = "https://example.com/";

async function startWithLinks(count: number): Promise<Scenario> {
  const links = Array.from({ length: count }, (_, at) => ({ url: DESTINATION, domain: 2, alias: `other-${at}` }));
  const scenario = await startWith(`links: { go.example.com/a: { url: "${DESTINATION}" } }`, { links });
  return scenario;
}

interface Watched {
  readonly terminal: TerminalStream;
  readonly clock: HandClock;
  readonly ended: Promise<Ran>;
}

/** Plans on a terminal and reads all links. `answer` handles the requests. */
async function watchPlan(
  scenario: Scenario,
  answer: (url: string) => Answer | Promise<Answer>,
  { columns = 80, env = {}, ...flags }: PlanFlags & { columns?: number; env?: Record<string, string> } = {},
): Promise<Watched> {
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) => answer(url));
  const [terminal, clock] = [new TerminalStream(columns), new HandClock()];
  const ended = runIn(
    scenario.folder,
    { ...scenario.env, ...env },
    (world) => plan(world, { baseUrl, showUnmanaged: true, ...flags }),
    { clock, terminal },
  );
  return { terminal, clock, ended };
}

const lastPage =
  (gate: Gate): ((url: string) => Answer | Promise<Answer>) =>
  (url) =>
    url.includes("links") && url.includes("page=5") ? gate.hold() : "forward";

/** Answers the first request for the fourth page with a rate limit. */
function limitOnce(): (url: string) => Answer {
  let isFirst = true;
  return (url) => {
    if (!url.includes("page=4") || !isFirst) return "forward";
    isFirst = false;
    return TOO_MANY;
  };
}

/** Moves the clock until the lowest line matches. */
async function until({ terminal, clock }: Watched, lowest: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await clock.pass(100);
        return terminal.emulator.lowest();
      },
      { interval: 5, timeout: 20_000 },
    )
    .toMatch(lowest);
}

// Fails if a long read looks like one that hangs, or if the line remains.
it("a long read shows its progress, and removes the line at its end", async () => {
  const gate = new Gate();
  const watched = await watchPlan(await startWithLinks(450), lastPage(gate));
  await gate.reached;
  await until(watched, /^Reading links: page 4 of 5$/);
  gate.open();
  expect((await watched.ended).exit).toBe(0);
  const lines = await watched.terminal.emulator.lines();
  expect(lines.join("\n")).not.toContain("Reading");
  expect(lines.join("\n")).toMatch(/^Plan: 1 to create\./m);
});

// Fails if a short run flickers.
it("is shown only after 0.7 s", async () => {
  const gate = new Gate();
  const watched = await watchPlan(await startWithLinks(450), lastPage(gate));
  await gate.reached;
  await watched.clock.pass(690);
  expect(await watched.terminal.emulator.lines()).toEqual([]);
  await watched.clock.pass(110);
  expect(await watched.terminal.emulator.lines()).toHaveLength(1);
  gate.open();
  await watched.ended;
});

// Fails if the remaining time of a wait is not shown, or if the wait is reported twice.
it("a wait for the rate limit counts down", async () => {
  const watched = await watchPlan(await startWithLinks(450), limitOnce());
  await until(watched, /^Waiting for the rate limit: \d+ s · reading links: page \d of 5$/);
  const secondsLeft = async (): Promise<number> =>
    Number(/limit: (\d+) s/.exec(await watched.terminal.emulator.lowest())?.[1]);
  const begun = await secondsLeft();
  await watched.clock.pass(1000);
  expect(await secondsLeft()).toBe(begun - 1);
  await watched.clock.pass(40_000);
  expect(await secondsLeft()).toBe(begun - 41);
  expect(await watched.terminal.emulator.lines()).toHaveLength(1);
  await watched.clock.pass(20_000);
  expect((await watched.ended).exit).toBe(0);
  expect((await watched.terminal.emulator.lines()).join("\n")).not.toMatch(/limit|Reading/);
});

// Fails if a line leaves characters behind when the window becomes narrower than the line.
it("fits a window that becomes narrower and wider", async () => {
  const watched = await watchPlan(await startWithLinks(450), limitOnce());
  const { terminal, clock } = watched;
  await until(watched, /^Waiting .* reading links: page \d of 5$/);
  for (const [columns, lowest] of [
    [40, /^Waiting for the rate limit: \d+ s$/],
    [20, /^Waiting for the r…$/],
    [100, /^Waiting .* reading links: page \d of 5$/],
  ] as const) {
    terminal.resize(columns);
    await clock.pass(100);
    expect(await terminal.emulator.lines()).toEqual([expect.stringMatching(lowest)]);
  }
  await clock.pass(60_000);
  await watched.ended;
  expect((await terminal.emulator.lines()).filter((line) => line.includes("Waiting"))).toEqual([]);
});

// Fails if the line is shown with --quiet, or on a terminal that cannot rewrite a line.
it.each([
  ["--quiet", { quiet: true }],
  ["TERM=dumb", { env: { TERM: "dumb" } }],
])("%s: there is no such line", async (_what, flags) => {
  const gate = new Gate();
  const watched = await watchPlan(await startWithLinks(450), lastPage(gate), flags);
  await gate.reached;
  await watched.clock.pass(5000);
  expect(await watched.terminal.emulator.lines()).toEqual([]);
  gate.open();
  await watched.ended;
});

// Fails if other output and the line overwrite each other.
it("--verbose writes above it", async () => {
  const gate = new Gate();
  const watched = await watchPlan(await startWithLinks(450), lastPage(gate), { verbose: true });
  await gate.reached;
  await until(watched, /^Reading links: page 4 of 5$/);
  expect(await watched.terminal.emulator.lines()).toEqual([
    expect.stringMatching(/^Links: 450 on 5 pages\. Reading all/),
    "links were requested.",
    "Reading links: page 4 of 5",
  ]);
  gate.open();
  await watched.ended;
});

// Fails if the progress of an apply or the remaining time at the rate limit is not shown, or if a line about a change is lost.
it("an apply shows how many changes are done and running, and the remaining time", async () => {
  const clock = new HandClock();
  const scenario = await startScenario({ rateLimit: 60, now: () => new Date(clock.now()) });
  const names = Array.from({ length: 100 }, (_, at) => `  go.example.com/l${at}: { url: "${DESTINATION}" }\n`);
  await scenario.write(`links:\n${names.join("")}`);
  const gate = new Gate();
  let stores = 0;
  const baseUrl = await startProxy(scenario.sandbox.url, (method) =>
    method === "POST" && ++stores === 21 ? gate.hold() : "forward",
  );
  const terminal = new TerminalStream(120);
  const ended = runIn(
    scenario.folder,
    scenario.env,
    (world) => apply(world, { baseUrl, yes: true, concurrency: 1, record: false }),
    {
      clock,
      terminal,
    },
  );
  const watched = { terminal, clock, ended };
  await gate.reached;
  // After 23 of 60 requests, 37 are left. 79 stores and the reading of a page follow the running one.
  await until(watched, /^Applying: 20 of 100, 1 in progress · about 60 s left$/);
  const lines = await terminal.emulator.lines();
  expect(lines.filter((line) => line.startsWith("✓ created link"))).toHaveLength(20);
  expect(lines.filter((line) => line.startsWith("Applying"))).toHaveLength(1);
  gate.open();
  await until(watched, /^Waiting for the rate limit: \d+ s · applying: \d+ of 100, 1 in progress/);
  await until(watched, /^The changes took .* s, including .* of waiting for the rate limit\.$/);
  expect((await ended).exit).toBe(0);
  const after = await terminal.emulator.lines();
  expect(after.filter((line) => line.startsWith("✓ created link"))).toHaveLength(100);
  expect(after.filter((line) => /^(Applying|Waiting|Reading)/.test(line))).toEqual([]);
  expect(after.at(-2)).toBe("Done: 100 created. Verified.");
});

// Fails if look-ups of single links or the verification show no progress.
it("look-ups and the verification are counted", async () => {
  const seed = {
    links: Array.from({ length: 3000 }, (_, at) => ({ url: DESTINATION, domain: 2, alias: `other-${at}` })),
  };
  const scenario = await startScenario({ seed });
  const names = Array.from({ length: 4 }, (_, at) => `  go.example.com/mine-${at}-x: { url: "${DESTINATION}" }\n`);
  await scenario.write(`links:\n${names.join("")}  promo.example.com/mine: { url: "${DESTINATION}" }\n`);
  const gates: Gate[] = [new Gate(), new Gate()];
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url) => {
    if (url.includes("search=mine-3") && url.includes("sort=asc")) return gates[0]?.hold() ?? "forward";
    return method === "GET" && url.includes("search=mine-1") && url.includes("sort=desc")
      ? (gates[1]?.hold() ?? "forward")
      : "forward";
  });
  const [terminal, clock] = [new TerminalStream(120), new HandClock()];
  const ended = runIn(scenario.folder, scenario.env, (world) => apply(world, { baseUrl, yes: true, concurrency: 1 }), {
    clock,
    terminal,
  });
  const watched = { terminal, clock, ended };
  await gates[0]?.reached;
  await until(watched, /^Looking up links: 4 of 5$/);
  gates[0]?.open();
  await gates[1]?.reached;
  await until(watched, /^Verifying: 1 of 5$/);
  gates[1]?.open();
  expect((await ended).exit).toBe(0);
  expect((await terminal.emulator.lines()).filter((line) => /^(Looking|Reading)/.test(line))).toEqual([]);
});

// Fails if an outage is shown as a rate limit, or if its cause is not reported.
it("an outage counts down, below its cause", async () => {
  let left = 3;
  const watched = await watchPlan(await startWithLinks(1), () =>
    left-- > 0 ? { status: 502, body: "<h1>Bad Gateway</h1>" } : "forward",
  );
  await until(watched, /^The service does not respond: retrying in 1 s/);
  const lines = await watched.terminal.emulator.lines();
  expect(lines.join(" ").match(/Retrying in \d\.\d s\./g)).toHaveLength(3);
  await watched.clock.pass(60_000);
  expect((await watched.ended).exit).toBe(0);
  expect((await watched.terminal.emulator.lines()).join("\n")).not.toContain("does not respond: retrying");
});
