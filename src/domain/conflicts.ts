// Projects of one run that contradict each other, because they share an account and name the same object.

import { error, type Diagnostic } from "./diagnostic.ts";
import { showPlace, type Place } from "./place.ts";
import type { ResourceKind } from "./table.ts";
import type { Values } from "./value.ts";

/** What a project does with an object. */
export interface Claim {
  readonly kind: ResourceKind;
  readonly key: string;
  readonly place: Place;
  readonly what: "declared" | "deleted" | "pruned" | "renamed";
  /** The live object; null for any with this key. */
  readonly id: number | null;
  /** The values of a declared object, with the ids of its domain and space; null if they are unknown. */
  readonly values: Values | null;
}

/** The objects of an account that a project names. */
export interface ProjectClaims {
  /** The project file, from the root of the repository. */
  readonly project: string;
  /** By identity. */
  readonly claims: ReadonlyMap<string, Claim>;
  /** With `prune: scope`, the objects that it deletes if it does not declare them. */
  readonly prunes: { readonly place: Place; readonly has: (kind: ResourceKind, values: Values) => boolean } | null;
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
    const message = `The ${mine.kind} \`${mine.key}\` is ${mine.what} here, and ${theirs.what} at ${placeIn(other, theirs.place)} in the project ${other.project}.`;
    const pruning = mine.what === "pruned" ? own : theirs.what === "pruned" ? other : null;
    const hint =
      pruning === null
        ? "Only one project of an account can name an object, or each run would revert the other project."
        : `If it moves between the projects, write \`prune: none\` in ${pruning.project} until this is applied.`;
    return [error("project-conflict", message, mine.place, hint)];
  });
}

function isDeleted({ what }: Claim): boolean {
  return what === "deleted" || what === "pruned";
}

/** One error for each side, because a scope can cover all that another project declares. */
function pruneConflicts(own: ProjectClaims, other: ProjectClaims): Diagnostic[] {
  const hint = (pruning: ProjectClaims): string =>
    `Narrow the scope of ${pruning.project}, or write \`prune: removed\` there.`;
  const [mine, theirs] = [prunedBy(other, own), prunedBy(own, other)];
  return [
    ...(mine === null || other.prunes === null
      ? []
      : [
          error(
            "project-conflict",
            `${other.project} would delete ${mine.text}: its \`scope\` (${placeIn(other, other.prunes.place)}) covers what is declared here, and it has \`prune: scope\`.`,
            mine.first.place,
            hint(other),
          ),
        ]),
    ...(theirs === null || own.prunes === null
      ? []
      : [
          error(
            "project-conflict",
            `\`prune: scope\` would delete ${theirs.text}: this \`scope\` covers what ${other.project} declares (${placeIn(other, theirs.first.place)}).`,
            own.prunes.place,
            hint(own),
          ),
        ]),
  ];
}

/** What one project declares and the other would prune; null for nothing. */
function prunedBy(
  { prunes, claims }: ProjectClaims,
  declaring: ProjectClaims,
): { readonly first: Claim; readonly text: string } | null {
  const [first, ...more] = [...declaring.claims].flatMap(([identity, claim]) =>
    claim.values !== null && !claims.has(identity) && prunes?.has(claim.kind, claim.values) === true ? [claim] : [],
  );
  if (first === undefined) return null;
  return { first, text: `\`${first.key}\`${more.length === 0 ? "" : ` and ${more.length} more`}` };
}

/** A place in another project, from the root of the repository. */
function placeIn({ project }: ProjectClaims, place: Place): string {
  const folder = project.slice(0, project.lastIndexOf("/") + 1);
  return showPlace({ ...place, file: `${folder}${place.file}` });
}
