// Time that runs faster than the machine's, so that waiting, backing off and giving up are tested without waiting.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/service/clock.ts";

/** A clock that runs `speed` times as fast. */
export function fastClock(speed: number): Clock {
  const start = performance.timeOrigin + performance.now();
  return {
    now: () => start + (performance.timeOrigin + performance.now() - start) * speed,
    sleep: async (ms, signal) => {
      try {
        // A timer may be up to a millisecond early, which is many of these.
        await sleep(Math.ceil(Math.max(ms, 0) / speed) + 1, undefined, signal === undefined ? {} : { signal });
      } catch (cause) {
        throw signal?.aborted === true ? signal.reason : cause;
      }
    },
    random: () => Math.random(),
    real: (ms) => ms / speed,
  };
}
