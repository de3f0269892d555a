// Live objects that no file names: where their blocks go.

import type { Live } from "../domain/change.ts";
import type { Project } from "../domain/project.ts";
import type { Loaded } from "../config/load.ts";
import { resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { resolveScope } from "../plan/scope.ts";
import { addRows } from "./additions.ts";
import type { EditedFiles } from "../edit/files.ts";
import { unclaimed, type Pulling, type PulledItem } from "./round.ts";
import type { Split } from "./split.ts";

/** What new blocks depend on. */
export interface NewRows {
  readonly loaded: Loaded;
  readonly project: Project;
  readonly settled: Resolved;
  /** The whole project, settled as far as what was read allows: among its blocks new ones find their place. */
  readonly around: Resolved;
  /** Live objects that have a block already, though under another key. */
  readonly known: ReadonlySet<Live>;
  readonly files: EditedFiles;
  readonly pulling: Pulling;
  readonly split: Split | null;
  /** Paths of all files below the project folder. */
  readonly taken: readonly string[];
  /** What a file of this path says of its schema; null: nothing. */
  readonly schema: (file: string) => string | null;
}

/** Declares every live object that is asked for and that no file names, as far as files can. */
export function declareNew({
  loaded,
  project,
  settled,
  around,
  known,
  files,
  pulling,
  split,
  taken,
  schema,
}: NewRows): {
  readonly texts: ReadonlyMap<string, string>;
  readonly told: readonly PulledItem[];
} {
  const { side, references, zones } = settled;
  // Another row of a declared key is for a person to decide about: a plan says so.
  const declaredKeys = new Set(settled.desired.map(({ identity }) => identity));
  const rows = unclaimed(settled).filter(
    (live) => pulling.wants(live) && !known.has(live) && !declaredKeys.has(live.identity),
  );
  const scope = resolveScope(project.policy.scope, side);
  const outsideScope = new Set(rows.filter(({ kind, values }) => scope?.has(kind, values) === false));
  // Beside what goes, nothing can be put.
  const going = new Set(
    settled.claims.flatMap(({ live, desired }) =>
      live === undefined && pulling.wantsGone(desired) ? [desired.place] : [],
    ),
  );
  const claims = around.claims.filter(({ desired }) => !going.has(desired.place));
  const { blocks, layout } = addRows(rows, { ...settled, claims }, loaded.documents, {
    split,
    globs: loaded.globs,
    taken: [...taken, ...loaded.files],
    given: resolveDefaults(loaded.given, side),
    references,
    zones,
    variables: pulling.variables,
    schema,
    outsideScope,
  });
  const homes = new Map(blocks.map((added) => [added.live, added]));
  for (const { live, document, near, block, comment } of blocks)
    files.at(document).add(live.kind, block.key, { entries: block.block }, near, comment);
  const told = rows.flatMap((live): PulledItem[] => {
    const { kind, key, identity } = live;
    const problem = layout.problems.get(live);
    // What lies outside the scope is somebody else's.
    if (problem !== undefined && outsideScope.has(live)) return [];
    const row = { kind, key, identity };
    if (problem !== undefined)
      return [{ ...row, what: "skipped", file: null, note: `it can't be declared: ${problem}`, isStale: false }];
    const left = homes.get(live)?.block.kept ?? layout.kept.get(live) ?? [];
    const note = left.length === 0 ? null : `no file can say its ${left.join(", ")}, which is left as it is live`;
    const file = homes.get(live)?.document.file ?? layout.files.get(live) ?? null;
    return [{ ...row, what: "added", file, note, isStale: false }];
  });
  return { texts: layout.texts, told };
}
