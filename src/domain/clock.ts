// Time and randomness as an argument, so that tests can run waits and retries faster.

export interface Clock {
  /** Milliseconds since the epoch; never goes back. */
  now(): number;
  /** Resolves after this time; rejects with the reason of the signal if it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** The real time for code that does not use this clock: the same, unless this clock runs faster. */
  real(ms: number): number;
}
