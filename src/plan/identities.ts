// Declarations that are one object to the service although their files could not tell: two texts may mean one domain.

import type { Desired } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { comparePlaces, showPlace } from "../domain/place.ts";

/** Finds them; one diagnostic for each but the first. */
export function checkIdentities(desired: readonly Desired[]): Diagnostic[] {
  const seen = new Map<string, Desired>();
  const diagnostics: Diagnostic[] = [];
  for (const one of desired) {
    const other = seen.get(one.identity);
    if (other === undefined) {
      seen.set(one.identity, one);
      continue;
    }
    const [first, second] = comparePlaces(other.place, one.place) < 0 ? [other, one] : [one, other];
    const message = `\`${second.key}\` is already declared at ${showPlace(first.place)}: to the service they are one.`;
    diagnostics.push(error("duplicate-key", message, second.place, "Keep one of the two."));
  }
  return diagnostics;
}
