// Time that runs faster than real time, or not at all, so that tests of waiting, backoff and giving up are fast.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/domain/clock.ts";

/** The maximum speed of timeouts of real connections: 30 s become 3 s, which no response takes, even on a busy machine. */
const MAX_TIMEOUT_SPEED = 10;

/** A clock whose sleeps are `speed` times as fast. Between them, it runs in real time, so a busy machine makes nothing stale. */
export function fastClock(speed: number): Clock {
  const real = (): number => performance.timeOrigin + performance.now();
  let ahead = 0;
  return {
    now: () => real() + ahead,
    sleep: async (ms, signal) => {
      const end = real() + ahead + Math.max(ms, 0);
      try {
        // A timer may be up to a millisecond early.
        await sleep(Math.ceil(Math.max(ms, 0) / speed) + 1, undefined, signal === undefined ? {} : { signal });
        ahead = Math.max(ahead, end - real());
      } catch (cause) {
        throw signal?.aborted === true ? signal.reason : cause;
      }
    },
    random: () => Math.random(),
    real: (ms) => ms / Math.min(speed, MAX_TIMEOUT_SPEED),
  };
}

/** A fast clock on which no wait ends before `isDone`, so that a busy machine cannot change the order that a test expects. */
export function holdingClock(isDone: () => boolean): Clock {
  const clock = fastClock(50);
  return {
    ...clock,
    sleep: async (ms, signal) => {
      while (!isDone()) await sleep(5, undefined, signal === undefined ? {} : { signal });
      await clock.sleep(ms, signal);
    },
  };
}

/**
 * A clock that moves only during sleeps, and then immediately, so that each wait and its events are certain. For runs with one sleep at a
 * time.
 */
export class StillClock implements Clock {
  /** Every wait, in ms. */
  readonly slept: number[] = [];
  #now = Date.parse("2026-11-21T12:00:00Z");
  #due: { readonly at: number; readonly act: () => Promise<unknown> }[] = [];

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += Math.max(ms, 0);
    const due = this.#due.filter(({ at }) => at <= this.#now);
    this.#due = this.#due.filter(({ at }) => at > this.#now);
    for (const { act } of due) await act();
    signal?.throwIfAborted();
  }

  /** Runs an action after this number of ms of sleep. */
  after(ms: number, act: () => Promise<unknown>): void {
    this.#due.push({ at: this.#now + ms, act });
  }

  random(): number {
    return 0;
  }

  real(ms: number): number {
    return ms;
  }
}

/** A clock that a test moves. Sleeps end when their time has come. */
export class HandClock implements Clock {
  #now = Date.parse("2026-11-21T12:00:00Z");
  #sleeping: { readonly until: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleeping = this.#sleeping.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { until: this.#now + ms, wake };
      if (signal?.aborted === true) return stop();
      signal?.addEventListener("abort", stop, { once: true });
      this.#sleeping.push(sleeper);
    });
  }

  /** Lets this number of ms pass, and the woken code run. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#sleeping.filter((sleeper) => sleeper.until <= until).toSorted((a, b) => a.until - b.until)[0];
      if (due === undefined) break;
      this.#now = Math.max(due.until, this.#now);
      this.#sleeping = this.#sleeping.filter((other) => other !== due);
      due.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#now = until;
  }

  random(): number {
    return 0;
  }

  real(ms: number): number {
    return ms;
  }
}
