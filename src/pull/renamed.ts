// Objects that were given another key at the service: the files know them under the old one.

import type { Desired, Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { objectKey } from "../plan/compare.ts";

/**
 * Of declared objects that are not live, and live ones that are not declared, those that are most likely one: what every object must have
 * is the same, and of each side there is no other like it. To take two for one does no harm, for all the rest is written as it is live.
 */
export function renamedByHand(gone: readonly Desired[], fresh: readonly Live[]): ReadonlyMap<Desired, Live> {
  const keyOf = (one: Desired | Live): string =>
    JSON.stringify([objectKey(one), one.values.get(REFERENCE_FIELD.domain)]);
  const byKey = groupBy(fresh, keyOf);
  const pairs = [...groupBy(gone, keyOf)].flatMap(([key, [desired, ...more]]) => {
    const [live, ...others] = byKey.get(key) ?? [];
    return desired === undefined || live === undefined || more.length + others.length > 0
      ? []
      : [[desired, live] as const];
  });
  return new Map(pairs);
}
