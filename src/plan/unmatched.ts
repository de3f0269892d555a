// Globs of flags that name nothing: a slip, after which a plan of nothing would look as if all were done.

import type { Change } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { PlanOptions } from "./options.ts";
import type { Resolved } from "./resolve.ts";
import type { Spellings } from "./spellings.ts";

/** An error for each glob of a flag that names nothing of what that flag is about. */
export function unmatchedGlobs(
  { targets, excludes, resendSecrets }: PlanOptions,
  settled: Resolved,
  changes: readonly Change[],
  spellings: Spellings,
): Diagnostic[] {
  const check = (flag: string, globs: readonly string[], keys: () => Iterable<string>, what: string): Diagnostic[] =>
    globs.length === 0
      ? []
      : spellings
          .idle(globs, keys())
          .map((glob) => error("no-such-key", `\`${flag} ${glob}\` matches ${what}.`, null, HINT));
  const named = (): Iterable<string> => keysOf(settled, changes);
  const withSecrets = (): string[] => settled.desired.flatMap(({ secrets, key }) => (secrets.size > 0 ? [key] : []));
  return [
    ...check("--target", targets, named, "nothing that the files name"),
    ...check("--exclude", excludes, named, "nothing that the files name"),
    // Without a glob, all secrets are meant, however many there are.
    ...check(
      "--resend-secrets",
      resendSecrets.filter((glob) => glob !== "*"),
      withSecrets,
      "no declared link with a secret",
    ),
  ];
}

const HINT =
  "Links are named as domain/alias, pixels by their name; `*` stands for any signs: go.example.com/spring-*.";

/** Every key that a flag may mean. */
function keysOf({ desired, tombstones }: Resolved, changes: readonly Change[]): Set<string> {
  const keys = new Set(desired.map(({ key }) => key));
  for (const { key } of tombstones) keys.add(key);
  for (const { key, previousKey } of changes) for (const name of [key, previousKey]) if (name !== null) keys.add(name);
  return keys;
}
