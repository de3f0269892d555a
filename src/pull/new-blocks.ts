// Declares undeclared live records, in blocks of existing files or in new files.

import type { Loaded } from "../config/load.ts";
import { isJsonFile } from "../config/json.ts";
import type { Live } from "../domain/change.ts";
import type { Project } from "../domain/project.ts";
import { declare, undeclarable } from "../edit/declare.ts";
import type { Edit } from "../edit/edits.ts";
import { resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { resolveScope } from "../plan/scope.ts";
import { inOrder, keptComment, layOut, type LayoutOptions } from "./layout.ts";
import { findPlacements } from "./placement.ts";
import { unclaimed, type PullContext, type PulledEdit, type PulledItem } from "./declared-blocks.ts";
import type { Split } from "./split.ts";

/** What new blocks depend on. */
export interface NewBlockInput {
  readonly loaded: Loaded;
  readonly project: Project;
  /** The part of the project that is pulled. */
  readonly resolved: Resolved;
  /** The complete project, because new blocks can go beside any of its blocks. */
  readonly wholeProject: Resolved;
  /** Live records whose block has another key. */
  readonly known: ReadonlySet<Live>;
  readonly pulling: PullContext;
  readonly split: Split | null;
  readonly schema: LayoutOptions["schema"];
}

/** Live records whose tombstone the pull removes, and records whose rename it reverts. */
function unfinished({ tombstones, staleRecords }: Resolved): Live[] {
  const revived = tombstones.flatMap(({ live, tombstone }) =>
    live === null || isJsonFile(tombstone.place.file) ? [] : [live],
  );
  return [...new Set([...revived, ...staleRecords.map(({ live }) => live)])];
}

/** Declares every selected live record that no file names, if a file can declare it. */
export function declareNew({ loaded, project, resolved, wholeProject, known, pulling, split, schema }: NewBlockInput): {
  /** The new files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly items: readonly PulledItem[];
  /** The blocks for existing files. */
  readonly edits: readonly PulledEdit[];
} {
  const { side, references, zones } = resolved;
  // If several records have a declared key, the user must decide. The plan reports it.
  const declaredKeys = new Set(resolved.desired.map(({ identity }) => identity));
  const records = [...unclaimed(resolved), ...unfinished(resolved)].filter(
    (live) => pulling.wants(live) && !known.has(live) && !declaredKeys.has(live.identity),
  );
  const scope = resolveScope(project.policy.scope, side);
  const outsideScope = new Set(records.filter(({ kind, values }) => scope?.has(kind, values) === false));
  const problems = undeclarable(records, outsideScope, resolved.live);
  const { placed, unplaced } = findPlacements(
    inOrder(records.filter((live) => !problems.has(live))),
    wholeProject.claims,
    loaded.documents.filter(({ file }) => !isJsonFile(file)),
  );
  const context = { references, zones, variables: pulling.variables, usesUtm: pulling.usesUtm };
  const itemOf = ({ kind, key, identity }: Live, file: string | null, kept: readonly string[]): PulledItem => {
    const note = kept.length === 0 ? null : `files cannot express its ${kept.join(", ")}, so the live state is kept`;
    return { what: "added", kind, key, identity, file, note, isStale: false };
  };
  const defaultsOf = new Map(loaded.documents.map((one) => [one, resolveDefaults(one.linkDefaults, side)]));
  const edits: PulledEdit[] = [];
  // New files get records that fit no document, and those that cannot be declared below the defaults of their document.
  const others = [...unplaced];
  for (const { live, document, beside } of placed) {
    const { file } = document;
    const block = declare(live, { ...context, defaults: defaultsOf.get(document) ?? new Map() });
    if ("problem" in block) {
      others.push(live);
      continue;
    }
    const comment = keptComment(block.kept);
    const added = {
      step: "add",
      kind: live.kind,
      key: block.key,
      block: { entries: block.block },
      spot: { inDocumentOf: beside },
    } as const;
    const edit: Edit = [{ ...added, ...(comment !== null && { comment }) }];
    edits.push({ item: itemOf(live, file, block.kept), file, edit, live });
  }
  const layout = layOut(others, {
    ...context,
    split,
    globs: loaded.globs,
    taken: loaded.files,
    defaults: resolveDefaults(loaded.linkDefaults, side),
    schema,
  });
  // Objects outside the scope may belong to another project.
  const skipped = [...problems, ...layout.problems].filter(([live]) => !outsideScope.has(live));
  return {
    texts: layout.texts,
    edits,
    items: [
      ...layout.blocks.map(({ live, file, kept }) => itemOf(live, file, kept)),
      ...skipped.map(([live, problem]) => {
        return { ...itemOf(live, null, []), what: "skipped" as const, note: `it cannot be declared: ${problem}` };
      }),
    ],
  };
}
