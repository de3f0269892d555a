// Makes the changes of a plan, and nothing else, against an injected service.

import pLimit from "p-limit";
import type { Change, FieldChange, Plan } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { SecretSource } from "../domain/project.ts";
import { ServiceError } from "../errors.ts";
import { splitCalls } from "../plan/calls.ts";
import { dependenciesAmong, LEVELS, type Dependencies } from "../plan/order.ts";
import { encodeForm, type SendContext } from "../service/form.ts";
import type { Writer } from "../service/service.ts";
import { failureOf, type Outcome } from "./outcome.ts";

export interface ApplyOptions {
  /** Most changes under way at once; at least 1. */
  readonly concurrency: number;
  /** The text of a secret; every one that is needed has been resolved before the first write. */
  readonly secret: (source: SecretSource) => string;
  /** Told of each outcome as it is known. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

/**
 * Makes every change of a plan, level by level, and returns an outcome for each in the plan's order. A failure stops only
 * what depends on it. Nothing is thrown: a mistake of ours is the failure of one change, too.
 */
export async function applyChanges(plan: Plan, service: Writer, options: ApplyOptions): Promise<Outcome[]> {
  const run = new Run(plan, service, options);
  const limit = pLimit(options.concurrency);
  for (const { kind, actions } of LEVELS) {
    const level = plan.changes.filter((change) => change.kind === kind && actions.includes(change.action));
    await Promise.all(level.map((change) => limit(() => run.make(change))));
  }
  return plan.changes.flatMap((change) => run.outcomes.get(change) ?? []);
}

class Run {
  readonly outcomes = new Map<Change, Outcome>();
  readonly #plan: Plan;
  readonly #dependencies: Dependencies;
  readonly #service: Writer;
  readonly #options: ApplyOptions;
  /** Grows as pixels are created, so that links can name them. */
  readonly #pixels: Map<string, number>;
  #keyRefused = false;

  constructor(plan: Plan, service: Writer, options: ApplyOptions) {
    this.#plan = plan;
    this.#dependencies = dependenciesAmong(plan.changes);
    this.#service = service;
    this.#options = options;
    this.#pixels = new Map(plan.references.pixels);
  }

  /** Makes a change, unless what it needs is missing or the key is no longer taken: then every other would fail as well. */
  async make(change: Change): Promise<void> {
    const because = this.#keyRefused ? "The service no longer accepts the key." : this.#blockedBy(change);
    const outcome: Outcome = because === null ? await this.#attempt(change) : { change, outcome: "skipped", because };
    this.outcomes.set(change, outcome);
    this.#options.onOutcome?.(outcome);
  }

  /** The change that must have succeeded before this one and did not, as a sentence; null if nothing is in the way. */
  #blockedBy(change: Change): string | null {
    const missing = this.#dependencies(change).find((other) => this.outcomes.get(other)?.outcome !== "applied");
    return missing === undefined
      ? null
      : `It needs the ${missing.kind} ${missing.key}, which could not be ${DONE[missing.action]}.`;
  }

  async #attempt(change: Change): Promise<Outcome> {
    const steps = { done: null };
    try {
      return { change, outcome: "applied", id: await this.#execute(change, steps) };
    } catch (cause) {
      this.#keyRefused ||= cause instanceof ServiceError && cause.code === "unauthenticated";
      return { change, outcome: "failed", failure: failureOf(change, cause, steps.done) };
    }
  }

  /** Sends what a change takes and returns the row's id; `steps.done` says what a failure leaves half-done. */
  async #execute(change: Change, steps: { done: string | null }): Promise<number> {
    switch (change.action) {
      case "create":
        return this.#store(change, change.fields);
      case "update":
        for (const fields of splitCalls(change.kind, change.fields)) {
          await this.#service.update(change.kind, change.live.id, this.#form(change, fields));
          steps.done = `${fields.map(({ path }) => `\`${path}\``).join(", ")} has been changed, but not the rest.`;
        }
        return change.live.id;
      case "replace": {
        const id = await this.#store(change, change.stored);
        steps.done = `\`${change.key}\` has been created, but \`${change.live.key}\` is still there.`;
        await this.#service.delete(change.kind, change.live.id);
        return id;
      }
      case "delete":
        await this.#service.delete(change.kind, change.live.id);
        return change.live.id;
      default:
        return change satisfies never;
    }
  }

  async #store(change: Exclude<Change, { action: "delete" }>, fields: readonly FieldChange[]): Promise<number> {
    const id = await this.#service.store(change.kind, this.#form(change, fields));
    if (change.kind === "pixel") this.#pixels.set(fold(change.key), id);
    return id;
  }

  #form(change: Exclude<Change, { action: "delete" }>, fields: readonly FieldChange[]): string {
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
