// The machine's own clock.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../service/clock.ts";

/** Counts on from the moment the process began: setting the machine's time does not move it. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(Math.max(ms, 0), undefined, signal === undefined ? {} : { signal });
    } catch (cause) {
      throw signal?.aborted === true ? signal.reason : cause;
    }
  },
  random: () => Math.random(),
  real: (ms) => ms,
};
