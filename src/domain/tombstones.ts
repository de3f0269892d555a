// Tombstones against declarations: what is to be deleted can't be declared, or take a new key.

import { besides, error, type Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import type { RenameNode } from "./renames.ts";

/** A tombstone by the object that it means. */
export interface TombstoneNode {
  readonly identity: string;
  readonly key: string;
  readonly id: number | null;
  readonly place: Place;
}

/**
 * Tombstones that contradict a declaration or a rename. With an id a tombstone names one of several rows of a key, so that
 * it may stand beside both. Like `checkRenames` it may be called twice: the service knows better which keys are one.
 */
export function checkTombstones(tombstones: readonly TombstoneNode[], nodes: readonly RenameNode[]): Diagnostic[] {
  const alone = tombstones.filter(({ id }) => id === null);
  if (alone.length === 0) return [];
  const declared = new Map(nodes.map((node) => [node.identity, node]));
  const successors = new Map(
    nodes.flatMap(({ identity, renamedFrom }) =>
      renamedFrom === null || renamedFrom.identity === identity ? [] : [[renamedFrom.identity, renamedFrom]],
    ),
  );
  return alone.flatMap(({ identity, key, place }) => {
    const [still, successor] = [declared.get(identity), successors.get(identity)];
    if (successor !== undefined) {
      const message = `\`${key}\` is to be deleted here and renamed at ${showPlace(successor.place)}.`;
      const hint = "Remove the tombstone: a rename leaves nothing behind.";
      return [besides(error("renamed-and-absent", message, place, hint), successor.place, "renamed here")];
    }
    if (still === undefined) return [];
    const message = `\`${key}\` is to be deleted here and declared at ${showPlace(still.place)}.`;
    return [
      besides(error("declared-and-absent", message, place, "Keep one of the two."), still.place, "declared here"),
    ];
  });
}
