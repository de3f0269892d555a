// The system clock.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";

/** Node shortens a longer timeout to 1 ms. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Monotonic: changes of the system time do not affect it. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      for (let left = Math.max(ms, 0); left >= 0; left -= MAX_TIMEOUT_MS)
        await sleep(Math.min(left, MAX_TIMEOUT_MS), undefined, signal === undefined ? {} : { signal });
    } catch (cause) {
      throw signal?.aborted === true ? signal.reason : cause;
    }
  },
  random: () => Math.random(),
  real: (ms) => ms,
};
