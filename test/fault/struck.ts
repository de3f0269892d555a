// One request of a run has a fault, and perhaps the run ends there: killed, or stopped as by Ctrl-C. Then a test checks the account.

import { spawn } from "node:child_process";
import path from "node:path";
import pLimit from "p-limit";
import { onTestFinished } from "vitest";
import { apply, undo } from "../../src/cli/apply.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fastClock } from "../support/clock.ts";
import { STRIKES } from "../support/faults.ts";
import type { Asked, Strike } from "../support/layer.ts";
import { CLI } from "../support/program.ts";
import { runIn, type Ran } from "../support/scenario.ts";
import { notAsBefore, withSecrets } from "../support/undone.ts";
import {
  applySaved,
  applyWithoutFault,
  complaints,
  PLAN,
  problemsAfterAnother,
  savePlan,
  withTrial,
  type Reference,
  type Setting,
  type Trial,
} from "./trial.ts";

/** A run with a fault at one request. */
interface FaultyRun {
  /** The run with the fault. */
  readonly run: "apply" | "apply of a saved plan" | "undo";
  readonly strike: Strike;
  /** How the run ends at that request; by itself if null. A stopped run makes one change at a time. */
  readonly ends: "killed" | "stopped" | null;
  /** The requests with the fault; by default, the writes. */
  readonly applies?: (asked: Asked) => boolean;
  /** Whether all later requests have the fault, too. */
  readonly isLasting?: boolean;
  /** The speed of the clock. By default, the wait for a rate limit, one minute, takes about a second. */
  readonly speed?: number;
}

/** A run that has ended: with an exit code or a signal, and in this state of the account. */
export interface Ended extends Ran {
  readonly signal: string | null;
  readonly atEnd: State;
}

/** The problems of a trial after the run with the fault, as sentences. */
export type Check = (trial: Trial, reference: Reference, ended: Ended) => Promise<string[]>;

const RECORD = "record.jsonl";
const INTERRUPTED = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });

export const KILLED_BEFORE = { strike: STRIKES["drop-before"], ends: "killed" } as const;
export const KILLED_AFTER = { strike: STRIKES["drop-after"], ends: "killed" } as const;

export const isAny = (): boolean => true;
const isWrite = ({ method }: Asked): boolean => method !== "GET";

/** The problems after a run with this fault at each request, with one trial for each. */
export async function problemsAfter(setting: Setting, faulty: FaultyRun, check: Check): Promise<string[]> {
  const reference = await applyWithoutFault(setting);
  const requests = await withTrial(setting, null, fastClock(1), async (trial) => {
    await prepare(trial, faulty);
    const begins = trial.layer.requests.length;
    await perform(trial, { ...faulty, ends: null }, new AbortController());
    return trial.layer.requests.slice(begins);
  });
  const { applies = isWrite, ends } = faulty;
  const targets = requests.filter(applies);
  if (targets.length === 0) return ["nothing goes wrong"];
  // Each program needs a core to start, and with more runs, responses would exceed the timeout, which is 600 ms on the fast clock.
  const limit = pLimit(ends === "killed" ? 5 : 8);
  const problems = targets.map((target) => limit(() => problemsAt(target, requests, faulty, reference, check)));
  return (await Promise.all(problems)).flat();
}

async function problemsAt(
  target: Asked,
  requests: readonly Asked[],
  faulty: FaultyRun,
  reference: Reference,
  check: Check,
): Promise<string[]> {
  const end = new AbortController();
  // The order of parallel requests varies, so a request is identified by its content.
  const isSame = ({ method, url, body }: Asked): boolean =>
    method === target.method && url === target.url && body.equals(target.body);
  let left = Infinity;
  let hasBegun = false;
  const at = (asked: Asked): boolean => {
    const isTarget = isSame(asked) && (left -= 1) === 0;
    hasBegun ||= isTarget;
    return isTarget || (hasBegun && faulty.isLasting === true);
  };
  const strike: Strike = async (struck) => {
    if (faulty.ends === "stopped") end.abort(INTERRUPTED);
    // A killed program gets nothing, and the service completes running requests anyway.
    const drop = (): void => {
      if (faulty.ends === "killed") end.abort(INTERRUPTED);
      struck.drop();
    };
    await faulty.strike({ ...struck, drop });
  };
  const clock = fastClock(faulty.ends === "killed" ? 1 : (faulty.speed ?? 50));
  const where = `${target.method} ${target.url} ${target.body.toString().slice(0, 60)}`;
  return withTrial(reference.setting, { at, strike }, clock, async (trial) => {
    await prepare(trial, faulty);
    left = 1 + requests.filter(isSame).indexOf(target);
    const ended = await perform(trial, faulty, end);
    await trial.layer.settled();
    const problems = await check(trial, reference, ended);
    const ending = ended.signal ?? `${ended.exit}`;
    if (!trial.layer.struck) problems.push("the fault did not take place");
    if (faulty.ends !== null && ending !== (faulty.ends === "killed" ? "SIGKILL" : `${EXIT.interrupted}`))
      problems.push(`it was not ${faulty.ends}, but ended with ${ending}`);
    return problems.map((problem) => `${where}: ${problem}`);
  }).catch((cause: unknown) => [`${where}: it throws ${String(cause)}`]);
}

