// Globs of keys. A key is not a path: `*` matches any characters, including `/`, `?` matches one, and nothing else is special.

import { fold } from "./fold.ts";

type Matcher = (text: string) => boolean;

/** A test whether a key matches one of these globs, folded as the service folds keys. */
export function keyMatcher(globs: readonly string[]): Matcher {
  const matching = matchingGlobs(globs);
  return (key) => matching(key).length > 0;
}

/** Finds those of these globs that match a key. Globs without wildcards are looked up, because there may be thousands. */
export function matchingGlobs(globs: readonly string[]): (key: string) => string[] {
  const [exact, wild] = [new Map<string, string[]>(), new Map<string, Matcher>()];
  for (const glob of new Set(globs)) {
    const folded = fold(glob);
    if (/[*?]/.test(folded)) wild.set(glob, globMatcher([...folded]));
    else exact.set(folded, [...(exact.get(folded) ?? []), glob]);
  }
  return (key) => {
    const text = fold(key);
    const matching = [...wild].flatMap(([glob, matches]) => (matches(text) ? [glob] : []));
    return [...(exact.get(text) ?? []), ...matching];
  };
}

/** Not code points. */
const [STAR, ANY] = [-1, -2];

/**
 * Returns a test whether a text matches a glob of these characters. `*` and `?` are wildcards, and `\` makes the next character literal.
 * After a mismatch, only the last `*` takes one more character: no earlier one has to change. So the time is at most the product of both
 * lengths. That of a regular expression can grow exponentially.
 */
export function globMatcher(characters: readonly string[]): Matcher {
  const steps = Int32Array.from(characters, (one) => {
    if (one === "*") return STAR;
    if (one === "?") return ANY;
    return one.codePointAt(one.length > 1 && one.startsWith("\\") ? 1 : 0) ?? 0;
  });
  return (text) => {
    const given = Int32Array.from(text, (one) => one.codePointAt(0) ?? 0);
    let step = 0;
    let [star, retry] = [-1, 0];
    for (let at = 0; at < given.length;) {
      if (steps[step] === STAR) {
        star = step;
        retry = at;
        step += 1;
      } else if (steps[step] === ANY || steps[step] === given[at]) {
        step += 1;
        at += 1;
      } else {
        if (star < 0) return false;
        retry += 1;
        at = retry;
        step = star + 1;
      }
    }
    return steps.subarray(step).every((one) => one === STAR);
  };
}
