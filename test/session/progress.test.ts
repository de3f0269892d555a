// What a run reports while it waits: the progress line of a terminal, with a clock that the test moves and an emulated terminal, and notices on
// stderr, which are never in the result. The service responds when the test allows it.

import { expect, it } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import { plan, type PlanFlags } from "../../src/cli/plan.ts";
import { HandClock, StillClock } from "../support/clock.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, startWith, type Ran, type Scenario } from "../support/scenario.ts";
import { TerminalStream } from "../support/terminal.ts";
import { send, TOO_MANY } from "../support/through.ts";

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

const BAD_GATEWAY: Answer = { status: 502, body: "<h1>Bad Gateway</h1>" };

/** A project with one new link, and an account with other links. */
async function startWithLinks(count: number): Promise<Scenario> {
  const links = Array.from({ length: count }, (_, at) => ({ url: DESTINATION, domain: 2, alias: `other-${at}` }));
  return startWith(`links: { go.example.com/a: { url: "${DESTINATION}" } }`, { links });
}

interface Watched {
  readonly terminal: TerminalStream;
  readonly clock: HandClock;
  readonly ended: Promise<Ran>;
}

/** Plans on a terminal and reads all links. `answer` handles the requests. */
async function watchPlan(
  answer: (url: string) => Answer | Promise<Answer>,
  { columns = 80, env = {}, ...flags }: PlanFlags & { columns?: number; env?: Record<string, string> } = {},
): Promise<Watched> {
  const scenario = await startWithLinks(450);
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

/** A plan whose request for the last page has arrived, and is held. */
async function watchHeld(flags: Parameters<typeof watchPlan>[1] = {}): Promise<Watched & { readonly gate: Gate }> {
  const gate = new Gate();
  const isLast = (url: string): boolean => url.includes("links") && url.includes("page=5");
  const watched = await watchPlan((url) => (isLast(url) ? gate.hold() : "forward"), flags);
  await gate.reached;
  return { ...watched, gate };
}

/** Applies on a wide terminal, one change at a time. `answer` handles the requests. */
async function watchApply(
  scenario: Scenario,
  answer: (method: string, url: string) => Answer | Promise<Answer>,
  flags: ApplyFlags = {},
  clock: HandClock = new HandClock(),
): Promise<Watched> {
  const baseUrl = await startProxy(scenario.sandbox.url, answer);
  const terminal = new TerminalStream(120);
  const all = { baseUrl, yes: true, concurrency: 1, ...flags };
  const ended = runIn(scenario.folder, scenario.env, (world) => apply(world, all), { clock, terminal });
  return { terminal, clock, ended };
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

// Fails if a short run flickers, if a long read looks like one that hangs, or if the line remains.
it("a long read shows its progress after 0.7 s, and removes the line at its end", async () => {
  const { gate, ...watched } = await watchHeld();
  await watched.clock.pass(690);
  expect(await watched.terminal.emulator.lines()).toEqual([]);
  await watched.clock.pass(110);
  expect(await watched.terminal.emulator.lines()).toHaveLength(1);
  await until(watched, /^Reading links: page 4 of 5$/);
  gate.open();
  expect((await watched.ended).exit).toBe(0);
  const lines = await watched.terminal.emulator.lines();
  expect(lines.join("\n")).not.toContain("Reading");
  expect(lines.join("\n")).toMatch(/^Plan: 1 to create\./m);
});

// Fails if a line leaves characters behind when the window becomes narrower than the line.
it("the line fits into a window that becomes narrower and wider", async () => {
  const { gate, ...watched } = await watchHeld();
  const { terminal, clock } = watched;
  const whole = /^Reading links: page 4 of 5$/;
  await until(watched, whole);
  for (const [columns, lowest] of [
    [20, /^Reading links: pa…$/],
    [10, /^Reading…$/],
    [100, whole],
  ] as const) {
    terminal.resize(columns);
    await clock.pass(100);
    expect(await terminal.emulator.lines()).toEqual([expect.stringMatching(lowest)]);
  }
  gate.open();
  expect((await watched.ended).exit).toBe(0);
});

// Fails if the line is shown with --quiet, or on a terminal that cannot rewrite a line.
it.each([
  ["--quiet", { quiet: true }],
  ["TERM=dumb", { env: { TERM: "dumb" } }],
])("%s: there is no such line", async (_what, flags) => {
  const { gate, ...watched } = await watchHeld(flags);
  await watched.clock.pass(5000);
  expect(await watched.terminal.emulator.lines()).toEqual([]);
  gate.open();
  await watched.ended;
});

// Fails if the progress of an apply is not shown, or if a line about a change is lost.
it("an apply shows how many changes are done", async () => {
  const clock = new HandClock();
  const scenario = await startScenario({ rateLimit: 40, now: () => new Date(clock.now()) });
  const names = Array.from({ length: 60 }, (_, at) => `  go.example.com/l${at}: { url: "${DESTINATION}" }\n`);
  await scenario.write(`links:\n${names.join("")}`);
  const gate = new Gate();
  let stores = 0;
  const answer = (method: string): Answer | Promise<Answer> =>
    method === "POST" && ++stores === 21 ? gate.hold() : "forward";
  const watched = await watchApply(scenario, answer, { record: false }, clock);
  const { terminal, ended } = watched;
  await gate.reached;
  await until(watched, /^Applying: 20 of 60$/);
  const lines = await terminal.emulator.lines();
  expect(lines.filter((line) => line.startsWith("✓ created link"))).toHaveLength(20);
  expect(lines.filter((line) => line.startsWith("Applying"))).toHaveLength(1);
  gate.open();
  await until(watched, /^Applying: 3\d of 60$/);
  await watched.clock.pass(60_000);
  await until(watched, /^The changes took .* s, including .* of waiting for the rate limit\.$/);
  expect((await ended).exit).toBe(0);
  const after = await terminal.emulator.lines();
  expect(after.filter((line) => line.startsWith("✓ created link"))).toHaveLength(60);
  expect(after.filter((line) => /^(Applying|Reading)/.test(line))).toEqual([]);
  expect(after).toContainEqual(expect.stringMatching(/^Waiting \d+ s for the rate limit\.$/));
  expect(after.at(-2)).toBe("Done: 60 created. Verified.");
});

// Fails if the verification shows no progress.
it("the verification is counted", async () => {
  const seed = {
    links: Array.from({ length: 1500 }, (_, at) => ({ url: DESTINATION, domain: 2, alias: `other-${at}` })),
  };
  const scenario = await startScenario({ seed });
  const names = Array.from({ length: 4 }, (_, at) => `  go.example.com/mine-${at}-x: { url: "${DESTINATION}" }\n`);
  await scenario.write(`links:\n${names.join("")}  promo.example.com/mine: { url: "${DESTINATION}" }\n`);
  const verification = new Gate();
  const watched = await watchApply(scenario, (method, url) => {
    const isVerified = method === "GET" && url.includes("search=mine-1") && url.includes("sort=desc");
    return isVerified ? verification.hold() : "forward";
  });
  await verification.reached;
  await until(watched, /^Verifying: 1 of 5$/);
  verification.open();
  expect((await watched.ended).exit).toBe(0);
  expect((await watched.terminal.emulator.lines()).filter((line) => /^(Verifying|Reading)/.test(line))).toEqual([]);
});

/** Plans with `--format json`, without a terminal. The first requests get these responses, all others reach the service. */
async function planAfter(answers: readonly Answer[], flags: PlanFlags = {}): Promise<Ran> {
  const scenario = await startWithLinks(1);
  const left = [...answers];
  const baseUrl = await startProxy(scenario.sandbox.url, () => left.shift() ?? "forward");
  const all = { baseUrl, format: ["json"], showUnmanaged: true, ...flags };
  return runIn(scenario.folder, scenario.env, (world) => plan(world, all), { clock: new StillClock() });
}

// Fails if a wait, its length or a retry is not reported, if a wait for the rate limit is reported as an outage or the reverse, or if one
// of them is in the result.
it("without a terminal, waits are reported in seconds, and retries with their reason", async () => {
  const limited = await planAfter([TOO_MANY]);
  expect([limited.exit, limited.err]).toEqual([0, "Waiting 60 s for the rate limit.\n"]);
  expect(JSON.parse(limited.out)).toMatchObject({ complete: true });
  const { exit, err } = await planAfter([BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY]);
  const lines = err.trimEnd().split("\n");
  expect(exit).toBe(0);
  expect(lines.filter((line) => /502.* Retrying in \d\.\d s\.$/.test(line))).toHaveLength(3);
  expect(lines.filter((line) => /^The service does not respond\. Waiting \d\.\d s\.$/.test(line))).toHaveLength(1);
});

it("--quiet prints no notices", async () => {
  const { exit, err } = await planAfter([TOO_MANY, BAD_GATEWAY], { quiet: true });
  expect([exit, err]).toEqual([0, ""]);
});

// Fails if a list is read again without a reason.
it("a list that changed while it was read is reported", async () => {
  const scenario = await startWithLinks(150);
  let hasChanged = false;
  const baseUrl = await startProxy(scenario.sandbox.url, async (_method, url): Promise<Answer> => {
    if (!hasChanged && url.includes("page=2")) {
      hasChanged = true;
      await send(scenario, "DELETE", "/api/v1/links/1");
    }
    return "forward";
  });
  const { err } = await runIn(scenario.folder, scenario.env, (world) => plan(world, { baseUrl, showUnmanaged: true }));
  expect(err).toBe(
    "The list /api/v1/links changed while linkform read it (its total changed from 150 to 149). Reading it again.\n",
  );
});
