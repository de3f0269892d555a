// Time that runs faster than the machine's, or not at all, so that waiting, backing off and giving up are tested without
// waiting.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/domain/clock.ts";

/** Timeouts of real connections run at most this many times as fast: 30 s become 3 s, which no answer takes, even on a busy machine. */
const MAX_TIMEOUT_SPEED = 10;

/** A clock whose sleeps are `speed` times as fast. Between them, it runs as the machine's, so a busy machine makes nothing old. */
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
 * A clock that moves only when somebody sleeps, and then at once: it is certain who waits for how long, and what happens
 * meanwhile. For runs in which one at a time sleeps.
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

  /** Does something once so many ms have been slept. */
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

/** A clock that moves when a test says so. Whoever sleeps is woken when it has come so far. */
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

  /** Lets so many ms pass, and whoever is woken do what comes next. */
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
