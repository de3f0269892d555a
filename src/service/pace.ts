// Keeps all requests of a run within the service's rate limit: what one answer says, everybody heeds.

import { UserError } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { LimitWord } from "./limit.ts";

export interface PaceOptions {
  readonly clock: Clock;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** The most seconds that a run may wait for the limit in all; null: as long as it takes. */
  readonly maxWait: number | null;
  /** Told before everybody waits, with the seconds. */
  readonly onWait: (seconds: number) => void;
}

/**
 * Lets requests go as long as the service says that it takes more. When it has no more to give, one request goes alone:
 * its answer says that a new window has begun, or how long to wait, so that a full window costs one refused request and
 * not one for every worker. After a wait again one goes first, for others may share the address.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Requests that the service still takes, by its last word; null where it does not say. */
  #left: number | null = null;
  #underWay = 0;
  #waited = 0;
  #pause: Promise<void> | null = null;
  #queue: (() => void)[] = [];

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Resolves when a request may go; each must be followed by `leave`. Throws when the waiting is ended. */
  async enter(): Promise<void> {
    const { signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if (this.#pause !== null) await this.#pause;
      else if (this.#left === null || this.#left > 0 || this.#underWay === 0) break;
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#underWay += 1;
    if (this.#left !== null) this.#left -= 1;
  }

  /** A request has ended; `word` is null where no answer came. */
  leave(word: LimitWord | null): void {
    this.#underWay -= 1;
    // The service may not have counted yet what is under way.
    if (word !== null) this.#left = word.remaining === null ? null : word.remaining - this.#underWay;
    if (word !== null && word.wait > 0 && this.#pause === null) this.#wait(word.wait);
    for (const again of this.#queue.splice(0)) again();
  }

  #wait(seconds: number): void {
    this.#pause = this.#sleep(seconds);
    // Whoever enters hears of it.
    this.#pause.catch(() => null);
  }

  async #sleep(seconds: number): Promise<void> {
    const { clock, signal, maxWait, onWait } = this.#options;
    if (maxWait !== null && this.#waited + seconds > maxWait) {
      const before = this.#waited === 0 ? "" : ` after ${this.#waited} s already`;
      throw new UserError(
        "max-wait",
        `The service asks to wait ${seconds} s (rate limit)${before}: that is more than --max-wait ${maxWait} allows.`,
        { hint: "Run again later, or allow more." },
      );
    }
    this.#waited += seconds;
    onWait(seconds);
    await clock.sleep(seconds * 1000, signal);
    this.#left = 1;
    this.#pause = null;
  }
}
