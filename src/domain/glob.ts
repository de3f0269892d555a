// Globs of keys. A key is no path: `*` stands for any signs, `/` among them, `?` for one, and nothing else is special.

import { fold } from "./fold.ts";

/** A test whether a key matches one of these globs, folded as the service folds keys. */
export function keyMatcher(globs: readonly string[]): (key: string) => boolean {
  const folded = globs.map((glob) => [...fold(glob)]);
  return (key) => {
    const signs = folded.length === 0 ? [] : [...fold(key)];
    return folded.some((glob) => matches(glob, signs));
  };
}

/** In steps that grow with the product of the lengths, whatever the glob: it goes back to the last star only. */
function matches(glob: readonly string[], signs: readonly string[]): boolean {
  let [at, here] = [0, 0];
  let [star, resume] = [-1, 0];
  while (at < signs.length) {
    if (glob[here] === "*") {
      [star, resume] = [here, at];
      here += 1;
    } else if (here < glob.length && (glob[here] === "?" || glob[here] === signs[at])) {
      here += 1;
      at += 1;
    } else if (star >= 0) {
      resume += 1;
      [here, at] = [star + 1, resume];
    } else {
      return false;
    }
  }
  return glob.slice(here).every((sign) => sign === "*");
}
