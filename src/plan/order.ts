// The order in which changes are made and shown, and their dependencies.

import { groupBy } from "../domain/collections.ts";
import { isNoticed, type Change, type WrittenChange, type Live, type Origin } from "../domain/change.ts";
import { fold } from "../domain/fold.ts";
import type { ListPage } from "../domain/live.ts";
import { compareText } from "../domain/place.ts";
import { KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Value } from "../domain/value.ts";

/** A level starts when the one before it is done. Changes of one level run in parallel. */
const LEVELS: readonly { readonly kind: ResourceKind; readonly actions: readonly Change["action"][] }[] = [
  { kind: "pixel", actions: ["create", "update"] },
  { kind: "link", actions: ["create", "update", "replace"] },
  { kind: "link", actions: ["delete"] },
  { kind: "pixel", actions: ["delete"] },
];

/**
 * The changes of each level in the order in which they begin: the plan's, except that updates whose records are on one page follow each
 * other, so that one reading of the page serves several.
 */
export function inRunOrder(changes: readonly Change[], pages: ReadonlyMap<Change, ListPage>): Change[][] {
  return LEVELS.map(({ kind, actions }) => {
    const level = changes.filter((change) => change.kind === kind && actions.includes(change.action));
    return [...groupBy(level, (change) => pages.get(change) ?? change).values()].flat();
  });
}

/** Changes of this pull request come first. */
const ORIGINS: readonly (Origin | null)[] = ["declared here", "both", "pending", "drift", null];

/**
 * Sorts changes for display: changes that break a short URL, other changes that visitors notice, then the rest. Each is sorted by
 * origin, kind (pixels first) and key.
 */
export function sortForDisplay(changes: readonly Change[]): Change[] {
  return changes
    .map((change) => ({ change, section: change.breaksUrl ? 0 : isNoticed(change) ? 1 : 2 }))
    .toSorted(
      ({ change: a, section }, { change: b, section: other }) =>
        section - other ||
        ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin) ||
        compareText(b.kind, a.kind) ||
        compareText(a.key, b.key),
    )
    .map(({ change }) => change);
}

/** The changes that must succeed before a change. */
export type Dependencies = (change: Change) => readonly Change[];

/**
 * The dependencies of changes: a change that takes a key waits for the deletion of the record with that key, a link waits for new pixels
 * that it uses, and a pixel is deleted after the links that stop using it. A change that takes a key also waits for the change that is
 * renamed from this key, a create included: so a chain of renames is made from its end, and claims.ts recognizes every state that an
 * interrupted run leaves.
 */
export function dependenciesAmong(changes: readonly Change[]): Dependencies {
  const creations = new Map(
    changes.flatMap((change) =>
      change.kind === "pixel" && change.action === "create" ? [[fold(change.key), change] as const] : [],
    ),
  );
  const deletions = groupBy(
    changes.filter((change) => change.action === "delete"),
    ({ live }) => live.identity,
  );
  const uses = changes.flatMap((change) =>
    change.kind === "link" && change.action !== "create" ? pixelsOf(change.live).map((name) => ({ name, change })) : [],
  );
  const users = groupBy(uses, ({ name }) => name);
  const renames = groupBy(
    changes.filter((change) => change.action !== "delete").filter(takesKey),
    ({ desired }) => desired.renamedFrom?.identity,
  );
  return (change) => {
    if (change.action === "delete")
      return change.kind === "pixel" ? (users.get(fold(change.key)) ?? []).map((use) => use.change) : [];
    const { identity } = change.desired;
    const first = takesKey(change) ? [...(deletions.get(identity) ?? []), ...(renames.get(identity) ?? [])] : [];
    if (change.kind === "pixel" || creations.size === 0) return first;
    return [...first, ...pixelsOf(change.desired).flatMap((name) => creations.get(name) ?? [])];
  };
}

/** These changes and their dependencies. */
export function withNeeds(wanted: readonly Change[], needs: Dependencies): Set<Change> {
  const found = new Set(wanted);
  for (const change of found) for (const other of needs(change)) found.add(other);
  return found;
}

/** Whether a change sets a key, even if only its case changes: the service checks it against all records. */
export function takesKey(change: WrittenChange): boolean {
  return change.action !== "update" || change.fields.some(({ path }) => path === KEY_FIELD[change.kind]);
}

export function pixelsOf({ values }: Pick<Live, "values">): string[] {
  return foldedNames(values.get(REFERENCE_FIELD.pixel));
}

/** The folded names in a canonical list of references. */
export function foldedNames(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map((name) => fold(String(name))) : [];
}
