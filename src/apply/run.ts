// Applies the changes of a plan and nothing else: in dependency order, in parallel where possible, with a verification at the end.

import pLimit, { type LimitFunction } from "p-limit";
import { PAST_TENSE, type Change, type Plan } from "../domain/change.ts";
import { createDeferred, type Deferred } from "../domain/collections.ts";
import { ServiceError, UserError } from "../errors.ts";
import { dependenciesAmong, inRunOrder, type Dependencies } from "../plan/order.ts";
import type { Writer } from "../service/service.ts";
import { NotStoredError, stoppedBy } from "./read-back.ts";
import type { ExecutionOptions } from "./options.ts";
import { failureOf, type Outcome } from "./outcome.ts";
import { RecentReads } from "./recent.ts";
import { Sender } from "./sender.ts";
import { complete, CONFLICTS, ownRecord } from "./store.ts";
import { verify } from "./verify.ts";

export interface RunResult {
  /** One for each change, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why some changes were not started or not verified; null if nothing stopped the run. */
  readonly stopped: UserError | null;
  readonly isVerified: boolean;
}

/** Applies and verifies all changes of the plan. A change that fails the verification is reported again, as failed. */
export async function runPlan(plan: Plan, service: Writer, options: ExecutionOptions): Promise<RunResult> {
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

/**
 * Applies every change of a plan in parallel, each after those that it depends on. A failure stops only the changes that depend on it, and a
 * store whose response was lost delays only those. Nothing is thrown: an internal error is the failure of one change, too.
 */
class ChangeRun {
  /** Why no further change begins; null if the run was not stopped. */
  stopped: UserError | null = null;
  readonly #changes: readonly Change[];
  readonly #needs: Dependencies;
  readonly #options: ExecutionOptions;
  readonly #recent: RecentReads;
  readonly #sender: Sender;
  readonly #limit: LimitFunction;
  readonly #outcomes = new Map<Change, Outcome>();
  /** One for each change, before any starts: a dependent change may start first. */
  readonly #ends: ReadonlyMap<Change, Deferred<void>>;

  constructor(plan: Plan, service: Writer, options: ExecutionOptions) {
    this.#changes = plan.changes;
    this.#needs = dependenciesAmong(plan.changes);
    this.#options = options;
    this.#recent = new RecentReads(plan.changes, options);
    this.#sender = new Sender(plan, service, options, this.#recent, () => this.stopped !== null);
    this.#limit = pLimit(options.concurrency);
    this.#ends = new Map(plan.changes.map((change) => [change, createDeferred()]));
    const { signal } = options;
    const stop = (): void => {
      const reason: unknown = signal.reason;
      const stopped = new UserError("stopped", "The run was stopped before this change.");
      this.stopped ??= reason instanceof UserError ? reason : stopped;
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  }

  async applyAll(): Promise<Outcome[]> {
    for (const level of inRunOrder(this.#changes, this.#recent.pages))
      await Promise.all(level.map((change) => this.#start(change)));
    await Promise.all([...this.#ends.values()].map(({ promise }) => promise));
    await this.#recheckUncertain();
    return this.#changes.flatMap((change) => this.#outcomes.get(change) ?? []);
  }

  /** Resolves when the change has ended or waits, so that the next one may start. */
  #start(change: Change): Promise<void> {
    return new Promise((release) => {
      this.#ends.get(change)?.resolve(this.#runInTurn(change, release).finally(release));
    });
  }

  async #runInTurn(change: Change, release: () => void): Promise<void> {
    const pending = this.#needs(change).filter((other) => !this.#outcomes.has(other));
    // Only wait if necessary, so that other changes begin in the plan's order.
    if (pending.length > 0) {
      release();
      await Promise.all(pending.flatMap((other) => this.#ends.get(other)?.promise ?? []));
    }
    const { clock, signal } = this.#options;
    const steps = this.#apply(change);
    for (;;) {
      const step = await this.#limit(() => steps.next());
      if (step.done === true) return this.#end(step.value);
      release();
      // If the run is stopped, the change checks that itself.
      await clock.sleep(step.value - clock.now(), signal).catch(() => null);
    }
  }

  /** Why a change cannot begin; null if it can. */
  #blocked(change: Change): string | null {
    if (this.stopped !== null) return this.stopped.message;
    const missing = this.#needs(change).find((other) => this.#outcomes.get(other)?.outcome !== "applied");
    return missing === undefined
      ? null
      : `It depends on the ${missing.kind} ${missing.key}, which could not be ${PAST_TENSE[missing.action]}.`;
  }

  #end(outcome: Outcome): void {
    this.#outcomes.set(outcome.change, outcome);
    this.#options.onOutcome?.(outcome);
  }

  /** Never throws. */
  async *#apply(change: Change): AsyncGenerator<number, Outcome, void> {
    const because = this.#blocked(change);
    if (because !== null) return { change, outcome: "skipped", code: "skipped", because };
    try {
      return { change, outcome: "applied", id: yield* this.#sender.send(change) };
    } catch (cause) {
      // A store without a response may have worked, even if another error ended its retry.
      const isSkip = cause instanceof UserError && !(cause instanceof NotStoredError);
      const uncertain: ReadonlySet<Change> = this.#sender.uncertain;
      const unknown = `It is unknown whether \`${change.key}\` was created.`;
      const halfDone = this.#sender.halfDone.get(change) ?? (isSkip && uncertain.has(change) ? unknown : null);
      return this.#outcomeOf(change, cause, halfDone);
    }
  }

  #outcomeOf(change: Change, cause: unknown, halfDone: string | null): Outcome {
    // With a rejected API key, or after an interruption, every other change would fail, too.
    if (cause instanceof ServiceError && cause.code === "unauthenticated")
      this.stopped ??= new UserError("unauthenticated", "The service no longer accepts the API key.");
    if (cause instanceof UserError) {
      this.stopped ??= cause instanceof NotStoredError ? stoppedBy(cause) : cause;
      if (halfDone === null && !(cause instanceof NotStoredError))
        return { change, outcome: "skipped", code: "skipped", because: cause.message };
    }
    if (cause instanceof ServiceError && cause.code === "moved" && !cause.mayHaveActed && halfDone === null)
      return { change, outcome: "skipped", code: "moved", because: cause.message };
    return { change, outcome: "failed", failure: failureOf(change, cause, halfDone) };
  }

  /** Looks again for records that were not stored with certainty. Completes those that appeared late, and reports duplicates. */
  async #recheckUncertain(): Promise<void> {
    for (const change of this.#sender.uncertain) {
      const before = this.#outcomes.get(change);
      if (this.stopped !== null || before === undefined) return;
      // The verification finds duplicates of records that were applied.
      if (before.outcome === "applied") continue;
      if (before.outcome === "failed" && CONFLICTS.has(before.failure.code)) continue;
      try {
        const record = ownRecord(change, await this.#sender.findByKey(change), this.#sender);
        if (record === null || change.action === "replace") continue;
        this.#end({ change, outcome: "applied", id: await complete(change, record, this.#sender) });
      } catch (cause) {
        if (cause instanceof ServiceError && cause.code === "doubled") this.#end(this.#outcomeOf(change, cause, null));
      }
    }
  }
}
