// Applies single changes: their calls, the reasons not to begin, and their outcomes.

import { PAST_TENSE, type Change, type Plan } from "../domain/change.ts";
import { ServiceError, UserError } from "../errors.ts";
import { dependenciesAmong, type Dependencies } from "../plan/order.ts";
import type { Writer } from "../service/service.ts";
import { NotStoredError, stoppedBy } from "./read-back.ts";
import type { ExecutionOptions } from "./options.ts";
import { failureOf, type Failure, type Outcome } from "./outcome.ts";
import type { RecentReads } from "./recent.ts";
import { Sender, type SenderSteps } from "./sender.ts";
import { complete, CONFLICTS, ownRecord } from "./store.ts";

/** The changes of a run and their outcomes. */
export class ChangeRun {
  readonly outcomes: Map<Change, Outcome> = new Map();
  /** Why no further change begins; null if the run was not stopped. */
  stopped: UserError | null = null;
  readonly #dependencies: Dependencies;
  readonly #options: ExecutionOptions;
  readonly #sender: Sender;

  constructor(plan: Plan, service: Writer, recent: RecentReads, options: ExecutionOptions) {
    this.#dependencies = dependenciesAmong(plan.changes);
    this.#options = options;
    this.#sender = new Sender(plan, service, options, recent, () => this.stopped !== null);
    const { signal } = options;
    const stop = (): void => {
      this.stopped ??= asUserError(signal.reason);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  }

  /** The changes that must end before this one begins. */
  needs(change: Change): readonly Change[] {
    return this.#dependencies(change);
  }

  /** Why a change cannot begin, as a sentence; null if it can. */
  blocked(change: Change): string | null {
    if (this.stopped !== null) return this.stopped.message;
    const missing = this.needs(change).find((other) => this.outcomes.get(other)?.outcome !== "applied");
    return missing === undefined
      ? null
      : `It depends on the ${missing.kind} ${missing.key}, which could not be ${PAST_TENSE[missing.action]}.`;
  }

  /** Records and reports an outcome. */
  end(outcome: Outcome): void {
    this.outcomes.set(outcome.change, outcome);
    this.#options.onOutcome?.(outcome);
  }

  /** Applies a change and returns its outcome. Never throws. */
  async *apply(change: Change): AsyncGenerator<number, Outcome, void> {
    const because = this.blocked(change);
    if (because !== null) return { change, outcome: "skipped", code: "skipped", because };
    const progress: { done: string | null } = { done: null };
    try {
      return { change, outcome: "applied", id: yield* this.#execute(change, progress) };
    } catch (cause) {
      // A store without a response may have worked, even if another error ended its retry.
      const isUncertain = this.#sender.isUncertain(change);
      const unknown = isUncertain ? `It is unknown whether \`${change.key}\` was created.` : null;
      return this.#outcomeOf(change, cause, progress.done ?? (cause instanceof UserError ? unknown : null));
    }
  }

  #outcomeOf(change: Change, cause: unknown, halfDone: string | null): Outcome {
    // With a rejected API key, or after an interruption, every other change would fail, too.
    if (cause instanceof ServiceError && cause.code === "unauthenticated")
      this.stopped ??= new UserError("unauthenticated", "The service no longer accepts the API key.");
    if (cause instanceof UserError) {
      this.stopped ??= cause instanceof NotStoredError ? stoppedBy(cause) : cause;
      if (cause instanceof NotStoredError) return { change, outcome: "failed", failure: notStored(change, cause) };
      if (halfDone === null) return { change, outcome: "skipped", code: "skipped", because: cause.message };
    }
    if (cause instanceof ServiceError && cause.code === "moved" && !cause.mayHaveActed && halfDone === null)
      return { change, outcome: "skipped", code: "moved", because: cause.message };
    return { change, outcome: "failed", failure: failureOf(change, cause, halfDone) };
  }

  /**
   * Looks again for each record that was not stored with certainty. Completes records that appeared late, and reports duplicates. If an
   * outcome changes, it is reported again.
   */
  async recheckUncertain(): Promise<void> {
    for (const change of this.#sender.uncertain) {
      const before = this.outcomes.get(change);
      if (this.stopped !== null || before === undefined) return;
      // The verification finds duplicates of records that were applied.
      if (before.outcome === "applied") continue;
      if (before.outcome === "failed" && CONFLICTS.has(before.failure.code)) continue;
      try {
        const record = ownRecord(change, await this.#sender.storage.findByKey(change), this.#sender.storage);
        if (record === null || change.action === "replace") continue;
        this.end({ change, outcome: "applied", id: await complete(change, record, this.#sender.storage) });
      } catch (cause) {
        if (cause instanceof ServiceError && cause.code === "doubled") this.end(this.#outcomeOf(change, cause, null));
      }
    }
  }

  /** Sends the calls of a change and returns the record's id. `progress.done` describes what was applied before a failure. */
  async *#execute(change: Change, progress: { done: string | null }): SenderSteps {
    const onFound = (id: number): void => {
      progress.done = `\`${change.key}\` was created (id ${id}), but is incomplete.`;
    };
    switch (change.action) {
      case "create":
        return yield* this.#sender.store(change, onFound);
      case "update":
        await this.#sender.update(change, (paths) => {
          progress.done = `Only ${paths.map((path) => `\`${path}\``).join(", ")} ${paths.length === 1 ? "was" : "were"} updated.`;
        });
        return change.live.id;
      case "replace": {
        const id = yield* this.#sender.store(change, onFound);
        progress.done = `\`${change.key}\` was created, but \`${change.live.key}\` was not deleted.`;
        await this.#sender.delete(change);
        return id;
      }
      case "delete":
        await this.#sender.delete(change);
        return change.live.id;
      default:
        return change satisfies never;
    }
  }
}

/** The service did something else than requested. */
function notStored(change: Change, cause: NotStoredError): Failure {
  const place = change.action === "delete" ? undefined : change.desired.declared.get(cause.path)?.place;
  return { ...failureOf(change, cause, null), path: cause.path, place: place ?? change.source, mayHaveActed: true };
}

function asUserError(reason: unknown): UserError {
  return reason instanceof UserError ? reason : new UserError("stopped", "The run was stopped before this change.");
}
