// A whole run: makes the changes of a plan, then reads again what they touched.

import type { Plan } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import { canonicalRecords } from "../plan/resolve.ts";
import type { Writer } from "../service/service.ts";
import { applyChanges } from "./apply.ts";
import type { ApplyOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { verify, type VerifyOptions } from "./verify.ts";

export interface CarryOutOptions extends Omit<ApplyOptions, "canonical">, Pick<VerifyOptions, "onChecked"> {
  /** What the plan was made of. */
  readonly project: Project;
  readonly state: LiveState;
  /** Told when all is made that could be, and so many changes are to be read again. */
  readonly onVerify?: (changes: number) => void;
}

/** What became of a plan. */
export interface CarriedOut {
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why not all was begun, or not all read again; null if nothing stopped it. */
  readonly stopped: UserError | null;
  /** What was touched has been read again. */
  readonly isVerified: boolean;
}

/** Makes every change of the plan and no other. What the second reading does not bear out is told once more, as failed. */
export async function carryOut(plan: Plan, service: Writer, options: CarryOutOptions): Promise<CarriedOut> {
  const { project, state, signal, onOutcome } = options;
  const canonical = canonicalRecords(project, state);
  const { outcomes: made, stopped } = await applyChanges(plan, service, { ...options, canonical });
  // What stops the changes stops the reading as well.
  if (stopped !== null) return { outcomes: made, stopped, isVerified: false };
  options.onVerify?.(made.filter(({ outcome }) => outcome === "applied").length);
  const outcomes = await verify(made, service, { ...options, canonical, lists: state });
  const told = new Set(made);
  for (const outcome of outcomes) if (!told.has(outcome)) onOutcome?.(outcome);
  // Interrupted while it reads again, it is interrupted all the same.
  const ended: unknown = signal.aborted ? signal.reason : null;
  return { outcomes, stopped: ended instanceof UserError ? ended : null, isVerified: true };
}
