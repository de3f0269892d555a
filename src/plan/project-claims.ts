// What a project does with the objects of its account, for the comparison with other projects of the run.

import type { Plan } from "../domain/change.ts";
import type { Claim, ProjectClaims } from "../domain/conflicts.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { ValueLookup } from "../domain/value.ts";
import type { NameDirectory } from "./directory.ts";
import type { Resolved } from "./resolve.ts";
import { resolveScope, valuesAfter } from "./scope.ts";

/** The claims of a project. `name` is its file, from the root of the repository. */
export function projectClaims(name: string, resolved: Resolved, { changes }: Plan): ProjectClaims {
  const { claims, tombstones, side, project } = resolved;
  const { scope, prune } = project.policy;
  const all = new Map<string, Claim>();
  const add = (
    identity: string,
    { kind, key, place }: Pick<Claim, "kind" | "key" | "place">,
    what: Claim["what"],
    id: number | null = null,
    values: ValueLookup | null = null,
  ): void => void all.set(identity, { kind, key, place, what, id, values });
  for (const { identity, key, tombstone } of tombstones)
    if (tombstone.id === null) add(identity, { ...tombstone, key }, "deleted");
  for (const change of changes) {
    // `prunes` has those that are deleted because no file declares them.
    if (change.action !== "delete" || change.reason === "undeclared") continue;
    const { id, identity } = change.live;
    add(identity, { ...change, place: change.source }, change.reason === "removed" ? "pruned" : "deleted", id);
  }
  for (const { desired } of claims)
    if (desired.renamedFrom !== null)
      add(desired.renamedFrom.identity, { ...desired, ...desired.renamedFrom }, "renamed");
  const withIds = idsOf(side);
  for (const { desired, live } of claims)
    add(desired.identity, desired, "declared", live?.id ?? null, withIds(valuesAfter(desired, live)));
  const byId = (names: NameDirectory): NameDirectory => ({ ...names, shown: String });
  const ofIds = { domains: byId(side.domains), spaces: byId(side.spaces) };
  return { project: name, claims: all, prunes: prune.mode === "scope" ? resolveScope(scope, ofIds) : null };
}

/** Replaces the names of domains and spaces by their ids, because projects may have other labels for them. */
function idsOf({ domains, spaces }: Resolved["side"]): (values: ValueLookup) => ValueLookup {
  const directories = new Map([
    [REFERENCE_FIELD.domain, domains],
    [REFERENCE_FIELD.space, spaces],
  ]);
  return (values) => ({
    get: (path) => {
      const value = values.get(path);
      const id = typeof value === "string" ? directories.get(path)?.ids.get(value) : undefined;
      return id === undefined ? value : String(id);
    },
  });
}
