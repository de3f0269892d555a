// Globs of keys, whichever name of a domain they are written with.

import { keyMatcher, matchingGlobs } from "../domain/glob.ts";
import type { NameDirectory } from "./directory.ts";

/** Every way in which a key may be written: with each name of its domain, for a pixel its name. */
export class Spellings {
  readonly #domains: NameDirectory;
  /** By shown name: thousands of keys have the same few domains. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(domains: NameDirectory) {
    this.#domains = domains;
  }

  /** A test whether one of these globs names a key, which is given as it is shown. */
  matcher(globs: readonly string[]): (key: string) => boolean {
    if (globs.length === 0) return () => false;
    const isMatch = keyMatcher(globs);
    return (key) => isMatch(key) || this.#others(key).some(isMatch);
  }

  /** Finds the globs that name a key, which is given as it is shown. */
  matching(globs: readonly string[]): (key: string) => ReadonlySet<string> {
    if (globs.length === 0) return () => new Set();
    const matching = matchingGlobs(globs);
    return (key) => new Set([key, ...this.#others(key)].flatMap(matching));
  }

  /** The globs that name none of these keys. */
  idle(globs: readonly string[], keys: Iterable<string>): string[] {
    const matching = this.matching(globs);
    const idle = new Set(globs);
    for (const key of keys) for (const glob of matching(key)) idle.delete(glob);
    return [...idle];
  }

  #others(key: string): string[] {
    const end = key.lastIndexOf("/");
    const domain = key.slice(0, Math.max(end, 0));
    let names = this.#names.get(domain);
    if (names === undefined) {
      const id = this.#domains.ids.get(domain);
      names = id === undefined ? [] : [...this.#domains.namesOf(id)];
      this.#names.set(domain, names);
    }
    return names.map((name) => `${name}${key.slice(end)}`);
  }
}
