// Where changes come from, in words: the files since the base, a change that waits, a change by hand.

import type { Origin, Summary } from "../domain/change.ts";

/** What people read; in the order in which they are counted: what this change of the files does stands first. */
const WORDS: readonly (readonly [Origin, string])[] = [
  ["declared here", "declared here"],
  ["both", "declared here and drift"],
  ["pending", "pending"],
  ["drift", "drift"],
];

/** An origin in words. */
export function originText(origin: Origin): string {
  return WORDS.find(([known]) => known === origin)?.[1] ?? origin;
}

/** `2 declared here, 1 drift`: only what there is; null where no base was given or nothing changes. */
export function splitText(origins: Summary["origins"]): string | null {
  const counts = WORDS.flatMap(([origin, words]) =>
    origins === null || origins[origin] === 0 ? [] : [`${origins[origin]} ${words}`],
  );
  return counts.length === 0 ? null : counts.join(", ");
}
