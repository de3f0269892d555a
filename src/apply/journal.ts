// The journal: a line before each call that writes, and a line with its result.

import type { Change, FieldChange } from "../domain/change.ts";
import { ServiceError, UserError } from "../errors.ts";

/** A call that is about to be made. `call` is unique in the run. */
export interface Intent {
  readonly event: "intent";
  readonly call: number;
  readonly change: Change;
  readonly operation: "store" | "update" | "delete";
  /** The id of the record; null if it has none yet. */
  readonly id: number | null;
  readonly fields: readonly FieldChange[];
}

/** The result of a call. "unknown": it failed, but the service may have acted on it. */
export interface Result {
  readonly event: "result";
  readonly call: number;
  readonly result: "done" | "refused" | "unknown";
  /** The id of the record; null if it is unknown. */
  readonly id: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Writes a line before it returns. Throws a user error if it cannot. */
export type Journal = (line: Intent | Result) => void;

export class JournaledClient {
  readonly #journal: Journal;
  readonly #onUnwritable: (problem: UserError) => void;
  #calls = 0;

  /** `onUnwritable` is called if the result of a call cannot be written. */
  constructor(journal: Journal, onUnwritable: (problem: UserError) => void) {
    this.#journal = journal;
    this.#onUnwritable = onUnwritable;
  }

  /** Sends a call. If it stores a record, it returns the id. If the intent cannot be written, nothing is sent. */
  async send<Returned>(intent: Omit<Intent, "event" | "call">, send: () => Promise<Returned>): Promise<Returned> {
    this.#calls += 1;
    const call = this.#calls;
    this.#journal({ event: "intent", call, ...intent });
    try {
      const returned = await send();
      const id = typeof returned === "number" ? returned : intent.id;
      this.#note(() => this.#journal({ event: "result", call, result: "done", id, error: null }));
      return returned;
    } catch (cause) {
      const result = cause instanceof ServiceError && cause.mayHaveActed ? "unknown" : "refused";
      const error =
        cause instanceof ServiceError || cause instanceof UserError
          ? { code: cause.code, message: cause.message }
          : { code: "internal-error", message: "Internal error in linkform." };
      this.#note(() => this.#journal({ event: "result", call, result, id: intent.id, error }));
      throw cause;
    }
  }

  #note(write: () => void): void {
    try {
      write();
    } catch (cause) {
      if (!(cause instanceof UserError)) throw cause;
      this.#onUnwritable(cause);
    }
  }
}
