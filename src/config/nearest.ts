// "Did you mean …?"

import { distance } from "fastest-levenshtein";

/** The candidate that a misspelt word most likely stands for, or null where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let least = (word.length <= 3 ? 1 : Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}
