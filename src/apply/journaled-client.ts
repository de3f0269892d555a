// Every call that writes, with its two lines in the journal: the intent before it, and after it what came of it.

import { ServiceError, UserError } from "../errors.ts";
import type { Intent, Journal } from "./journal.ts";

export class JournaledClient {
  readonly #journal: Journal;
  readonly #onUnwritable: (problem: UserError) => void;
  #made = 0;

  /** `onUnwritable` is told when something was done that could not be taken down. */
  constructor(journal: Journal, onUnwritable: (problem: UserError) => void) {
    this.#journal = journal;
    this.#onUnwritable = onUnwritable;
  }

  /** Makes a call, which returns the new row's id if it stores one. Without its intent taken down it is not made. */
  async make<Returned>(intent: Omit<Intent, "event" | "call">, send: () => Promise<Returned>): Promise<Returned> {
    this.#made += 1;
    const call = this.#made;
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
          : { code: "internal-error", message: "linkform itself failed." };
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
