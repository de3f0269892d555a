// "Did you mean …?"

import { distance } from "fastest-levenshtein";
import type { KeyShape } from "./field.ts";

/** Longer words get no suggestion, because comparing them takes long. */
const LONGEST_WORD = 100;

/** A file can have thousands of wrong values, each to be compared with thousands of others. Then only the first get a suggestion. */
const MOST_COMPARISONS = 300_000;

/** Limits the comparisons of many searches. */
export class SearchBudget {
  #left = MOST_COMPARISONS;

  /** Whether a word may be compared with this number of candidates. */
  take(candidates: number): boolean {
    this.#left -= candidates;
    return this.#left >= 0;
  }
}

/** The candidate that is probably meant by a misspelled word; null if none is similar. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > LONGEST_WORD) return null;
  const small = word.toLowerCase();
  let best: string | null = null;
  let least = (word.length <= 3 ? 1 : Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > least) continue;
    const steps = stepsBetween(small, candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** A hint with the name that is probably meant; `otherwise` if there is none. */
export function didYouMean(meant: string | null, otherwise: string): string {
  return meant === null ? otherwise : `Did you mean \`${meant}\`?`;
}

/** As `nearest`; where none is near, the only candidate that begins or ends with the word, or that it begins or ends with. */
export function nearestOrLonger(word: string, candidates: readonly string[]): string | null {
  const near = nearest(word, candidates);
  if (near !== null) return near;
  const begun = candidates.filter((candidate) => {
    const [short = "", long = ""] = [word, candidate].toSorted((a, b) => a.length - b.length);
    return short.length >= 3 && (long.startsWith(short) || long.endsWith(short));
  });
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** The country or language code that a text means in another case or by its English name; null if there is none. */
export function codeLike(text: string, { pattern, list }: KeyShape): string | null {
  const inCase = [text.toUpperCase(), text.toLowerCase()].find((one) => pattern.test(one));
  if (list === null) return inCase ?? null;
  if (inCase !== undefined) {
    const code = list.meant[inCase]?.code ?? inCase;
    return list.codes.has(code) ? code : null;
  }
  const names = new Intl.DisplayNames(["en"], { type: list.type });
  const found = new Map([...list.codes].map((code) => [names.of(code)?.toLowerCase() ?? "", code]));
  return found.get(nearest(text, found.keys()) ?? "") ?? null;
}

/** Whether two names differ by one mistake in a long word. `Team A` and `Team B`, or `Meta 2026` and `Meta 2027`, are two names. */
export function isTypo(name: string, other: string): boolean {
  const [words = [], others = []] = [name, other].map((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const pairs = words.flatMap((word, at) => (word === others[at] ? [] : [[word, others[at] ?? ""]]));
  const [word = "", meant = ""] = pairs[0] ?? [];
  return (
    words.length === others.length &&
    pairs.length === 1 &&
    Math.min(word.length, meant.length) > 3 &&
    !/\p{N}/u.test(word + meant) &&
    stepsBetween(word, meant) === 1
  );
}

/** The number of mistakes between two words. Swapped letters (`ulr`) count as one mistake. */
export function stepsBetween(a: string, b: string): number {
  const steps = distance(a, b);
  return steps === 2 && sorted(a) === sorted(b) ? 1 : steps;
}

function sorted(word: string): string {
  return [...word].toSorted().join("");
}
