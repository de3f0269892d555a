// "Did you mean …?"

import { distance } from "fastest-levenshtein";

/** The candidate that a misspelt word most likely stands for, or null where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let least = (word.length <= 3 ? 1 : Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = stepsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** Letters in the wrong order (`ulr`) are one slip, not two. */
function stepsBetween(a: string, b: string): number {
  const steps = distance(a, b);
  return steps === 2 && sorted(a) === sorted(b) ? 1 : steps;
}

function sorted(word: string): string {
  return [...word].toSorted().join("");
}
