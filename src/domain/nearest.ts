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

/** As `nearest`; where none is near, the only candidate that goes on as the word does, or that the word goes on from. */
export function nearestOrLonger(word: string, candidates: readonly string[]): string | null {
  const near = nearest(word, candidates);
  if (near !== null) return near;
  const begun = candidates.filter((candidate) => {
    const [short, long] = [word, candidate].toSorted((a, b) => a.length - b.length);
    return short !== undefined && short.length >= 3 && long?.startsWith(short) === true;
  });
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** Letters in the wrong order (`ulr`) are one slip, not two. */
function stepsBetween(a: string, b: string): number {
  const steps = distance(a, b);
  return steps === 2 && sorted(a) === sorted(b) ? 1 : steps;
}

function sorted(word: string): string {
  return [...word].toSorted().join("");
}
