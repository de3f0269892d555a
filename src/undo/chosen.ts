// What of an undo is wanted, by the globs of `--target` and `--exclude`: they may name what needs no change, too.

import { keyMatcher } from "../domain/glob.ts";
import type { Project } from "../domain/project.ts";
import type { LeftAlone, Loss, Receipt } from "../domain/receipt.ts";
import type { PlanOptions } from "../plan/plan.ts";

type Globs = Pick<PlanOptions, "targets" | "excludes">;

/** A test whether what is said of a change of this receipt is wanted: it may be named by either key. */
export function isWanted({ changes }: Receipt, { targets, excludes }: Globs): (said: Loss | LeftAlone) => boolean {
  const [isTargeted, isExcluded] = [keyMatcher(targets), keyMatcher(excludes)];
  const keysAt = new Map(changes.map(({ place, key, previousKey }) => [place, [key, previousKey ?? key]]));
  return ({ place, key }) => {
    const keys = keysAt.get(place) ?? [key];
    return (targets.length === 0 || keys.some(isTargeted)) && !keys.some(isExcluded);
  };
}

/**
 * The same plan to make, without globs that name only what the receipt speaks of and needs no change: to the planner they would be slips. Where
 * nothing else is targeted, nothing is planned.
 */
export function withoutIdleGlobs(
  { changes }: Receipt,
  project: Project,
  options: PlanOptions,
): { readonly project: Project; readonly options: PlanOptions } {
  const planned = new Set([...project.declarations, ...project.tombstones].map(({ place }) => place));
  const isIdle = (glob: string): boolean => {
    const isMatch = keyMatcher([glob]);
    const named = changes.filter(({ key, previousKey }) => [key, previousKey ?? key].some(isMatch));
    return named.length > 0 && !named.some(({ place }) => planned.has(place));
  };
  const targets = options.targets.filter((glob) => !isIdle(glob));
  const excludes = options.excludes.filter((glob) => !isIdle(glob));
  const isNothing = targets.length === 0 && options.targets.length > 0;
  return {
    project: isNothing ? { ...project, declarations: [], tombstones: [] } : project,
    options: { ...options, targets, excludes: isNothing ? [] : excludes },
  };
}
