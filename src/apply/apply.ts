// Applies the changes of a plan and nothing else: in dependency order, in parallel where possible, with a verification at the end.

import type { Plan, Change } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import type { Writer } from "../service/service.ts";
import type { ExecutionOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { verify, type VerifyOptions } from "./verify.ts";
import pLimit, { type LimitFunction } from "p-limit";
import { inRunOrder } from "../plan/order.ts";
import type { Clock } from "../domain/clock.ts";
import { createDeferred, type Deferred } from "../domain/deferred.ts";
import { RecentReads } from "./recent.ts";
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
  const { outcomes: applied, stopped } = await applyChanges(plan, service, options);
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

/**
 * Applies every change of a plan, level by level. A failure stops only the changes that depend on it, and a store whose response was lost
 * delays only those. Nothing is thrown: an internal error is the failure of one change, too.
 */
async function applyChanges(
  plan: Plan,
  service: Writer,
  options: ExecutionOptions,
): Promise<Omit<RunResult, "isVerified">> {
  const recent = new RecentReads(plan.changes, options);
  const run = new ChangeRun(plan, service, recent, options);
  const schedule = new Schedule(run, plan.changes, options);
  for (const level of inRunOrder(plan.changes, recent.pages))
    await Promise.all(level.map((change) => schedule.start(change)));
  await schedule.finish();
  await run.recheckUncertain();
  return { outcomes: plan.changes.flatMap((change) => run.outcomes.get(change) ?? []), stopped: run.stopped };
}

/** Runs changes in parallel, each after the changes that it depends on. */
class Schedule {
  readonly #run: ChangeRun;
  readonly #limit: LimitFunction;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** One for each change, before any starts: a dependent change may start first. */
  readonly #ends: ReadonlyMap<Change, Deferred<void>>;

  constructor(run: ChangeRun, changes: readonly Change[], { concurrency, clock, signal }: ExecutionOptions) {
    this.#run = run;
    this.#ends = new Map(changes.map((change) => [change, createDeferred()]));
    this.#limit = pLimit(concurrency);
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Starts a change. Resolves when it has ended or waits, so that the next one may start. */
  start(change: Change): Promise<void> {
    return new Promise((release) => {
      this.#ends.get(change)?.resolve(this.#apply(change, release).finally(release));
    });
  }

  /** Resolves when all changes have ended. Call it when all have started. */
  async finish(): Promise<void> {
    await Promise.all([...this.#ends.values()].map(({ promise }) => promise));
  }

  async #apply(change: Change, release: () => void): Promise<void> {
    const pending = this.#run.needs(change).filter((other) => !this.#run.outcomes.has(other));
    // Only wait if necessary, so that other changes begin in the plan's order.
    if (pending.length > 0) {
      release();
      await Promise.all(pending.flatMap((other) => this.#ends.get(other)?.promise ?? []));
    }
    const steps = this.#run.apply(change);
    for (;;) {
      const step = await this.#limit(() => steps.next());
      if (step.done === true) return this.#run.end(step.value);
      release();
      // If the run is stopped, the change checks that itself.
      await this.#clock.sleep(step.value - this.#clock.now(), this.#signal).catch(() => null);
    }
  }
}
