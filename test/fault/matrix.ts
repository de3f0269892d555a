// A fault at each request of an apply: one run for each, followed by a run without a fault.

import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fastClock } from "../support/clock.ts";
import { isListFault, listOf, STRIKES, type FaultName } from "../support/faults.ts";
import type { Fault } from "../support/layer.ts";
import type { Ran } from "../support/scenario.ts";
import { differences } from "./declared.ts";
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

/** The account at the end of the run, and after the service had completed all requests. */
interface States {
  readonly atEnd: State;
  readonly settled: State;
}

/** Unclear or wrong statements in the result of a run, as sentences. */
function resultProblems(ran: Ran, states: States, reference: Reference): string[] {
  const { exit, out } = ran;
  const document = parseDocument(out);
  if (document === null) return [`exit ${exit}, and stdout is not one JSON document: ${out}`];
  return [
    ...exitProblem(exit, document),
    ...document.changes.flatMap(outcomeProblem),
    ...untruths(exit, document, states, reference),
  ];
}

function parseDocument(out: string): ApplyDocument | null {
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}

/** 0: everything was applied. 1: nothing was applied, with a reason. 4: something failed or was skipped. No other code is allowed. */
function exitProblem(exit: number, { changes, diagnostics, result }: ApplyDocument): string[] {
  const { applied, failed, skipped } = result;
  const fits =
    exit === 0
      ? failed + skipped === 0 && applied > 0
      : exit === 1
        ? applied === 0 && (changes.length > 0 || diagnostics.some(({ severity }) => severity === "error"))
        : exit === 4 && failed + skipped > 0;
  return fits ? [] : [`exit ${exit} with ${applied} applied, ${failed} failed, ${skipped} skipped`];
}

function outcomeProblem({ kind, key, outcome, error }: ApplyDocument["changes"][number]): string[] {
  if (!["applied", "failed", "skipped"].includes(outcome)) return [`${kind} ${key} has no outcome`];
  if (outcome === "applied") return error === null ? [] : [`${kind} ${key} is applied and has an error`];
  const isClear = error !== null && error.message.trim() !== "" && error.code !== "" && error.code !== "internal-error";
  return isClear ? [] : [`${kind} ${key} ${outcome}: ${JSON.stringify(error)}`];
}

/** Changes that are reported as applied must be live at the end of the run. If none was applied, nothing may change, even later. */
function untruths(
  exit: number,
  { changes }: ApplyDocument,
  { atEnd, settled }: States,
  { seed, declared }: Reference,
): string[] {
  const applied = new Set(changes.flatMap((one) => (one.outcome === "applied" ? `${one.kind} ${one.key}` : [])));
  const open = differences(atEnd, declared, seed).filter(({ key }) => exit === 0 || applied.has(key));
  const done = exit === 1 ? differences(settled, seed, seed) : [];
  return [
    ...open.map(({ key, says }) => `${exit === 0 ? "exit 0" : "reported as applied"}, but ${key} ${says}`),
    ...done.map(({ key, says }) => `exit 1, but ${key} ${says}`),
  ];
}

/** Secrets and API keys in the output, in plain text or encoded as in a form. */
function writtenSecrets(written: readonly string[], { sandbox, setting }: Trial): string[] {
  return [...Object.values(setting.secrets), sandbox.apiKey].flatMap((secret) => {
    const spellings = [secret, new URLSearchParams({ secret }).toString().slice("secret=".length)];
    return written.some((text) => spellings.some((spelling) => text.includes(spelling)))
      ? [`a secret was written: ${secret}`]
      : [];
  });
}
