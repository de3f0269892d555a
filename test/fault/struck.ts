// Applies a saved plan with a fault at one request, and applies it again.

import { EXIT, UserError } from "../../src/errors.ts";
import { fastClock } from "../support/clock.ts";
import type { Asked, Strike } from "../support/layer.ts";
import { aimAt } from "./aim.ts";
import {
  applySaved,
  applyWithoutFault,
  problemsAfterAnother,
  problemsAtEach,
  requestsOfSaved,
  savePlan,
  withTrial,
  type Reference,
  type Setting,
} from "./trial.ts";

const SPEED = 50;
const SIDE_BY_SIDE = 8;
const INTERRUPTED = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });

/** The fault of a run. */
export interface Wrong {
  readonly strike: Strike;
  /** Whether the run is stopped at that request, as by Ctrl-C. It makes one change at a time. */
  readonly isStopped: boolean;
  /** The requests with the fault. */
  readonly applies: (asked: Asked) => boolean;
}

/** The differences from the reviewed state after such a run for each request and a second run, as sentences. */
export async function problemsOfSaved(setting: Setting, wrong: Wrong): Promise<string[]> {
  const reference = await applyWithoutFault(setting);
  const requests = await requestsOfSaved(setting);
  const targets = requests.filter(wrong.applies);
  return problemsAtEach(targets, SIDE_BY_SIDE, (target) => problemsOf(wrong, target, requests, reference));
}

async function problemsOf(
  { strike, isStopped }: Wrong,
  target: Asked,
  requests: readonly Asked[],
  reference: Reference,
): Promise<string[]> {
  const controller = new AbortController();
  const { fault, begin } = aimAt(target, requests, async (struck) => {
    if (isStopped) controller.abort(INTERRUPTED);
    await strike(struck);
  });
  return withTrial(reference.setting, fault, fastClock(SPEED), async (trial) => {
    await savePlan(trial);
    begin();
    const { exit } = await applySaved(trial, isStopped ? { concurrency: 1 } : {}, controller.signal);
    await trial.layer.settled();
    const problems = await problemsAfterAnother(trial, reference, applySaved);
    if (!trial.layer.struck) problems.push("the fault did not take place");
    if (isStopped && exit !== EXIT.interrupted) problems.push(`it was not stopped, but ended with ${exit}`);
    return problems.map((problem) => `struck at ${target.method} ${target.url}: ${problem}`);
  });
}
