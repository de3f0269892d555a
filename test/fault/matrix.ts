// A fault at each request of an apply: one run for each, followed by a run without a fault.

import { fastClock } from "../support/clock.ts";
import { isListFault, listOf, STRIKES, type FaultName } from "../support/faults.ts";
import type { Fault } from "../support/layer.ts";
import type { Ran } from "../support/scenario.ts";
import { resultProblems, writtenSecrets } from "./result.ts";
import {
  applyAt,
  applyWithoutFault,
  problemsAfterAnother,
  problemsAtEach,
  withTrial,
  type Reference,
  type Setting,
  type Trial,
} from "./trial.ts";

/** The speed of the clock: the wait for a rate limit, one minute, takes about a second. */
const SPEED = 50;

/** A slower clock if the order of events matters: the machine may be busy with other runs for 50 ms. */
const SLOW_STORE_SPEED = 10;

/** Parallel runs. With more, responses would exceed the timeout, which is 600 ms on the fast clock. */
const SIDE_BY_SIDE = 8;

/** Seconds on the fast clock; one minute of real time. No fault may keep a run from ending, but a busy machine may slow it down. */
const LONGEST_RUN = 3000;

const references = new Map<Setting, Promise<Reference>>();

/** The problems with this fault at each request, as sentences. A lasting one is also at all later requests. */
export async function violationsOf(
  setting: Setting,
  name: FaultName,
  { isLasting = false }: { readonly isLasting?: boolean } = {},
): Promise<string[]> {
  const reference = references.get(setting) ?? applyWithoutFault(setting);
  references.set(setting, reference);
  const faultless = await reference;
  const targets = faultless.requests.filter(({ method, url }) => !isListFault(name) || listOf(method, url) !== null);
  return problemsAtEach(targets, SIDE_BY_SIDE, ({ index }) => {
    const at: Fault["at"] = (asked) => (isLasting ? asked.index >= index : asked.index === index);
    const speed = name === "slow-store" ? SLOW_STORE_SPEED : SPEED;
    return violationsAt({ at, strike: STRIKES[name] }, speed, index, faultless);
  });
}

async function violationsAt(fault: Fault, speed: number, index: number, faultless: Reference): Promise<string[]> {
  return withTrial(faultless.setting, fault, fastClock(speed), async (trial) => {
    const problems = await problemsOf(trial, faultless);
    const struck = trial.layer.requests[index];
    const where = `request ${index} (${struck?.method} ${struck?.url} ${struck?.body.toString().slice(0, 60)})`;
    return problems.map((problem) => `${where}: ${problem}`);
  });
}

async function problemsOf(trial: Trial, faultless: Reference): Promise<string[]> {
  const { layer, sandbox } = trial;
  const ran = await untilEnded(trial);
  if (typeof ran === "string") return [ran];
  const atEnd = sandbox.state();
  await layer.settled();
  const problems = [
    ...resultProblems(ran, { atEnd, settled: sandbox.state() }, faultless),
    ...writtenSecrets([ran.out, ran.err], trial),
  ];
  if (!layer.struck) problems.push("the fault did not take place");
  for (const { body } of layer.overlapping)
    problems.push(`stored again while the first store was under way: ${body.toString().slice(0, 60)}`);
  return [...problems, ...(await problemsAfterAnother(trial, faultless))];
}

/** The run with the fault, or the reason why it has no result. */
async function untilEnded(trial: Trial): Promise<Ran | string> {
  const ended = new AbortController();
  const tooLong = trial.clock.sleep(LONGEST_RUN * 1000, ended.signal).then(
    () => "it does not end",
    () => "",
  );
  const run = applyAt(trial.layer.url, trial).catch((cause: unknown) => `it throws ${String(cause)}`);
  try {
    return await Promise.race([run, tooLong]);
  } finally {
    ended.abort();
  }
}
