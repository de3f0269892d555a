// Runs the trials whose seeds it gets, and reports each. A process of its own, so that a trial that hangs can be stopped.

import { findBases, runTrial } from "./trial.ts";

const bases = await findBases();

process.on("message", async (seed: number) => {
  try {
    process.send?.({ seed, done: await runTrial(seed, bases), problem: null });
  } catch (cause) {
    const problem = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    process.send?.({ seed, done: [], problem });
  }
});
