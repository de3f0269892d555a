// Applies a plan: writes the record, and verifies the changes.

import { runPlan } from "../apply/apply.ts";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import type { Outcome } from "../apply/outcome.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { EXIT } from "../errors.ts";
import type { RunDocument } from "../report/json/schema.ts";
import { fieldWords } from "../report/values.ts";
import { outcomeText } from "../report/text/log.ts";
import { changeLines } from "../record/changes.ts";
import type { OpenedPlan } from "../record/file.ts";
import { connectWriter } from "../service/service.ts";
import type { Console } from "./console.ts";
import type { CommonFlags } from "./context.ts";
import type { Planned } from "./planned.ts";
import { planLineOf } from "./plan-line.ts";
import type { RecordFlags, RunRecord } from "./run-record.ts";
import type { ResolvedSecrets } from "./secrets.ts";

export interface ExecuteFlags extends CommonFlags, RecordFlags {
  readonly concurrency?: number;
}

/** The results of a plan. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  /** The changes were verified. */
  readonly isVerified: boolean;
  readonly isInterrupted: boolean;
  /** The record for `undo`; null if none was written, or nothing was changed. */
  readonly record: string | null;
  readonly cost: Pick<RunDocument, "requests" | "seconds" | "waited">;
  /** What stopped the run, and outputs that could not be written. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Applies every change of the plan. `saved` is the plan that it was made from. Throws a user error before the first change if the record
 * cannot be written.
 */
export async function execute(
  out: Console<ExecuteFlags>,
  record: RunRecord,
  planned: Planned,
  secret: ResolvedSecrets,
  saved: OpenedPlan | null,
): Promise<Executed> {
  const { world, flags } = out;
  const { plan, project, opened, state, readAt, transport, signal } = planned;
  const command = out.command === "undo" ? ("undo" as const) : ("apply" as const);
  const states = changeLines(plan, state, (value) => world.secrets.has(value));
  const start = { plan: saved ?? planLineOf(planned), command, project: project.file, folder: opened.folder, states };
  await record.begin({ ...start, changes: plan.changes }, flags);
  out.progress.start();
  const [startedAt, waited] = [world.clock.now(), transport.waited];
  let done = out.progress.count("apply", plan.changes.length);
  const { outcomes, stopped, isVerified } = await runPlan(plan, connectWriter(transport), {
    canonical: planned.canonical(),
    state,
    readAt,
    concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
    now: world.now(),
    secret,
    clock: world.clock,
    signal,
    onCall: record.call,
    onOutcome: (outcome) => {
      record.end(outcome);
      done.add(outcome.change);
      out.note(() => outcomeText(world.secrets.hideIn(outcome), out.errScreen));
    },
    onVerify: (changes) => {
      done = out.progress.count("verify", changes);
    },
    onChecked: (change) => void done.add(change),
    describe: (change, field) => fieldWords(plan, change, field),
  });
  out.progress.stop();
  if (outcomes.length > 0) out.note("\n");
  const problems = [...new Set([stopped, record.problem])].flatMap((one) => diagnosticOf(one) ?? []);
  out.findings(problems);
  return {
    outcomes,
    isVerified,
    isInterrupted: stopped?.exit === EXIT.interrupted,
    record: hasActed(outcomes) ? record.shown : null,
    cost: {
      requests: transport.requests,
      seconds: (world.clock.now() - startedAt) / 1000,
      waited: transport.waited - waited,
    },
    problems,
  };
}

/** Whether the service may have changed anything. */
export function hasActed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some((one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed));
}
