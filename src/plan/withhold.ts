// Changes that the files ask for and that this plan leaves out: filters from changes to changes.

import type { Change, Plan, Withheld } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import type { Action, Policy } from "../domain/project.ts";
import { dependenciesAmong, withNeeds, type Dependencies } from "./order.ts";
import type { PlanOptions } from "./plan.ts";
import type { KeyGlobs } from "./key-globs.ts";

interface ChosenChanges {
  readonly changes: readonly Change[];
  readonly withheld: readonly Withheld[];
}

/**
 * Leaves out what `allow` does not allow, what `--exclude` names, what waits for one of these, and, with `--target`, all that
 * no target names and none of the named waits for. A link that is targeted so brings along the pixels it needs; a deletion
 * is brought along by nothing, and what can't be made without one that is not named is left out as well.
 */
export function withholdChanges(
  all: readonly Change[],
  { allow }: Policy,
  { targets, excludes }: Pick<PlanOptions, "targets" | "excludes">,
  keyGlobs: KeyGlobs,
): ChosenChanges {
  if (allow === null && targets.length === 0 && excludes.length === 0) return { changes: all, withheld: [] };
  const needs = dependenciesAmong(all);
  const isExcluded = matcher(excludes, keyGlobs);
  const out = new Map<Change, Withheld["because"]>();
  for (const change of all) {
    if (allow !== null && !isAllowed(change, allow.actions)) out.set(change, "allow");
    else if (isExcluded(change)) out.set(change, "exclude");
  }
  addWaiting(all, needs, out);
  if (targets.length > 0) {
    const isTargeted = matcher(targets, keyGlobs);
    const named = new Set(all.filter((change) => !out.has(change) && isTargeted(change)));
    for (const change of named) {
      const needed = [...withNeeds([change], needs)];
      // The rest of a move that was stopped belongs to it; any other deletion is asked for by its own key.
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

/** Whether the changes of a plan are everything that the files ask for. */
export function plansEverything({ withheld, keptLive, isPruneBlind }: Plan): boolean {
  return withheld.length === 0 && keptLive.length === 0 && !isPruneBlind;
}

/** The rest of a replacement that was stopped is allowed where a replacement is. */
function isAllowed(change: Change, actions: readonly Action[]): boolean {
  return actions.includes(change.action) || (movedTo(change) !== null && actions.includes("replace"));
}

/** Whether a glob names the key that an object has, or is to have, or that of what replaces it. */
function matcher(globs: readonly string[], keyGlobs: KeyGlobs): (change: Change) => boolean {
  const isMatch = keyGlobs.matcher(globs);
  return (change) => [change.key, change.previousKey, movedTo(change)].some((key) => key !== null && isMatch(key));
}

function movedTo(change: Change): string | null {
  return change.action === "delete" ? change.movedTo : null;
}

/** Adds to `out` whatever waits for something in it, and what waits for that. */
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
