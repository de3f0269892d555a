// Undeclared live objects: which of them are deleted, and which were declared at the base (orphans).

import type { Create, Live, Orphan, Plan } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import type { Place } from "../domain/place.ts";
import type { Project, PruneMode } from "../domain/project.ts";
import type { ResolvedBase } from "./base.ts";
import type { StaleRecord } from "./claims.ts";
import { canBecome, isSameObject, objectKey } from "./compare.ts";
import type { ResolvedScope } from "./scope.ts";
import type { Resolved } from "./resolve.ts";
import { plural } from "../domain/words.ts";

interface Pruned {
  readonly live: Live;
  readonly reason: "removed" | "undeclared";
  readonly source: Place;
}

/**
 * Chooses the unmanaged objects to delete. It never chooses objects outside the scope or records of a blocked rename:
 *
 *     prune     declared at the base   in scope   →
 *     none      any                    any        nothing
 *     removed   yes                    yes        delete
 *     removed   unsure                 yes        nothing
 *     scope     any                    yes        delete
 */
export function pruned(
  unmanaged: readonly Live[],
  staleRecords: readonly StaleRecord[],
  { mode, place }: Project["policy"]["prune"],
  base: ResolvedBase | null,
  scope: ResolvedScope | null,
): Pruned[] {
  if (mode === "none" || place === null) return [];
  const left = new Set(staleRecords.map(({ live }) => live.identity));
  return unmanaged.flatMap((live) => {
    const isInScope = scope === null ? mode === "removed" : scope.has(live.kind, live.values);
    const isOurs = mode === "scope" || (base?.records.has(live) === true && !base.unsure.has(live));
    if (left.has(live.identity) || !isInScope || !isOurs) return [];
    return [{ live, reason: mode === "scope" ? "undeclared" : "removed", source: place }];
  });
}

/**
 * The live objects that were declared at the base and are neither declared, tombstoned nor pruned. Objects outside the scope are left
 * out, because no tombstone may name them.
 */
export function orphansAmong(
  unmanaged: readonly Live[],
  base: ResolvedBase | null,
  creates: readonly Create[],
  scope: ResolvedScope | null,
): Orphan[] {
  if (base === null) return [];
  // A create that was declared at the base is not a rename, and one with `renamed_from` is not a guess.
  const fresh = new Set(
    creates.filter(({ desired }) => desired.renamedFrom === null && !base.desired.has(desired.identity)),
  );
  const alike = groupBy(fresh, ({ desired }) => objectKey(desired));
  const successors = new Map<Live, Create>();
  const ours = unmanaged.filter((live) => base.records.has(live) && scope?.has(live.kind, live.values) !== false);
  // Renames come first: they keep the clicks, and moves to another domain do not.
  for (const isFar of [false, true]) {
    for (const live of ours) {
      if (successors.has(live)) continue;
      const successor = (alike.get(objectKey(live)) ?? []).find(
        (create) =>
          fresh.has(create) && isSameObject(create.desired, live) && (isFar || canBecome(live, create.desired)),
      );
      if (successor === undefined) continue;
      successors.set(live, successor);
      fresh.delete(successor);
    }
  }
  return ours.flatMap((live) => {
    const then = base.records.get(live);
    return then === undefined ? [] : [{ live, place: then.place, successor: successors.get(live) ?? null }];
  });
}

/**
 * Objects that stay live although the files ask to prune or rename them: unsure or unreadable ones, and those of a blocked rename. Once
 * the base moves, they would not be found again.
 */
export function keptLive(
  resolved: Resolved,
  orphans: readonly Orphan[],
  mode: PruneMode,
  base: ResolvedBase | null,
  scope: ResolvedScope | null,
): Live[] {
  const notPruned = mode === "none" ? [] : orphans.map(({ live }) => live);
  const notRenamed = resolved.staleRecords.flatMap(({ live, isReplaced }) => (isReplaced ? [] : [live]));
  return [...new Set([...notPruned, ...notRenamed, ...unreadableToPrune(resolved, mode, base, scope)])];
}

/**
 * The unreadable objects that pruning would delete, or might, if they were valid. With `prune: removed`, an object whose key is invalid may
 * be any that was removed from the files.
 */
function unreadableToPrune(
  { unreadable, desired, live }: Resolved,
  mode: PruneMode,
  base: ResolvedBase | null,
  scope: ResolvedScope | null,
): Live[] {
  if (mode === "none" || unreadable.length === 0) return [];
  const known = new Set([...desired, ...live].map(({ identity }) => identity));
  const removed = [...(base?.desired.values() ?? [])].filter(({ identity }) => !known.has(identity));
  return unreadable.filter(({ kind, identity, values, hasKey }) => {
    const isInScope = scope === null ? mode === "removed" : scope.whyNot(kind, values) === null;
    const isRemoved = removed.some((one) => (hasKey ? one.identity === identity : one.kind === kind));
    return isInScope && (mode === "scope" || isRemoved);
  });
}

/** Refuses to prune a kind without declarations. Most likely its files were not read. */
export function checkPrune(all: readonly Pruned[], project: Project, notCompared: Plan["notCompared"]): Diagnostic[] {
  return (["link", "pixel"] as const).flatMap((kind) => {
    const ofKind = all.filter(({ live }) => live.kind === kind);
    const [first] = ofKind;
    if (first === undefined || (notCompared?.[kind] ?? 0) > 0) return [];
    if (project.declarations.some((declaration) => declaration.kind === kind)) return [];
    const message = `The files declare no ${kind}s, but pruning would delete ${plural(ofKind.length, kind)}.`;
    return [error("prune-all", message, first.source, IF_NOTHING_DECLARED[kind])];
  });
}

const IF_NOTHING_DECLARED = {
  link: "Check that `files` matches all of your resource files. To delete the links, write tombstones.",
  pixel:
    'Declare them, or list this project\'s pixels in `scope`: `pixels: ["Name *"]`. To delete them, write tombstones.',
};
