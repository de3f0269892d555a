// Applies the changes of a plan and nothing else: in dependency order, in parallel where possible, with a verification at the end.

import type { Plan } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import type { Writer } from "../service/service.ts";
import type { ExecutionOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { verify, type VerifyOptions } from "./verify.ts";
import { ChangeRun } from "./run.ts";

export interface RunOptions extends ExecutionOptions, Pick<VerifyOptions, "onChecked"> {
  /** Called before the verification, with the number of changes that it reads again. */
  readonly onVerify?: (changes: number) => void;
}

/** The result of a plan. */
export interface RunResult {
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why some changes were not started or not verified; null if nothing stopped the run. */
  readonly stopped: UserError | null;
  /** Whether the changed records were read again. */
  readonly isVerified: boolean;
}

/** Applies and verifies all changes of the plan. A change that fails the verification is reported again, as failed. */
export async function runPlan(plan: Plan, service: Writer, options: RunOptions): Promise<RunResult> {
  const { signal, onOutcome } = options;
  const run = new ChangeRun(plan, service, options);
  const applied = await run.applyAll();
  const { stopped } = run;
  // A run that was stopped is not verified.
  if (stopped !== null) return { outcomes: applied, stopped, isVerified: false };
  options.onVerify?.(applied.filter(({ outcome }) => outcome === "applied").length);
  const outcomes = await verify(applied, service, options);
  const reported = new Set(applied);
  for (const outcome of outcomes) if (!reported.has(outcome)) onOutcome?.(outcome);
  // The run can also be interrupted during the verification.
  const ended: unknown = signal.aborted ? signal.reason : null;
  return { outcomes, stopped: ended instanceof UserError ? ended : null, isVerified: true };
}
