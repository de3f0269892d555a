// Lets requests go when the service can take them: within its rate limit, and not one after the other into an outage.

import { UserError } from "../errors.ts";
import type { Clock } from "../domain/clock.ts";
import type { LimitHeaders, RateLimit } from "./limit.ts";
import { backoff } from "./retry.ts";

export interface PaceOptions {
  readonly clock: Clock;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** The most seconds that a run may wait for the limit in all; null: as long as it takes. */
  readonly maxWait: number | null;
  /** Told before everybody waits, with the seconds and why. */
  readonly onWait: (seconds: number, why: "limit" | "outage") => void;
}

/** How a request ended: what the answer says of the limit, or that it was no answer of a service that works. */
export type RequestEnding = LimitHeaders | "lost";

/** Requests that are lost one after the other before everybody waits. */
const LOST_IN_A_ROW = 3;

/** Waits after which a service that does not come back is given up: 0.5, 1, 2, 4 and then 8 s each, together about a minute. */
const MOST_WAITS = 9;
const LONGEST_DOUBLING = 5;

/**
 * Lets requests go as long as the service says that it takes more. When it has no more to give, one request goes alone:
 * its answer says that a new window has begun, or how long to wait, so that a full window costs one refused request and
 * not one for every worker. After a wait again one goes first, for others may share the address.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Requests that the service still takes, by its last word; null where it does not say. */
  #left: number | null = null;
  /** Requests that it takes in a window; null where it does not say. */
  #perWindow: number | null = null;
  #underWay = 0;
  /** Seconds that the service has asked to wait for its limit, and those that have been waited: some waits are ended. */
  #askedToWait = 0;
  #waitedSeconds = 0;
  #lost = 0;
  #outageWaits = 0;
  #pause: Promise<void> | null = null;
  #queue: (() => void)[] = [];

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** What the service said of its limit; null where it said nothing. */
  get limit(): RateLimit | null {
    const left = this.#left === null ? null : Math.max(this.#left, 0);
    return this.#perWindow === null || this.#perWindow === 0 ? null : { perMinute: this.#perWindow, left };
  }

  /** Seconds that were waited for the limit so far. */
  get waited(): number {
    return this.#waitedSeconds;
  }

  /**
   * Resolves when this many requests may be sent, one after the other and without a wait in between. Each must be followed by
   * `leave`, or by `cancel` if it is not sent. Throws when the waiting is ended.
   */
  async enter(count = 1): Promise<void> {
    const { signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if (this.#pause !== null) await this.#pause;
      else if (this.#left === null || this.#left >= count || this.#underWay === 0) break;
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#underWay += count;
    if (this.#left !== null) this.#left -= count;
  }

  /** Gives back this many permits without sending a request. */
  cancel(count: number): void {
    if (count === 0) return;
    this.#underWay -= count;
    if (this.#left !== null) this.#left += count;
    for (const resume of this.#queue.splice(0)) resume();
  }

  /** A request has ended. */
  leave(ending: RequestEnding): void {
    this.#underWay -= 1;
    if (ending === "lost") {
      this.#lost += 1;
      if (this.#lost >= LOST_IN_A_ROW) this.#wait(() => this.#waitForService());
    } else {
      this.#lost = 0;
      this.#outageWaits = 0;
      // The service may not have counted yet what is under way.
      this.#perWindow = ending.limit ?? this.#perWindow;
      this.#left = ending.remaining === null ? null : ending.remaining - this.#underWay;
      if (ending.wait > 0) this.#wait(() => this.#waitForLimit(ending.wait));
    }
    for (const resume of this.#queue.splice(0)) resume();
  }

  /** Everybody waits for this; it is not begun while another wait is on. */
  #wait(pause: () => Promise<void>): void {
    if (this.#pause !== null) return;
    this.#pause = this.#runPause(pause);
    // Whoever enters hears of it.
    this.#pause.catch(() => null);
  }

  async #runPause(pause: () => Promise<void>): Promise<void> {
    // Reads that are cut off on purpose are no outage, and nobody who stops has to hear of a limit.
    this.#options.signal.throwIfAborted();
    await pause();
    this.#left = 1;
    this.#pause = null;
  }

  async #waitForLimit(seconds: number): Promise<void> {
    const { clock, signal, maxWait, onWait } = this.#options;
    if (maxWait !== null && this.#askedToWait + seconds > maxWait) {
      const before = this.#askedToWait === 0 ? "" : ` after ${this.#askedToWait} s already`;
      throw new UserError(
        "max-wait",
        `The service asks to wait ${seconds} s (rate limit)${before}: that is more than --max-wait ${maxWait} allows.`,
        { hint: "Run again later, or allow more." },
      );
    }
    this.#askedToWait += seconds;
    onWait(seconds, "limit");
    const begun = clock.now();
    try {
      await clock.sleep(seconds * 1000, signal);
    } finally {
      this.#waitedSeconds += (clock.now() - begun) / 1000;
    }
  }

  async #waitForService(): Promise<void> {
    const { clock, signal, onWait } = this.#options;
    this.#outageWaits += 1;
    if (this.#outageWaits > MOST_WAITS) {
      throw new UserError("service-down", "The service has not answered for a minute: it seems to be down.", {
        hint: "Run again when it is back: what is left is done then.",
      });
    }
    const ms = backoff(Math.min(this.#outageWaits, LONGEST_DOUBLING), clock.random());
    onWait(ms / 1000, "outage");
    await clock.sleep(ms, signal);
  }
}
