// Blocks of one key, and renames and tombstones that contradict each other or a declaration. Chains of renames are fine; forks and cycles
// are not.

import type { Desired } from "./change.ts";
import { groupBy } from "./collections.ts";
import { besides, error, sortDiagnostics, type Diagnostic } from "./diagnostic.ts";
import { comparePlaces, showPlace } from "./place.ts";
import type { Tombstone } from "./project.ts";

type RenameNode = Pick<Desired, "kind" | "identity" | "key" | "place" | "renamedFrom">;

/** A block with `renamed_from`, unless that is its own key. */
interface Rename extends RenameNode {
  readonly renamedFrom: NonNullable<RenameNode["renamedFrom"]>;
}

/**
 * Reports declarations, renames and tombstones that contradict each other. It runs when the files are loaded and again with the account,
 * because only the account shows which texts are one key.
 */
export function checkKeys(nodes: readonly RenameNode[], tombstones: readonly TombstoneNode[]): Diagnostic[] {
  return [...checkDuplicates(nodes), ...checkRenames(nodes), ...checkTombstones(tombstones, nodes)];
}

/** Reports each block but the first of those that declare one object. */
function checkDuplicates(nodes: readonly RenameNode[]): Diagnostic[] {
  return [...groupBy(nodes, ({ identity }) => identity).values()].flatMap((same) => {
    const [first, ...others] = same.length < 2 ? [] : same.toSorted((a, b) => comparePlaces(a.place, b.place));
    return first === undefined ? [] : others.map((one) => declaredTwice(one, first));
  });
}

function declaredTwice({ kind, key, place }: RenameNode, first: RenameNode): Diagnostic {
  const where = showPlace(first.place);
  const same = `The ${kind} \`${key}\` is already declared at ${where}.`;
  const folded = `\`${key}\` and \`${first.key}\` (${where}) are the same ${kind}: the service ignores case and accents.`;
  const found =
    key === first.key
      ? error("duplicate-key", same, place, "Keep one of the two.")
      : error("folding-keys", folded, place, "Remove one of the two, or change its key.");
  return besides(found, first.place, "first here");
}

function isRename(node: RenameNode): node is Rename {
  return node.renamedFrom !== null && node.renamedFrom.identity !== node.identity;
}

/** Reports renames that no order can apply: two from one key, at each block but the first, and cycles, at their first block. */
function checkRenames(nodes: readonly RenameNode[]): Diagnostic[] {
  const renames = nodes.filter(isRename).toSorted((a, b) => comparePlaces(a.place, b.place));
  const firsts = new Map(renames.toReversed().map((one) => [one.renamedFrom.identity, one]));
  // Not by group: links of a family have one place.
  const forks = renames.flatMap((one) => {
    const first = firsts.get(one.renamedFrom.identity) ?? one;
    return first === one ? [] : [renamedTwice(one, first)];
  });
  return sortDiagnostics([...forks, ...circles(renames).flatMap(circle)]);
}

/** Every block has one former key, so a walk from each block that stops at visited blocks finds every cycle once. */
function circles(renames: readonly Rename[]): Rename[][] {
  const byIdentity = new Map(renames.toReversed().map((rename) => [rename.identity, rename]));
  const met = new Set<string>();
  const found: Rename[][] = [];
  for (const first of renames) {
    const walk: Rename[] = [];
    let next: Rename | undefined = first;
    while (next !== undefined && !met.has(next.identity)) {
      met.add(next.identity);
      walk.push(next);
      next = byIdentity.get(next.renamedFrom.identity);
    }
    const start = walk.findIndex(({ identity }) => identity === next?.identity);
    if (start >= 0) found.push(walk.slice(start));
  }
  return found;
}

function renamedTwice({ renamedFrom }: Rename, rival: Rename): Diagnostic {
  const message = `\`${rival.key}\` (${showPlace(rival.place)}) is also renamed from \`${renamedFrom.key}\`.`;
  const hint = "Remove one of the two. A link or pixel can have only one new key.";
  const found = error("renamed-twice", message, renamedFrom.place, hint);
  return besides(found, rival.renamedFrom.place, "also renamed here");
}

function circle(walk: readonly Rename[]): Diagnostic[] {
  const [first] = walk.toSorted((a, b) => comparePlaces(a.place, b.place));
  if (first === undefined) return [];
  const at = walk.indexOf(first);
  const steps = [...walk.slice(at), ...walk.slice(0, at)].map(
    ({ key, renamedFrom }) => `\`${key}\` from \`${renamedFrom.key}\``,
  );
  const what = first.kind === "link" ? "their destinations (`url`)" : "their values (`type`, `value`)";
  const hint = `Remove \`renamed_from\` from these blocks, and exchange ${what} instead.`;
  const message = `These renames form a cycle: ${steps.join(", ")}.`;
  const others = walk.filter((rename) => rename !== first);
  const also = others.map(({ renamedFrom: { place } }) => ({ place, says: "also renamed here" }));
  return [{ ...error("rename-cycle", message, first.renamedFrom.place, hint), also }];
}

/** A tombstone by the object that it means. */
interface TombstoneNode extends Pick<RenameNode, "identity" | "key"> {
  readonly tombstone: Pick<Tombstone, "id" | "place">;
}

/**
 * Reports tombstones that contradict a declaration or a rename. A tombstone with an id names one of several objects with a key, so it is
 * allowed together with both.
 */
function checkTombstones(tombstones: readonly TombstoneNode[], nodes: readonly RenameNode[]): Diagnostic[] {
  const alone = tombstones.filter(({ tombstone }) => tombstone.id === null);
  if (alone.length === 0) return [];
  const declared = new Map(nodes.map((node) => [node.identity, node]));
  const successors = new Map(nodes.filter(isRename).map(({ renamedFrom }) => [renamedFrom.identity, renamedFrom]));
  return alone.flatMap(({ identity, key, tombstone: { place } }) => {
    const [still, successor] = [declared.get(identity), successors.get(identity)];
    if (successor !== undefined) {
      const message = `\`${key}\` has a tombstone, but it is renamed at ${showPlace(successor.place)}.`;
      const hint = "Remove the tombstone. After the rename, nothing has the old key.";
      return [besides(error("renamed-and-absent", message, place, hint), successor.place, "renamed here")];
    }
    if (still === undefined) return [];
    const message = `\`${key}\` has a tombstone, but it is declared at ${showPlace(still.place)}.`;
    const found = error("declared-and-absent", message, place, "Keep one of the two.");
    return [besides(found, still.place, "declared here")];
  });
}
