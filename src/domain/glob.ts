// Globs of keys. A key is not a path: `*` matches any characters, including `/`, `?` matches one, and nothing else is special.

import { fold } from "./fold.ts";

type Matcher = (text: string) => boolean;

/** A test whether a key matches one of these globs, folded as the service folds keys. */
export function keyMatcher(globs: readonly string[]): Matcher {
  const matching = matchingGlobs(globs);
  return (key) => matching(key).length > 0;
}

/**
 * Finds those of these globs that match a key. Globs are looked up by the text before their first wildcard, so thousands
 * of them that each name one key cost no more than one.
 */
export function matchingGlobs(globs: readonly string[]): (key: string) => string[] {
  const byPrefix = new Map<string, { glob: string; matchesRest: Matcher }[]>();
  for (const glob of new Set(globs)) {
    const folded = fold(glob);
    const wildcard = folded.search(/[*?]/);
    const prefix = wildcard < 0 ? folded : folded.slice(0, wildcard);
    const rest = folded.slice(prefix.length);
    const entry = { glob, matchesRest: globMatcher([...rest]) };
    const same = byPrefix.get(prefix);
    if (same === undefined) byPrefix.set(prefix, [entry]);
    else same.push(entry);
  }
  const lengths = [...new Set([...byPrefix.keys()].map(({ length }) => length))];
  return (key) => {
    const text = fold(key);
    return lengths.flatMap((length) => {
      const entries = byPrefix.get(text.slice(0, length)) ?? [];
      const rest = text.slice(length);
      return entries.flatMap(({ glob, matchesRest }) => (matchesRest(rest) ? [glob] : []));
    });
  };
}

const BITS = 32;

/**
 * Returns a test whether a text matches a glob of these characters. `*` and `?` are wildcards, and `\` makes the next character literal.
 * All possible matches are followed at once, as bits: bit n is set if the first n steps match the text so far. A step is a character or
 * `?`. The time is linear in the length of the text for each 32 steps. Backtracking takes the product of both lengths, and a regular
 * expression may never end.
 */
export function globMatcher(characters: readonly string[]): Matcher {
  const steps = characters.filter((character) => character !== "*");
  const words = Math.floor(steps.length / BITS) + 1;
  const stars = new Uint32Array(words);
  const any = new Uint32Array(words);
  const masks = new Map<string, Uint32Array>();
  let step = 0;
  for (const character of characters) {
    if (character === "*") setBit(stars, step);
    else if (character === "?") setBit(any, step++);
    else {
      const literal = character.length > 1 && character.startsWith("\\") ? character.slice(1) : character;
      const mask = masks.get(literal) ?? new Uint32Array(words);
      masks.set(literal, mask);
      setBit(mask, step++);
    }
  }
  for (const mask of masks.values()) for (const [word, bits] of any.entries()) mask[word] = (mask[word] ?? 0) | bits;

  return (text) => {
    if (text.length < steps.length) return false;
    const state = new Uint32Array(words);
    setBit(state, 0);
    for (const character of text) {
      const mask = masks.get(character) ?? any;
      let [carry, alive] = [0, 0];
      for (let word = 0; word < words; word += 1) {
        const bits = state[word] ?? 0;
        const advanced = bits & (mask[word] ?? 0);
        const next = (advanced << 1) | carry | (bits & (stars[word] ?? 0));
        carry = advanced >>> (BITS - 1);
        alive |= next;
        state[word] = next;
      }
      if (alive === 0) return false;
    }
    return hasBit(state, steps.length);
  };
}

function setBit(words: Uint32Array, bit: number): void {
  const word = Math.floor(bit / BITS);
  words[word] = (words[word] ?? 0) | (1 << (bit % BITS));
}

function hasBit(words: Uint32Array, bit: number): boolean {
  return (((words[Math.floor(bit / BITS)] ?? 0) >>> (bit % BITS)) & 1) === 1;
}
