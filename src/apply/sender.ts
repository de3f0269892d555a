// Sends the calls of a run, and looks up live records.

import type { Change, WrittenChange, FieldChange, Live, Plan } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import { fieldsText, type LiveRecord } from "../domain/live.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { sentFields, splitCalls } from "../plan/calls.ts";
import { compare } from "../plan/compare.ts";
import { backoff } from "../service/pace.ts";
import type { Guard, Writer, Writing } from "../service/service.ts";
import { createGuard, type OwnWrites } from "./guard.ts";
import { createReadBack } from "./read-back.ts";
import type { RecentReads } from "./recent.ts";
import type { ExecutionOptions } from "./options.ts";
import { storeOnce, type Storage, type Storing } from "./store.ts";

export class Sender implements Storage {
  readonly isStopped: () => boolean;
  /** Stores without a certain result: there was no response, or the service failed and may have left a record. */
  readonly uncertain: Set<Storing> = new Set();
  /** What was applied of a change that has not ended, as a sentence. */
  readonly halfDone: Map<Change, string> = new Map();
  readonly #recent: RecentReads;
  readonly #plan: Plan;
  readonly #service: Writer;
  readonly #options: ExecutionOptions;
  readonly #send: ReturnType<typeof createReadBack>;
  /** Created pixels are added, so that links can refer to them. */
  readonly #pixels: Map<string, number>;

  constructor(plan: Plan, service: Writer, options: ExecutionOptions, recent: RecentReads, isStopped: () => boolean) {
    this.isStopped = isStopped;
    this.#plan = plan;
    this.#recent = recent;
    this.#service = service;
    this.#options = options;
    this.#send = createReadBack(service, options);
    this.#pixels = new Map(plan.references.pixels);
  }

  /** Applies a change and returns the id of its record. It yields as `storeOnce` does. */
  async *send(change: Change): AsyncGenerator<number, number, void> {
    switch (change.action) {
      case "create":
        return yield* this.#create(change);
      case "update":
        await this.update(change, change.live, change.fields);
        return change.live.id;
      case "replace": {
        const id = yield* this.#create(change);
        this.halfDone.set(change, `\`${change.key}\` was created, but \`${change.live.key}\` was not deleted.`);
        await this.#delete(change);
        return id;
      }
      case "delete":
        await this.#delete(change);
        return change.live.id;
      default:
        return change satisfies never;
    }
  }

  async *#create(change: Storing): AsyncGenerator<number, number, void> {
    const id = yield* storeOnce(change, this, (found) => {
      this.halfDone.set(change, `\`${change.key}\` was created (id ${found}), but is incomplete.`);
    });
    if (change.kind === "pixel") this.#pixels.set(fold(change.key), id);
    return id;
  }

  now(): number {
    return this.#options.clock.now();
  }

  delay(tries: number): number {
    return backoff(tries, this.#options.clock.random());
  }

  async store(change: Storing): Promise<number> {
    const fields = sentFields(change);
    try {
      const form = await this.#service.encode(change.kind, this.#writing(change, fields));
      const send = (): Promise<number> => this.#record(change, "store", () => this.#service.store(change.kind, form));
      return await this.#send({ change, operation: "store", fields, send });
    } catch (cause) {
      if (cause instanceof ServiceError && cause.mayHaveActed) this.uncertain.add(change);
      throw cause;
    }
  }

  async findByKey({ kind, key, desired }: Storing): Promise<Live[]> {
    const records = await this.#service.find(kind, String(desired.values.get(KEY_FIELD[kind]) ?? key));
    this.#recent.note(records);
    const isOwn = (record: LiveRecord): boolean => this.#options.canonical(record).identity === desired.identity;
    const hasDomain = ({ references }: LiveRecord): boolean =>
      kind === "pixel" || references.has(REFERENCE_FIELD.domain);
    // An unreadable record with this key, or on an unknown domain, may be the stored one. In that case, nothing is sent again.
    const unreadable = records.find((record) => record.unreadable.length > 0 && (isOwn(record) || !hasDomain(record)));
    if (unreadable === undefined) return records.filter(isOwn).map(this.#options.canonical);
    const message = `\`${key}\` may be ${kind} ${unreadable.id}, which linkform cannot read: ${fieldsText(unreadable.unreadable)}.`;
    const hint = `Fix the ${kind} in the service's web interface, and then run \`linkform plan\`.`;
    throw new ServiceError("shape", message, { hint, aftermath: "none" });
  }

  missingFields({ desired }: Storing, record: Live): readonly FieldChange[] {
    return compare(desired, record, this.#options.now).fields;
  }

  /** Sends fields of a record that was read as `live`, with one or more calls. */
  async update(change: WrittenChange, live: Live, allFields: readonly FieldChange[]): Promise<void> {
    const { kind } = change;
    const { id } = live;
    // What a store of this run sent may still be under way.
    const storing = change.action === "update" ? [] : sentFields(change);
    const recent = this.#recent.of(change);
    const done: FieldChange[] = [];
    try {
      for (const fields of splitCalls(kind, allFields)) {
        const guard = this.#guard(change, live, { done: [...done], sending: fields, storing });
        // Further requests follow a reading of their own, because this run has changed the record.
        const first = done.length === 0 ? recent : undefined;
        const form = await this.#service.encode(kind, this.#writing(change, fields));
        const update = async (): Promise<number> => (await this.#service.update(kind, id, form, guard, first), id);
        const send = (): Promise<number> => this.#record(change, "update", update);
        await this.#send({ change, operation: "update", fields, send });
        done.push(...fields);
        const paths = done.map(({ path }) => `\`${path}\``);
        if (change.action === "update")
          this.halfDone.set(change, `Only ${paths.join(", ")} ${paths.length === 1 ? "was" : "were"} updated.`);
      }
    } finally {
      recent.end();
    }
  }

  #guard(change: Change, live: Live, own: OwnWrites): Guard {
    const guard = createGuard(change, live, own, this.#options);
    return (seen) => {
      this.#recent.note(seen.users);
      guard(seen);
    };
  }

  /** Deletes the record. If it no longer exists, the change is applied. */
  async #delete(change: Extract<Change, { action: "delete" | "replace" }>): Promise<void> {
    const { kind, live } = change;
    const guard = this.#guard(change, live, { done: [], sending: [] });
    await this.#record(change, "delete", async () => (await this.#service.delete(kind, live.id, guard), live.id));
  }

  /** Sends a call between its two lines in the record. */
  async #record(change: Change, call: "store" | "update" | "delete", send: () => Promise<number>): Promise<number> {
    const answered = this.#options.onCall?.(change, call);
    try {
      const id = await send();
      answered?.(id);
      return id;
    } catch (cause) {
      answered?.(cause instanceof Error ? cause : new Error(String(cause)));
      throw cause;
    }
  }

  #writing(change: WrittenChange, fields: readonly FieldChange[]): Writing {
    const context: Writing["context"] = {
      references: { ...this.#plan.references, pixels: this.#pixels },
      zones: this.#plan.zones,
      secret: (path) => {
        const source = change.desired.secrets.get(path);
        if (source === undefined) throw new Error(`no source of ${path} is known`);
        return this.#options.secret(source);
      },
      current: (path) => {
        const sent = sentFields(change).find((field) => field.path === path);
        if (sent !== undefined) return sent.after;
        return change.action === "update" ? change.live.values.get(path) : change.desired.values.get(path);
      },
    };
    return { fields, context };
  }
}
