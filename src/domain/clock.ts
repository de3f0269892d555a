// Time and chance, handed in: waiting, backing off and giving up are tested at another speed.

/** The machine's clock, or what a test puts in its place. */
export interface Clock {
  /** Milliseconds since the epoch; never goes back. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason once that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** What so many milliseconds are for others that keep time themselves: the same, unless time runs faster here. */
  real(ms: number): number;
}