/** Everything before the run with the fault. */
async function prepare(trial: Trial, { run, ends }: FaultyRun): Promise<void> {
  if (run === "apply of a saved plan" || ends === "killed") await savePlan(trial);
  if (run === "undo") await perform(trial, { run: "apply", ends: null }, new AbortController());
}

/** Runs the command. The output of a program that is to be killed is not read. */
async function perform(
  trial: Trial,
  { run, ends }: Pick<FaultyRun, "run" | "ends">,
  end: AbortController,
): Promise<Ended> {
  const { layer, folder, env, clock, sandbox } = trial;
  const file = run === "apply of a saved plan" ? PLAN : undefined;
  if (ends === "killed") {
    const args = [CLI, "apply", ...(file === undefined ? ["--yes"] : [file]), "--quiet"];
    const all = [...args, "--base-url", layer.url, "--record", path.join(folder, RECORD)];
    const child = spawn(process.execPath, all, { cwd: folder, env, stdio: "ignore" });
    const kill = (): void => void child.kill("SIGKILL");
    onTestFinished(kill);
    end.signal.addEventListener("abort", kill);
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) =>
        resolve({ exit: code ?? -1, signal, out: "", err: "", atEnd: sandbox.state() }),
      );
    });
  }
  const flags = { verbose: true, format: ["json"], baseUrl: layer.url, record: RECORD };
  const all = { ...flags, ...(file === undefined && { yes: true }), ...(ends === "stopped" && { concurrency: 1 }) };
  const ran =
    run === "undo"
      ? await undoRecord(trial, {}, end.signal)
      : await runIn(folder, env, (world) => apply(world, all, file), { clock, signal: end.signal });
  return { ...ran, signal: null, atEnd: sandbox.state() };
}

/** The password of each seeded link whose password the files remove. */
const PASSWORD = "old secret";

async function undoRecord(
  { layer, folder, env, clock }: Trial,
  time: { readonly now?: () => string } = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const options = { yes: true, quiet: true, record: false, concurrency: 1 } as const;
  const flags = { ...options, format: ["json"], baseUrl: layer.url };
  const given = { clock, signal, ...time };
  return runIn(folder, withSecrets(env, PASSWORD), (world) => undo(world, flags, RECORD), given);
}

/** The differences from the state before the apply, after an undo of its record. */
export const undone: Check = (trial, reference) => undoneAt(trial, reference, {});

/** The same after a kill: the program wrote its record with the time of the machine. */
export const undoneAfterKill: Check = (trial, reference) =>
  undoneAt(trial, reference, { now: () => new Date().toISOString() });

async function undoneAt(trial: Trial, { seed }: Reference, time: { readonly now?: () => string }): Promise<string[]> {
  const { exit, out } = await undoRecord(trial, time);
  const document: ApplyDocument = JSON.parse(out);
  const problems = exit === 0 ? [] : [`the undo ended with ${exit}: ${complaints(document)}`];
  return [...problems, ...notAsBefore(seed, trial.sandbox.state(), { textsOfSecrets: true, left: new Map() })];
}

/** The differences from the declared state, after the saved plan was applied again. */
export const appliedSavedAgain: Check = (trial, reference) => problemsAfterAnother(trial, reference, applySaved);

/** The differences from the declared state, after the files were applied again. */
export const appliedAgain: Check = (trial, reference) => problemsAfterAnother(trial, reference);

/** Both, each on an account in the same state. */
export const appliedBothWays: Check = async (trial, reference, ended) => {
  const left = { ...trial.setting, seed: trial.sandbox.state() };
  return [
    ...(await appliedSavedAgain(trial, reference, ended)),
    ...(await withTrial(left, null, fastClock(1), (other) => appliedAgain(other, reference, ended))),
  ];
};
