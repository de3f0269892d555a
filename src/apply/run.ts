// Makes single changes: sends what each takes, and keeps what became of it.

import type { Change, FieldChange, Live, Plan } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRow } from "../domain/live.ts";
import type { SecretSource } from "../domain/project.ts";
import { KEY_FIELD } from "../domain/table.ts";
import { ServiceError, UserError } from "../errors.ts";
import { splitCalls } from "../plan/calls.ts";
import { compare } from "../plan/compare.ts";
import { dependenciesAmong, type Dependencies } from "../plan/order.ts";
import type { Clock } from "../service/clock.ts";
import { encodeForm, type SendContext } from "../service/form.ts";
import { backoff } from "../service/retry.ts";
import type { Writer } from "../service/service.ts";
import { Calls } from "./calls.ts";
import type { Journal } from "./journal.ts";
import { failureOf, type Outcome } from "./outcome.ts";
import { complete, CONFLICTS, ownRow, refusesKey, storeOnce, type Storage, type Storing } from "./store.ts";

export interface ApplyOptions {
  /** Most changes under way at once; at least 1. */
  readonly concurrency: number;
  /** The text of a secret; every one that is needed has been resolved before the first write. */
  readonly secret: (source: SecretSource) => string;
  /** Puts a row in canonical form. */
  readonly canonical: (row: LiveRow) => Live;
  /** The instant at which expiry is judged, in canonical form. */
  readonly now: string;
  readonly clock: Clock;
  /** Aborted, with a user error, to begin nothing new. */
  readonly signal: AbortSignal;
  readonly journal?: Journal;
  /** Told of each outcome as it is known. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Steps of a change: what it yields are moments (ms since the epoch) until which others may go on. */
type Steps = AsyncGenerator<number, number, void>;
type Written = Exclude<Change, { action: "delete" }>;

export class Run {
  readonly outcomes: Map<Change, Outcome> = new Map();
  /** Why nothing new is begun; null as long as nothing is in the way. */
  stopped: UserError | null = null;
  readonly #plan: Plan;
  readonly #dependencies: Dependencies;
  readonly #service: Writer;
  readonly #options: ApplyOptions;
  readonly #calls: Calls;
  readonly #storage: Storage;
  /** Grows as pixels are created, so that links can name them. */
  readonly #pixels: Map<string, number>;
  /** Stores of which an answer was lost. */
  readonly #doubtful = new Set<Storing>();

