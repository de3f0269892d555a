// What the base, or that there is none, keeps a plan from telling.

import type { Base } from "../domain/change.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import { pruneWithoutBase } from "./prune.ts";

/** Warnings about a plan of this project. `isAhead`: the base has commits that the files are not built on. */
export function doubtsAbout(base: (Base & { readonly isAhead: boolean }) | null, project: Project): Diagnostic[] {
  if (base === null) return pruneWithoutBase(project);
  if (!base.isAhead) return [];
  const message = `\`${base.ref}\` has commits that this work tree does not have: what they declare looks as if it had been removed.`;
  const hint = `Merge it first, or compare with the commit where the two parted: --base $(git merge-base ${base.ref} HEAD).`;
  return [warning("base-ahead", message, null, hint)];
}
