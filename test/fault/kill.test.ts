// The built program, killed without warning after the service has done what it was asked and before it hears of it. Fails
// if what is left can't be planned from, is doubled, or is taken for somebody else's.

import { spawn } from "node:child_process";
import path from "node:path";
import pLimit from "p-limit";
import { expect, it, onTestFinished } from "vitest";
import { fastClock } from "../support/clock.ts";
import type { Fault } from "../support/layer.ts";
import { applyWithoutFault, problemsAfterAnother, withTrial, type Reference, type Trial } from "./trial.ts";

const CLI = path.resolve("dist/cli.js");
/** Programs side by side; each takes a core for a while to start. */
const SIDE_BY_SIDE = 5;

it("a kill at any request of an apply: applying again ends in the declared state", async () => {
  const reference = await applyWithoutFault(fastClock(1));
  const limit = pLimit(SIDE_BY_SIDE);
  const problems = await Promise.all(
    reference.requests.map(({ index }) => limit(() => problemsOfKillAt(index, reference))),
  );
  expect(problems.flat()).toEqual([]);
}, 120_000);

async function problemsOfKillAt(index: number, reference: Reference): Promise<string[]> {
  let kill: () => void = () => {};
  const fault: Fault = {
    what: "strike",
    at: (asked) => asked.index === index,
    strike: async ({ forward }) => {
      await forward();
      kill();
    },
  };
  return withTrial(fault, fastClock(1), async (trial) => {
    const child = startApply(trial);
    kill = child.kill;
    const ending = await child.ended;
    // What was under way is done by the service all the same.
    await trial.layer.settled();
    const problems = await problemsAfterAnother(trial, reference);
    if (ending !== "SIGKILL") problems.push(`it was not killed, but ended with ${ending}`);
    const asked = trial.layer.requests[index];
    return problems.map((problem) => `killed at request ${index} (${asked?.method} ${asked?.url}): ${problem}`);
  });
}

/** Starts `linkform apply`. `ended` is the signal that ended it, or its exit code. */
function startApply({ layer, folder, env }: Trial): { kill: () => void; ended: Promise<string> } {
  const args = [CLI, "apply", "--yes", "--quiet", "--base-url", layer.url];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: "ignore" });
  const kill = (): void => void child.kill("SIGKILL");
  onTestFinished(kill);
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? String(code)));
  });
  return { kill, ended };
}
