// Applies a plan: resolves the secrets, writes events and receipt, and verifies the changes.

import { runPlan } from "../apply/apply.ts";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import type { Outcome } from "../apply/outcome.ts";
import { recordIdOf, type Change } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode, type UserError } from "../errors.ts";
import type { RunDocument } from "../report/json/schema.ts";
import type { Ended } from "../report/report.ts";
import { changeNames } from "../report/counts.ts";
import { fieldWords } from "../report/values.ts";
import { outcomeText } from "../report/text/result.ts";
import { clicksLost } from "../report/apply-result.ts";
import { connectWriter } from "../service/service.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";
import type { Prepared } from "./prepare.ts";
import type { ReceiptFile, ReceiptFlags, Receipts } from "./receipts.ts";
import { resolveSecrets, type ResolvedSecrets } from "./secrets.ts";

export interface ExecuteFlags extends ReceiptFlags {
  readonly concurrency?: number;
}

/** A plan with its secrets. A secret that cannot be read is an error in the diagnostics. */
export interface Ready extends Prepared {
  readonly secret: ResolvedSecrets;
}

/** Reads every secret before the first write. */
export async function withSecrets(prepared: Prepared, world: World): Promise<Ready> {
  const { plan, folder } = prepared;
  const { secret, diagnostics } = await resolveSecrets(plan.secretsNeeded, folder, world.env);
  return { ...prepared, plan: { ...plan, diagnostics: [...plan.diagnostics, ...diagnostics] }, secret };
}

/** The results of a plan. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  /** The changes were verified. */
  readonly isVerified: boolean;
  readonly isInterrupted: boolean;
  /** The receipt for `undo`; null if none was written, or nothing was changed. */
  readonly receipt: string | null;
  readonly cost: Pick<RunDocument, "requests" | "seconds" | "waited">;
  /** What stopped the run, and outputs that could not be written. */
  readonly problems: readonly Diagnostic[];
}

/** Applies every change of the plan. Throws a user error before the first change if the receipt cannot be written. */
export async function execute(
  ready: Ready,
  world: World,
  flags: ExecuteFlags,
  out: Console,
  receipts: Receipts,
  command: "apply" | "undo" = "apply",
): Promise<Executed> {
  const { plan, state, baseUrl, folder, project } = ready;
  const about = { plan, state, baseUrl, project: project.file, command };
  const receipt = plan.changes.length === 0 ? null : await receipts.begin(about, folder);
  return applyRecorded(ready, receipt, world, flags, out);
}

async function applyRecorded(
  { plan, project, state, readAt, transport, signal, secret }: Ready,
  receipt: ReceiptFile | null,
  world: World,
  flags: ExecuteFlags,
  out: Console,
): Promise<Executed> {
  out.progress.start(() => transport.limit);
  const { requests } = plan;
  const [startedAt, waited] = [world.clock.now(), transport.waited];
  const shown = world.secrets.hideIn(plan);
  const nameOf = changeNames(shown.changes.map((change) => ({ ...change, id: recordIdOf(change) })));
  let verifiedCount = 0;
  const ids = new Map<Change, number>();
  let steps = out.progress.count("apply", plan.changes.length, requests.apply, requests.verify);
  const { outcomes, stopped, isVerified } = await runPlan(plan, connectWriter(transport), {
    project,
    state,
    readAt,
    concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
    now: world.now(),
    secret,
    clock: world.clock,
    signal,
    onBegin: (change) => {
      steps.begin(change);
      out.events?.begin(change);
    },
    onOutcome: (outcome) => {
      // A change that fails the verification later was stored nevertheless.
      if (outcome.outcome === "applied") ids.set(outcome.change, outcome.id);
      steps.end(outcome.change);
      out.events?.end(outcome);
      out.note(() => {
        const ended = world.secrets.hideIn(outcome);
        return outcomeText(ended, nameOf({ ...ended.change, id: recordIdOf(ended.change) }), out.errScreen);
      });
    },
    onVerify: (changes) => {
      verifiedCount = changes;
      steps = out.progress.count("verify", changes, requests.verify);
    },
    onChecked: (change) => steps.end(change),
    describe: (change, field) => fieldWords(plan, change, field),
  });
  out.progress.stop();
  if (isVerified && stopped === null) out.events?.verified(verifiedCount, outcomes);
  if (outcomes.length > 0) out.note("\n");
  const receiptError = receipt?.end({ outcomes, ids }) ?? null;
  const problems = [stopped, receiptError].flatMap((problem) => (problem === null ? [] : [problemOf(problem)]));
  out.findings(problems);
  return {
    outcomes,
    isVerified,
    isInterrupted: stopped?.exit === EXIT.interrupted,
    receipt: hasActed(outcomes) ? (receipt?.shown ?? null) : null,
    cost: {
      requests: transport.requests,
      seconds: (world.clock.now() - startedAt) / 1000,
      waited: transport.waited - waited,
    },
    problems,
  };
}

function problemOf({ code, message, hint }: UserError): Diagnostic {
  return error(code, message, null, hint);
}

export function endedOf(
  { outcomes, isVerified, cost, problems }: Executed,
  exit: ExitCode,
  commands: Pick<Ended, "again" | "look">,
): Ended {
  const stopped = problems.map(({ code }) => code);
  const run = { exit_code: exit, verified: isVerified, clicks_lost: clicksLost(outcomes), ...cost };
  return { run, stopped, ...commands };
}

/** Whether the service may have changed anything. */
export function hasActed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some((one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed));
}

/** The exit code of an apply; `isWritten` is false if its result could not be written. */
export function exitAfter({ outcomes, isInterrupted, problems }: Executed, isWritten: boolean): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  const isReported = isWritten && problems.length === 0;
  if (isReported && outcomes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
  return hasActed(outcomes) ? EXIT.partial : EXIT.error;
}
