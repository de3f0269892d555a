// Projects of one run that contradict each other, because they share an account and name the same object.

import { error, type Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import type { ResourceKind } from "./table.ts";
import type { ValueLookup } from "./value.ts";

/** What a project does with an object. */
export interface Claim {
  readonly kind: ResourceKind;
  readonly key: string;
  readonly place: Place;
  readonly what: "declared" | "deleted" | "pruned" | "renamed";
  /** The live object; null for any with this key. */
  readonly id: number | null;
  /** The values of a declared object, with the ids of its domain and space; null if they are unknown. */
  readonly values: ValueLookup | null;
}

/** The objects of an account that a project names. */
export interface ProjectClaims {
  /** The project file, from the root of the repository. */
  readonly project: string;
  /** By identity. */
  readonly claims: ReadonlyMap<string, Claim>;
  /** With `prune: scope`, the objects that it deletes if it does not declare them. */
  readonly prunes: {
    readonly place: Place;
    readonly has: (kind: ResourceKind, values: ValueLookup) => boolean;
  } | null;
}

/** The errors of a project that contradicts others. The others get theirs, with the places exchanged. */
export function projectConflicts(own: ProjectClaims, others: readonly ProjectClaims[]): Diagnostic[] {
  return others.flatMap((other) => [...claimConflicts(own, other), ...pruneConflicts(own, other)]);
}

function claimConflicts(own: ProjectClaims, other: ProjectClaims): Diagnostic[] {
  return [...own.claims].flatMap(([identity, mine]) => {
    const theirs = other.claims.get(identity);
    if (theirs === undefined || (isDeleted(mine) && isDeleted(theirs))) return [];
    // A tombstone with an id can delete one of two objects with a key.
    if (mine.id !== null && theirs.id !== null && mine.id !== theirs.id) return [];
    const does = `${mine.what === theirs.what ? "also " : ""}${DOES[theirs.what]}`;
    const message = `The ${mine.kind} \`${mine.key}\` is ${mine.what} here, but the project ${other.project} ${does} it (${placeIn(other, theirs.place)}).`;
    const pruning = mine.what === "pruned" ? own : theirs.what === "pruned" ? other : null;
    const hint =
      pruning === null
        ? "Only one project of an account can name an object, or each run would revert the other project."
        : `If it moves between the projects, write \`prune: none\` in ${pruning.project} until this is applied.`;
    return [error("project-conflict", message, mine.place, hint)];
  });
}

const DOES = { declared: "declares", deleted: "deletes", pruned: "prunes", renamed: "renames" } as const;

function isDeleted({ what }: Claim): boolean {
  return what === "deleted" || what === "pruned";
}

/** One error if one of two projects prunes what the other declares, because a scope can cover all of it. */
function pruneConflicts(own: ProjectClaims, other: ProjectClaims): Diagnostic[] {
  return [[other, own] as const, [own, other] as const].flatMap(([pruning, declaring]) => {
    const { prunes, claims, project } = pruning;
    if (prunes === null) return [];
    const [first, ...more] = [...declaring.claims].flatMap(([identity, claim]) =>
      claim.values !== null && !claims.has(identity) && prunes.has(claim.kind, claim.values) ? [claim] : [],
    );
    if (first === undefined) return [];
    const what = `\`${first.key}\`${more.length === 0 ? "" : ` and ${more.length} more`}`;
    const where = placeIn(declaring, first.place);
    const message = `The project ${project} prunes its scope (${placeIn(pruning, prunes.place)}), which would delete ${what} of ${declaring.project} (${where}).`;
    const hint = `Narrow the scope of ${project}, or write \`prune: removed\` there.`;
    return [error("project-conflict", message, pruning === own ? prunes.place : first.place, hint)];
  });
}

/** A place in another project, from the root of the repository. */
function placeIn({ project }: ProjectClaims, place: Place): string {
  const folder = project.slice(0, project.lastIndexOf("/") + 1);
  return showPlace({ ...place, file: `${folder}${place.file}` });
}