  constructor(plan: Plan, service: Writer, options: ApplyOptions) {
    this.#plan = plan;
    this.#dependencies = dependenciesAmong(plan.changes);
    this.#service = service;
    this.#options = options;
    this.#calls = new Calls(options.journal ?? (() => undefined), (problem) => (this.stopped ??= problem));
    this.#pixels = new Map(plan.references.pixels);
    this.#storage = this.#makeStorage();
    const { signal } = options;
    const stop = (): void => {
      this.stopped ??= asUserError(signal.reason);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  }

  /** What must have ended before this change begins. */
  needs(change: Change): readonly Change[] {
    return this.#dependencies(change);
  }

  /** Why a change is not to be begun, as a sentence; null if nothing is in the way. */
  blocked(change: Change): string | null {
    if (this.stopped !== null) return this.stopped.message;
    const missing = this.needs(change).find((other) => this.outcomes.get(other)?.outcome !== "applied");
    return missing === undefined
      ? null
      : `It needs the ${missing.kind} ${missing.key}, which could not be ${DONE[missing.action]}.`;
  }

  /** Keeps an outcome and tells of it. */
  end(outcome: Outcome): void {
    this.outcomes.set(outcome.change, outcome);
    this.#options.onOutcome?.(outcome);
  }

  /** Makes a change; the generator's return value is its outcome. Nothing is thrown. */
  async *make(change: Change): AsyncGenerator<number, Outcome, void> {
    const because = this.blocked(change);
    if (because !== null) return { change, outcome: "skipped", because };
    const progress: { done: string | null } = { done: null };
    try {
      return { change, outcome: "applied", id: yield* this.#execute(change, progress) };
    } catch (cause) {
      return this.#outcomeOf(change, cause, progress.done);
    }
  }

  #outcomeOf(change: Change, cause: unknown, halfDone: string | null): Outcome {
    // With a key that is no longer taken, and once it was stopped, every other change would fail as well.
    if (cause instanceof ServiceError && cause.code === "unauthenticated")
      this.stopped ??= new UserError("unauthenticated", "The service no longer accepts the key.");
    if (cause instanceof UserError) {
      this.stopped ??= cause;
      if (halfDone === null) return { change, outcome: "skipped", because: cause.message };
    }
    return { change, outcome: "failed", failure: failureOf(change, cause, halfDone) };
  }

  /**
   * Looks once more for every row whose store was in doubt: what came late is completed, what came twice is told. Outcomes
   * that this changes are kept and told anew.
   */
  async lookAgain(): Promise<void> {
    for (const change of this.#doubtful) {
      const before = this.outcomes.get(change);
      if (this.stopped !== null || before === undefined) return;
      if (before.outcome === "failed" && CONFLICTS.has(before.failure.code)) continue;
      const wasMade = before.outcome === "applied";
      try {
        const row = ownRow(change, await this.#storage.look(change));
        if (row === null || wasMade || change.action === "replace") continue;
        this.end({ change, outcome: "applied", id: await complete(change, row, this.#storage) });
      } catch (cause) {
        const isDoubled = cause instanceof ServiceError && cause.code === "doubled";
        if (wasMade || isDoubled)
          this.end(this.#outcomeOf(change, cause, wasMade ? "It was applied, but one of its answers was lost." : null));
      }
    }
  }

  /** Sends what a change takes and returns the row's id; `progress.done` says what a failure leaves half-done. */
  async *#execute(change: Change, progress: { done: string | null }): Steps {
    switch (change.action) {
      case "create":
        return yield* this.#store(change);
      case "update":
        return this.#explainTaken(change, async () => {
          for (const fields of splitCalls(change.kind, change.fields)) {
            await this.#update(change, change.live.id, fields);
            progress.done = `${fields.map(({ path }) => `\`${path}\``).join(", ")} has been changed, but not the rest.`;
          }
          return change.live.id;
        });
      case "replace": {
        const id = yield* this.#store(change);
        progress.done = `\`${change.key}\` has been created, but \`${change.live.key}\` is still there.`;
        await this.#delete(change, change.live.id);
        return id;
      }
      case "delete":
        await this.#delete(change, change.live.id);
        return change.live.id;
      default:
        return change satisfies never;
    }
  }

  async *#store(change: Storing): Steps {
    const steps = storeOnce(change, this.#storage);
    for (;;) {
      const step = await this.#explainTaken(change, () => steps.next());
      if (step.done === true) {
        if (change.kind === "pixel") this.#pixels.set(fold(change.key), step.value);
        return step.value;
      }
      yield step.value;
    }
  }

  #makeStorage(): Storage {
    const { clock } = this.#options;
    return {
      now: () => clock.now(),
      delay: (tries) => backoff(tries, clock.random()),
      isStopped: () => this.stopped !== null,
      store: async (change) => {
        const fields = change.action === "replace" ? change.stored : change.fields;
        try {
          return await this.#calls.make({ change, does: "store", id: null, fields }, () =>
            this.#service.store(change.kind, this.#form(change, fields)),
          );
        } catch (cause) {
          if (cause instanceof ServiceError && cause.mayHaveActed) this.#doubtful.add(change);
          throw cause;
        }
      },
      look: (change) => this.#look(change),
      lacks: ({ desired }, row) => compare(desired, row, this.#options.now).fields,
      update: async (change, id, fields) => {
        for (const group of splitCalls(change.kind, fields)) await this.#update(change, id, group);
      },
    };
  }

  /** The live rows that have the key of this change now. */
  async #look({ kind, key, ...change }: Change): Promise<Live[]> {
    if (change.action === "delete") return [];
    const { desired } = change;
    const rows = await this.#service.find(kind, String(desired.values.get(KEY_FIELD[kind]) ?? key));
    return rows.map(this.#options.canonical).filter(({ identity }) => identity === desired.identity);
  }

  /** A key that the service refuses may have been taken since the account was read: then that is what is told. */
  async #explainTaken<Result>(change: Written, send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (cause) {
      if (!(cause instanceof ServiceError && refusesKey(change, cause))) throw cause;
      const own = change.action === "update" ? change.live.id : null;
      const holders = await this.#look(change).catch(() => []);
      const holder = holders.find(({ id }) => id !== own);
      if (holder === undefined) throw cause;
      const message = `\`${change.key}\` is there now (id ${holder.id}): the account changed while it was read.`;
      throw new ServiceError("account-changed", message, {
        hint: "Run again: it is planned anew.",
        aftermath: "none",
        cause,
      });
    }
  }

  #update(change: Written, id: number, fields: readonly FieldChange[]): Promise<void> {
    return this.#calls.make({ change, does: "update", id, fields }, () =>
      this.#service.update(change.kind, id, this.#form(change, fields)),
    );
  }

  /** A row that is gone already is as it was to be. */
  async #delete(change: Change, id: number): Promise<void> {
    await this.#calls.make({ change, does: "delete", id, fields: [] }, () => this.#service.delete(change.kind, id));
  }

  #form(change: Written, fields: readonly FieldChange[]): string {
    const context: SendContext = {
      references: { ...this.#plan.references, pixels: this.#pixels },
      zones: this.#plan.zones,
      secret: (path) => {
        const source = change.desired.secrets.get(path);
        if (source === undefined) throw new Error(`no source of ${path} is known`);
        return this.#options.secret(source);
      },
    };
    return encodeForm(change.kind, fields, context);
  }
}

const DONE = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;

function asUserError(reason: unknown): UserError {
  return reason instanceof UserError ? reason : new UserError("stopped", "It was stopped before that.");
}
