// Kills the built program at each request of an apply, and applies again.

import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { fastClock } from "../support/clock.ts";
import type { Asked } from "../support/layer.ts";
import { CLI } from "../support/program.ts";
import { aimAt } from "./aim.ts";
import {
  applySaved,
  applyWithoutFault,
  PLAN,
  problemsAfterAnother,
  problemsAtEach,
  requestsOfSaved,
  savePlan,
  withTrial,
  type Reference,
  type Setting,
  type Trial,
} from "./trial.ts";

/** The most programs that run in parallel. Each needs a core to start. */
const SIDE_BY_SIDE = 5;
const clock = fastClock(1);

/** How an apply is killed. */
export interface Kill {
  readonly applies: "the files" | "a saved plan";
  /** After the kill, the files are applied, and on an equal account the plan that was saved before. */
  readonly endsBothWays: boolean;
  /** Whether the service has processed the request before the kill. */
  readonly when: "before" | "after";
}

/** The differences from the declared state after a kill at each request and a second apply, as sentences. */
export async function problemsOfKills(setting: Setting, kill: Kill): Promise<string[]> {
  const reference = await applyWithoutFault(setting);
  const requests = kill.applies === "the files" ? reference.requests : await requestsOfSaved(setting);
  // For a request that only reads, it makes no difference whether it was processed.
  const targets = requests.filter(({ method }) => kill.when === "after" || method !== "GET");
  return problemsAtEach(targets, SIDE_BY_SIDE, (target) => problemsOfKill(kill, target, requests, reference));
}

async function problemsOfKill(
  { applies, endsBothWays, when }: Kill,
  target: Asked,
  requests: readonly Asked[],
  reference: Reference,
): Promise<string[]> {
  let kill: () => void = () => {};
  const { fault, begin } = aimAt(target, requests, async ({ forward, drop }) => {
    if (when === "after") await forward();
    kill();
    drop();
  });
  const { setting } = reference;
  return withTrial(setting, fault, clock, async (trial) => {
    if (endsBothWays) await savePlan(trial);
    begin();
    const child = startApply(trial, applies === "a saved plan" ? [PLAN] : ["--yes"]);
    kill = child.kill;
    const ending = await child.ended;
    // The service completes running requests anyway.
    await trial.layer.settled();
    const left = { ...setting, seed: trial.sandbox.state() };
    const problems = endsBothWays ? await problemsAfterAnother(trial, reference, applySaved) : [];
    problems.push(...(await withTrial(left, null, clock, (other) => problemsAfterAnother(other, reference))));
    if (ending !== "SIGKILL") problems.push(`it was not killed, but ended with ${ending}`);
    const where = `${target.method} ${target.url} ${target.body.toString().slice(0, 60)}`;
    return problems.map((problem) => `killed ${when} ${where}: ${problem}`);
  });
}

/** Starts `linkform apply`. `ended` is the signal that ended it, or its exit code. */
export function startApply(
  { layer, folder, env }: Trial,
  args: readonly string[],
): { kill: () => void; ended: Promise<string> } {
  const all = [CLI, "apply", ...args, "--quiet", "--base-url", layer.url];
  const child = spawn(process.execPath, all, { cwd: folder, env, stdio: "ignore" });
  const kill = (): void => void child.kill("SIGKILL");
  onTestFinished(kill);
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? String(code)));
  });
  return { kill, ended };
}
