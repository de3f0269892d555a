// Leaves declared changes out of a plan: `allow`, `--exclude` and `--target`.

import type { Change, Plan, Withheld } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import type { Policy } from "../domain/project.ts";
import { dependenciesAmong, withNeeds, type Dependencies } from "./order.ts";
import type { CreatePlanOptions } from "./options.ts";
import type { KeyGlobs } from "./key-globs.ts";

/**
 * Leaves out changes that `allow` forbids or `--exclude` matches, and changes that depend on these. With `--target`, only matching
 * changes and their dependencies are kept, such as the pixels of a link. A deletion must match by itself: a change that depends on
 * a deletion that no target matches is left out.
 */
export function withholdChanges(
  all: readonly Change[],
  { allow }: Policy,
  { targets, excludes }: CreatePlanOptions,
  keyGlobs: KeyGlobs,
): Pick<Plan, "changes" | "withheld"> {
  if (allow === null && targets.length === 0 && excludes.length === 0) return { changes: all, withheld: [] };
  const needs = dependenciesAmong(all);
  const isExcluded = matcher(excludes, keyGlobs);
  const out = new Map<Change, Withheld["because"]>();
  for (const change of all) {
    // The deletion of an interrupted replacement is allowed if replacements are.
    const actions = [change.action, ...(movedTo(change) === null ? [] : ["replace" as const])];
    if (allow !== null && !actions.some((one) => allow.actions.includes(one))) out.set(change, "allow");
    else if (isExcluded(change)) out.set(change, "exclude");
  }
  addWaiting(all, needs, out);
  if (targets.length > 0) {
    const isTargeted = matcher(targets, keyGlobs);
    const named = new Set(all.filter((change) => !out.has(change) && isTargeted(change)));
    for (const change of named) {
      const needed = [...withNeeds([change], needs)];
      // The deletion of an interrupted move belongs to the move. Any other deletion needs its own target.
      const missing = needed.find((other) => other.action === "delete" && other.movedTo === null && !named.has(other));
      if (missing !== undefined) out.set(change, missing);
    }
    const wanted = withNeeds(
      [...named].filter((change) => !out.has(change)),
      needs,
    );
    for (const change of all) if (!wanted.has(change) && !out.has(change)) out.set(change, "target");
  }
  return {
    changes: all.filter((change) => !out.has(change)),
    withheld: all.flatMap((change) => {
      const because = out.get(change);
      return because === undefined ? [] : [{ change, because }];
    }),
  };
}

/** Whether a plan contains everything that the files ask for. */
export function plansEverything({ withheld, keptLive, isPruneBlind }: Plan): boolean {
  return withheld.length === 0 && keptLive.length === 0 && !isPruneBlind;
}

/** Matches the current key, the new key, and the key of the replacement. */
function matcher(globs: readonly string[], keyGlobs: KeyGlobs): (change: Change) => boolean {
  const isMatch = keyGlobs.matcher(globs);
  return (change) => [change.key, change.previousKey, movedTo(change)].some((key) => key !== null && isMatch(key));
}

function movedTo(change: Change): string | null {
  return change.action === "delete" ? change.movedTo : null;
}

/** Adds to `out` all changes that depend on something in it. */
function addWaiting(all: readonly Change[], needs: Dependencies, out: Map<Change, Withheld["because"]>): void {
  const pairs = all.flatMap((change) => needs(change).map((needed) => ({ change, needed })));
  const waiting = groupBy(pairs, ({ needed }) => needed);
  const gone = new Set(out.keys());
  for (const needed of gone) {
    for (const { change } of waiting.get(needed) ?? []) {
      if (out.has(change)) continue;
      out.set(change, needed);
      gone.add(change);
    }
  }
}
