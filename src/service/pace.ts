// Sends requests at the pace that the service allows: within its rate limit, and with pauses during an outage.

import { UserError } from "../errors.ts";
import type { Clock } from "../domain/clock.ts";
import type { LimitHeaders, RateLimit } from "./limit.ts";

export interface PaceOptions {
  readonly clock: Clock;
  /** Aborted to end all waiting. */
  readonly signal: AbortSignal;
  /** The total seconds that a run may wait for the rate limit; null for no limit. */
  readonly maxWait: number | null;
  /** Called before all requests wait. */
  readonly onWait: (seconds: number, why: "limit" | "outage") => void;
}

/** With a response, which reports the limit; "lost": without one, or with a gateway error; "unsent": without a connection. */
export type RequestEnding = LimitHeaders | "lost" | "unsent";

/** Milliseconds to wait after this number of tries: up to 0.5 s, 1 s, 2 s, 4 s, and at least half of that. */
export function backoff(tries: number, random: number): number {
  return 500 * 2 ** (tries - 1) * (0.5 + random / 2);
}

/** After this number of lost requests in a row, all requests wait. */
const LOST_IN_A_ROW = 3;

/** The waits before linkform gives up: 0.5, 1, 2, 4 and then 8 s each, together about a minute. */
const MOST_WAITS = 9;
const LONGEST_DOUBLING = 5;

/** Before the second try to reach the service: 1 to 2 s, so that a run with a wrong address ends within 3 s. */
const START_BACKOFF = 3;

/**
 * Sends requests while the service reports that it accepts more. When the window is used up, one request goes alone: its response shows
 * a new window or how long to wait. So a full window costs one refused request, and not one for each worker. After a wait, one request
 * goes first again, because others may share the address.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Requests left in this window, and allowed in a window; null if the service does not say. */
  #left: number | null = null;
  #perWindow: number | null = null;
  #underWay = 0;
  /** Seconds that the service asked to wait, and seconds that were waited: a wait can be ended early. */
  #askedToWait = 0;
  #waitedSeconds = 0;
  #lost = 0;
  #outageWaits = 0;
  #isReached = false;
  /** The wait before the second try to reach the service; "over" after it. */
  #startWait: Promise<void> | "over" | null = null;
  #pause: Promise<void> | null = null;
  #queue: (() => void)[] = [];

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** The service's rate limit; null if it reports none, or 0. */
  get limit(): RateLimit | null {
    const perMinute = this.#perWindow ?? 0;
    return perMinute === 0 ? null : { perMinute, left: this.#left === null ? null : Math.max(this.#left, 0) };
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
      else if (this.#left !== null && this.#left < count && this.#underWay > 0)
        await new Promise<void>((resolve) => this.#queue.push(resolve));
      else break;
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

  /** Whether the service was reached. Until then, a wrong address is more likely than an outage. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /**
   * Waits before the second and last try to reach the service at the start of a run. All requests that fail at the start share this wait;
   * false if it is over.
   */
  async waitForStart(): Promise<boolean> {
    if (this.#startWait === "over") return false;
    const { clock, signal } = this.#options;
    // `enter` throws the reason of an aborted signal.
    this.#startWait ??= clock.sleep(backoff(START_BACKOFF, clock.random()), signal).catch(() => undefined);
    await this.#startWait;
    this.#startWait = "over";
    return true;
  }

  leave(ending: RequestEnding): void {
    this.#underWay -= 1;
    this.#isReached ||= ending !== "unsent";
    if (ending === "lost" || ending === "unsent") {
      this.#lost += 1;
      if (this.#isReached && this.#lost >= LOST_IN_A_ROW) this.#wait(() => this.#waitForService());
    } else {
      this.#lost = 0;
      this.#outageWaits = 0;
      // The service may not have counted the requests under way yet.
      this.#perWindow = ending.limit ?? this.#perWindow;
      this.#left = ending.remaining === null ? null : ending.remaining - this.#underWay;
      if (ending.wait > 0) this.#wait(() => this.#waitForLimit(ending.wait));
    }
    for (const resume of this.#queue.splice(0)) resume();
  }

  /** All requests wait for this pause. It does not start during another pause. */
  #wait(pause: () => Promise<void>): void {
    if (this.#pause !== null) return;
    this.#pause = this.#runPause(pause);
    // `enter` throws it.
    this.#pause.catch(() => null);
  }

  async #runPause(pause: () => Promise<void>): Promise<void> {
    // Reads that were aborted are no outage, and a run that stops does not wait for the limit.
    this.#options.signal.throwIfAborted();
    await pause();
    this.#pause = null;
  }

  async #waitForLimit(seconds: number): Promise<void> {
    const { clock, signal, maxWait, onWait } = this.#options;
    if (maxWait !== null && this.#askedToWait + seconds > maxWait) {
      const before = this.#askedToWait === 0 ? "" : `, after ${this.#askedToWait} s of waiting`;
      const message = `The service asks to wait ${seconds} s (rate limit)${before}. This exceeds --max-wait ${maxWait}.`;
      throw new UserError("max-wait", message, { hint: "Run the command again later, or allow a longer wait." });
    }
    this.#askedToWait += seconds;
    onWait(seconds, "limit");
    const begun = clock.now();
    try {
      await clock.sleep(seconds * 1000, signal);
    } finally {
      this.#waitedSeconds += (clock.now() - begun) / 1000;
    }
    // Others may share the address.
    this.#left = 1;
  }

  async #waitForService(): Promise<void> {
    const { clock, signal, onWait } = this.#options;
    this.#outageWaits += 1;
    if (this.#outageWaits > MOST_WAITS) {
      throw new UserError("service-down", "The service has not responded for a minute. It seems to be down.", {
        hint: "Run the command again when the service is back. Applied changes are kept.",
      });
    }
    const ms = backoff(Math.min(this.#outageWaits, LONGEST_DOUBLING), clock.random());
    onWait(ms / 1000, "outage");
    await clock.sleep(ms, signal);
    this.#left = 1;
  }
}
