// A saved plan that was stopped in the middle and is applied again: one of each, as it was reviewed. Fails if what the first
// run left in parts is taken for moved, made twice, or not finished.

import path from "node:path";
import { readFile } from "node:fs/promises";
import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/commands/apply.ts";
import { plan } from "../../src/commands/plan.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { ApplyDocument, PlanDocument } from "../../src/report/document.ts";
import { fastClock } from "../support/clock.ts";
import type { Answered, Asked, Fault, Strike } from "../support/layer.ts";
import { runIn } from "../support/scenario.ts";
import { endings } from "../support/saved.ts";
import { differences } from "./declared.ts";
import { MIXED_SECRETS } from "./mixed.ts";
import { applyWithoutFault, withTrial, type Reference, type Trial } from "./trial.ts";

const PLAN = "plan.json";
const SPEED = 50;
const SIDE_BY_SIDE = 8;
const INTERRUPTED = new UserError("interrupted", "It was interrupted.", { exit: EXIT.interrupted });
const SERVER_ERROR: Answered = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"message":"Server Error"}'),
};

/** What becomes of the request at which the first run is stopped. */
const WAYS: Readonly<Record<string, Strike>> = {
  "before it is done": async ({ drop }) => drop(),
  "after it is done": async ({ forward, drop }) => {
    await forward();
    drop();
  },
  "when all but a link's pixels is saved": async ({ asked, forward, answer }) => {
    const form = new URLSearchParams(asked.body.toString());
    form.delete("pixels[]");
    await forward({ body: Buffer.from(form.toString()) });
    answer(SERVER_ERROR);
  },
};

/** The first run: stopped at the request with this number of its own, counted from 0. */
interface Stop {
  readonly index: number;
  readonly strike: Strike;
}

interface Result {
  /** Requests of the first run. */
  readonly asked: readonly Asked[];
  readonly problems: readonly string[];
}

/** Plans, applies the plan with a stop, and applies it again. */
async function applyTwice(stop: Stop | null, reference: Reference): Promise<Result> {
  const run = { begins: Infinity, stop: () => {} };
  const fault: Fault = {
    what: "strike",
    at: ({ index }) => stop !== null && index === run.begins + stop.index,
    strike: async (struck) => {
      run.stop();
      await stop?.strike(struck);
    },
  };
  return withTrial(fault, fastClock(SPEED), async (trial) => {
    const planned = await runAt(trial, (world, flags) => plan(world, { ...flags, out: PLAN }));
    if (planned.exit !== 0) return { asked: [], problems: [`planning ended with ${planned.exit}: ${planned.err}`] };
    run.begins = trial.layer.requests.length;
    const controller = new AbortController();
    run.stop = () => controller.abort(INTERRUPTED);
    await runAt(trial, (world, flags) => apply(world, { ...flags, concurrency: 1 }, PLAN), controller.signal);
    await trial.layer.settled();
    const asked = trial.layer.requests.slice(run.begins);
    // The second run has the same address, and nothing is wrong any more.
    run.begins = Infinity;
    return { asked, problems: await problemsAfterSecond(trial, reference) };
  });
}

function runAt(
  { layer, folder, env, clock }: Trial,
  act: (world: Parameters<typeof plan>[0], flags: { baseUrl: string; format: string[] }) => Promise<number>,
  signal: AbortSignal = new AbortController().signal,
): ReturnType<typeof runIn> {
  return runIn(folder, env, (world) => act(world, { baseUrl: layer.url, format: ["json"] }), { clock, signal });
}

async function problemsAfterSecond(trial: Trial, { seed, declared }: Reference): Promise<string[]> {
  const second = await runAt(trial, (world, flags) => apply(world, flags, PLAN));
  const document: ApplyDocument = JSON.parse(second.out);
  const problems = differences(trial.sandbox.state(), declared, seed).map(({ key, says }) => `${key} ${says}`);
  if (second.exit !== 0) problems.push(`the second run ended with ${second.exit}: ${endings(document).join("; ")}`);
  if (document.not_reviewed?.length !== 0) problems.push("something is told as not reviewed");
  const { changes }: PlanDocument = JSON.parse((await runAt(trial, plan)).out);
  for (const { action, key } of changes) problems.push(`after that the plan would still ${action} ${key}`);
  return problems;
}

describe("stopped at any request, and applied again: as it was reviewed", () => {
  it.each(Object.entries(WAYS))(
    "%s",
    async (way, strike) => {
      const reference = await applyWithoutFault(fastClock(SPEED));
      const { asked, problems } = await applyTwice(null, reference);
      expect(problems).toEqual([]);
      const isPartial = way.includes("pixels");
      const limit = pLimit(SIDE_BY_SIDE);
      const indexes = asked.flatMap(({ method, body }, index) =>
        !isPartial || (method === "POST" && body.includes("pixels%5B%5D")) ? [index] : [],
      );
      expect(indexes.length).toBeGreaterThan(isPartial ? 2 : 30);
      const results = await Promise.all(
        indexes.map((index) =>
          limit(async () =>
            (await applyTwice({ index, strike }, reference)).problems.map(
              (problem) => `stopped at ${asked[index]?.method} ${asked[index]?.url}: ${problem}`,
            ),
          ),
        ),
      );
      expect(results.flat()).toEqual([]);
    },
    120_000,
  );
});

// Fails when a key or the text of a secret is in the plan that a pipeline keeps.
it("no secret is in a saved plan", async () => {
  await withTrial(null, fastClock(SPEED), async (trial) => {
    await runAt(trial, (world, flags) => plan(world, { ...flags, out: PLAN }));
    const text = await readFile(path.join(trial.folder, PLAN), "utf8");
    expect(text).toContain("LINKFORM_SECRET_DOOR");
    for (const secret of [...Object.values(MIXED_SECRETS), trial.sandbox.apiKey, "old secret"])
      expect(text).not.toContain(secret);
  });
});
