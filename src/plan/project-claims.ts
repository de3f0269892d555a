// What a project does with the objects of its account, for the comparison with other projects of the run.

import type { Claim, ProjectClaims } from "../domain/conflicts.ts";
import type { Plan } from "../domain/change.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Value, Values } from "../domain/value.ts";
import type { NameDirectory } from "./directory.ts";
import type { AccountNames } from "./names.ts";
import type { Resolved } from "./resolve.ts";
import { resolveScope, valuesAfter } from "./scope.ts";

/** The claims of a project. `name` is its file, from the root of the repository. */
export function projectClaims(name: string, resolved: Resolved, { changes }: Plan): ProjectClaims {
  const { claims, tombstones, side, project } = resolved;
  const { scope, prune } = project.policy;
  const pruned = prune.mode === "scope" ? resolveScope(scope, side) : null;
  const absent = tombstones.flatMap(({ identity, key, tombstone: { kind, id, place } }) =>
    id === null ? [[identity, { kind, key, place, what: "deleted", id, values: null }] as const] : [],
  );
  const deleted = changes.flatMap((change) => {
    const { kind, key, source: place, reason } = change;
    // `prunes` has those that are deleted because no file declares them.
    if (change.action !== "delete" || reason === "undeclared") return [];
    const { id, identity } = change.live;
    const what = reason === "removed" ? "pruned" : "deleted";
    return [[identity, { kind, key, place, what, id, values: null }] as const];
  });
  const renamed = claims.flatMap(({ desired: { kind, renamedFrom } }) => {
    if (renamedFrom === null) return [];
    const { identity, key, place } = renamedFrom;
    return [[identity, { kind, key, place, what: "renamed", id: null, values: null }] as const];
  });
  const declared = claims.map(({ desired, live }) => {
    const { identity, kind, key, place } = desired;
    const values = translated(valuesAfter(desired, live), side, ({ ids }, shown) => ids.get(String(shown)));
    return [identity, { kind, key, place, what: "declared", id: live?.id ?? null, values }] as const;
  });
  return {
    project: name,
    claims: new Map<string, Claim>([...absent, ...deleted, ...renamed, ...declared]),
    prunes: pruned && {
      place: pruned.place,
      has: (kind, values) =>
        pruned.has(
          kind,
          translated(values, side, (names, id) => names.shown(Number(id))),
        ),
    },
  };
}

/** Values whose domain and space are translated: projects may have other labels for the same ids. */
function translated(
  values: Values,
  { domains, spaces }: Pick<AccountNames, "domains" | "spaces">,
  translate: (names: NameDirectory, value: Value) => Value | undefined,
): Values {
  const directories = new Map([
    [REFERENCE_FIELD.domain, domains],
    [REFERENCE_FIELD.space, spaces],
  ]);
  const get = (path: string): Value | undefined => {
    const [value, names] = [values.get(path), directories.get(path)];
    return names === undefined || value === undefined || value === null ? value : translate(names, value);
  };
  return { get, has: (path) => get(path) !== undefined };
}
