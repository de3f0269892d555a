// Which files still ask for what an undo takes back: the next apply would make it again.

import type { Change, Live, Plan } from "../domain/change.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { resolve } from "../plan/resolve.ts";

/**
 * For each change of an undo the files that ask for the state before it: they name the object, and `asked`, what they would change about the
 * account as it is now, has nothing of it. Files that were taken back already would change it back, and are not among them.
 */
export function filesAgainst(
  files: Project,
  state: LiveState,
  changes: readonly Change[],
  asked: readonly Change[],
): ReadonlyMap<Change, readonly string[]> {
  const { desired, tombstones } = resolve(files, state);
  const named = new Map<string, Set<string>>();
  const note = (identity: string, file: string): void =>
    void named.set(identity, (named.get(identity) ?? new Set()).add(file));
  for (const { identity, renamedFrom, place } of desired) {
    note(identity, place.file);
    if (renamedFrom !== null) note(renamedFrom.identity, place.file);
  }
  for (const { identity, tombstone } of tombstones) note(identity, tombstone.place.file);
  const planned = new Set(asked.flatMap(identitiesOf));
  const { mode, place } = files.policy.prune;
  return new Map(
    changes.map((change) => {
      const identities = identitiesOf(change);
      if (identities.some((identity) => planned.has(identity))) return [change, []];
      const asking = new Set(identities.flatMap((identity) => [...(named.get(identity) ?? [])]));
      // What is made again and not declared lies in the scope all the same.
      if (asking.size === 0 && change.action === "create" && mode === "scope" && place !== null) asking.add(place.file);
      return [change, [...asking]];
    }),
  );
}

/** The changes that the files ask for and an undo does not make as well. */
export function pendingBeside(asked: readonly Change[], changes: readonly Change[]): Change[] {
  return asked.filter((one) => !changes.some((other) => makesAsWell(other, one)));
}

/** Whether a change does everything that another one does. */
function makesAsWell(change: Change, wanted: Change): boolean {
  if (change.action !== wanted.action || change.kind !== wanted.kind) return false;
  const isSameRow = JSON.stringify(rowsOf(change)) === JSON.stringify(rowsOf(wanted));
  return (
    isSameRow &&
    wanted.fields.every(({ path, after }) =>
      change.fields.some((field) => field.path === path && sameValue(field.after, after)),
    )
  );
}

/** The row that a change is made to, and the key that it then has. */
function rowsOf(change: Change): readonly (number | string | null)[] {
  const id = change.action === "create" ? null : change.live.id;
  return [id, change.action === "delete" ? null : change.desired.identity];
}

/** The keys that a change is about. */
function identitiesOf(change: Change): string[] {
  const live = change.action === "create" ? [] : [change.live.identity];
  return change.action === "delete" ? live : [...live, change.desired.identity];
}

/** What both plans are about, each row once. */
export function togetherAtStake(one: Plan["atStake"], other: Plan["atStake"]): Plan["atStake"] {
  const all = (kind: ResourceKind): readonly Live[] => [
    ...new Map([...one[kind], ...other[kind]].map((live) => [live.id, live])).values(),
  ];
  return { link: all("link"), pixel: all("pixel") };
}
