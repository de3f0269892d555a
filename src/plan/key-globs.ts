// Globs of keys, which match any spelling of a key's domain.

import { matchingGlobs } from "../domain/glob.ts";
import type { NameDirectory } from "./directory.ts";
import type { Change } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { CreatePlanOptions } from "./options.ts";
import type { Resolved } from "./resolve.ts";

/** Matches globs with all spellings of a key. */
export class KeyGlobs {
  readonly #domains: NameDirectory;
  /** Cached by shown name. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(domains: NameDirectory) {
    this.#domains = domains;
  }

  matcher(globs: readonly string[]): (key: string) => boolean {
    const matching = this.matching(globs);
    return (key) => matching(key).size > 0;
  }

  matching(globs: readonly string[]): (key: string) => ReadonlySet<string> {
    if (globs.length === 0) return () => new Set();
    const matching = matchingGlobs(globs);
    return (key) => new Set([key, ...this.#others(key)].flatMap(matching));
  }

  /** The globs that match none of these keys. */
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

/** An error for each glob of a flag that matches nothing, because a typo would make an empty plan look successful. */
export function unmatchedGlobs(
  { targets, excludes, resendSecrets, changed }: CreatePlanOptions,
  resolved: Resolved,
  changes: readonly Change[],
  keyGlobs: KeyGlobs,
): Diagnostic[] {
  const { desired, tombstones, side } = resolved;
  const others = changed?.others ?? [];
  const named = (): string[] => [
    ...[...desired, ...tombstones, ...others.map((key) => side.keys.of(key))].map(({ key }) => key),
    ...changes.flatMap(({ key, previousKey }) => [key, previousKey ?? key]),
  ];
  const withSecrets = (): string[] => desired.flatMap(({ secrets, key }) => (secrets.size > 0 ? [key] : []));
  const flags = [
    ["--target", targets, named, "nothing that the files name"],
    ["--exclude", excludes, named, "nothing that the files name"],
    // Without a glob, the flag means all secrets, even if there are none.
    [
      "--resend-secrets",
      resendSecrets.filter((glob) => glob !== "*"),
      withSecrets,
      "no declared link that has a secret",
    ],
  ] as const;
  const hint =
    "Match links by domain and alias, and pixels by name. `*` matches any characters: `go.example.com/spring-*`.";
  return flags.flatMap(([flag, globs, keys, what]) => {
    const idle = globs.length === 0 ? [] : keyGlobs.idle(globs, keys());
    return idle.map((glob) => error("no-such-key", `\`${flag} ${glob}\` matches ${what}.`, null, hint));
  });
}
