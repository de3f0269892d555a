// Reads the first write of each kind back before the next one, because the service ignores unknown names and answers 200.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import { createDeferred } from "../domain/collections.ts";
import { fieldAt } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { EXIT, ServiceError, UserError } from "../errors.ts";
import type { Writer } from "../service/service.ts";
import type { ExecutionOptions } from "./options.ts";

/** The service reported success for a write, but did not store one of its fields. */
export class NotStoredError extends UserError {
  /** The first field that was not stored. */
  readonly path: string;

  constructor(path: string, message: string) {
    super("not-as-declared", message, {
      hint: "Run `linkform doctor`. If it shows the wrong version, set `service.software` in the project file. Otherwise, use another value. Another run would send the same values.",
      exit: EXIT.partial,
    });
    this.path = path;
  }
}

/** The error of changes that are skipped after that. */
export function stoppedBy({ code, exit }: NotStoredError): UserError {
  return new UserError(code, "linkform stopped because the service did not store a field.", { exit });
}

/** A write of some fields to a record. */
interface Write {
  readonly change: Change;
  readonly operation: "store" | "update";
  readonly fields: readonly FieldChange[];
  /** Sends it and returns the id of its record. */
  readonly send: () => Promise<number>;
}

/** Sends the first store and the first update of each kind alone, and reads their records back. */
export class ReadBack {
  readonly #service: Writer;
  readonly #options: Pick<ExecutionOptions, "canonical" | "describe">;
  /** By kind and call: resolves to whether a write has been confirmed. */
  readonly #first = new Map<string, Promise<boolean>>();
  /** The error that ended the run; null if all writes were stored so far. */
  #failed: NotStoredError | null = null;

  constructor(service: Writer, options: Pick<ExecutionOptions, "canonical" | "describe">) {
    this.#service = service;
    this.#options = options;
  }

  /**
   * Sends a write and returns the id of its record. Writes of the same kind wait until one is confirmed. Throws `NotStored` if a field
   * still has the value from before the write.
   */
  async send(write: Write): Promise<number> {
    const key = `${write.change.kind} ${write.operation}`;
    for (;;) {
      if (this.#failed !== null) throw stoppedBy(this.#failed);
      const first = this.#first.get(key);
      if (first === undefined) break;
      if (await first) return write.send();
    }
    const attempt = createDeferred<boolean>();
    this.#first.set(key, attempt.promise);
    let isConfirmed = false;
    try {
      const id = await write.send();
      isConfirmed = await this.#confirm(write, id);
      return id;
    } finally {
      if (!isConfirmed) this.#first.delete(key);
      attempt.resolve(isConfirmed);
    }
  }

  /** Whether the record could be read and has what was sent. */
  async #confirm({ change, fields }: Write, id: number): Promise<boolean> {
    const record = await this.#service.show(change.kind, id).catch((cause: unknown) => {
      // The write itself succeeded. The next one of its kind is confirmed instead.
      if (cause instanceof ServiceError || cause instanceof UserError) return null;
      throw cause;
    });
    // The verification at the end reports records that are deleted or unreadable, and values that somebody else wrote.
    if (record === null || record.unreadable.length > 0) return false;
    const lost = fieldsNotStored(change, fields, this.#options.canonical(record));
    const [first] = lost;
    if (first === undefined) return true;
    const { version } = await this.#service.software();
    const sentences = lost
      .flatMap((field) => this.#options.describe(change, field))
      .map(({ path, before, after }) => `\`${path}\` was sent as ${before}, but the service returned ${after}.`);
    const message = `${sentences.join(" ")} linkform treats the service as version ${version}.`;
    this.#failed = new NotStoredError(first.path, message);
    throw this.#failed;
  }
}

/** The fields that still have the value from before the write: `before` is the value that was sent, `after` the one that the record has. */
function fieldsNotStored({ action, kind }: Change, fields: readonly FieldChange[], { values }: Live): FieldChange[] {
  return fields.flatMap(({ path, before: previous, after: sent }) => {
    const before = action === "update" ? previous : fieldAt(kind, path)?.default;
    const now = values.get(path);
    const isLost = before !== undefined && now !== undefined && sameValue(now, before) && !sameValue(now, sent);
    return isLost ? [{ path, before: sent, after: now }] : [];
  });
}
