// Declares undeclared live records, in blocks of existing files or in new files.

import type { Loaded } from "../config/load.ts";
import type { DocumentOutline } from "../config/blocks.ts";
import { isJsonFile } from "../config/json.ts";
import type { Live } from "../domain/change.ts";
import type { Project } from "../domain/project.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import { declare, undeclarable } from "../edit/declare.ts";
import type { Edit } from "../edit/edits.ts";
import { resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { resolveScope } from "../plan/scope.ts";
import { keptComment, layOut, type LayoutOptions, type NewBlock, type NewFiles } from "./layout.ts";
import { findPlacements, type Placed } from "./placement.ts";
import { unclaimed, type PullContext, type PulledEdit, type PulledItem } from "./declared-blocks.ts";
import type { Split } from "./split.ts";

/** A block for an existing file. */
interface Addition extends Placed {
  readonly block: NewBlock;
  /** The comment above it. */
  readonly comment: string | null;
}

export interface Additions {
  /** In the order in which they must be added. */
  readonly blocks: readonly Addition[];
  /** New files for all other records; `problems` covers all records. */
  readonly layout: NewFiles;
}

/**
 * Declares records that no file declares. New files get those that fit no document, and those that cannot be declared below the
 * defaults of their document.
 */
export function declareRecords(
  records: readonly Live[],
  { claims, live: all, side }: Pick<Resolved, "claims" | "live" | "side">,
  documents: readonly DocumentOutline[],
  options: LayoutOptions,
): Additions {
  const problems = undeclarable(records, options.outsideScope, all);
  const declarable = records.filter((live) => !problems.has(live));
  const { placed, unplaced } = findPlacements(declarable, claims, documents);
  const defaults = new Map<DocumentOutline, EffectiveDefaults>();
  const defaultsAt = (document: DocumentOutline): EffectiveDefaults => {
    const known = defaults.get(document) ?? resolveDefaults(document.linkDefaults, side);
    defaults.set(document, known);
    return known;
  };
  const blocks: Addition[] = [];
  const others = [...unplaced];
  for (const one of placed) {
    const block = declare(one.live, { ...options, defaults: defaultsAt(one.document) });
    if ("problem" in block) others.push(one.live);
    else blocks.push({ ...one, block, comment: keptComment(block.kept) });
  }
  const layout = layOut(others, options);
  return { blocks, layout: { ...layout, problems: new Map([...problems, ...layout.problems]) } };
}

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
  /** Paths of all files below the project folder. */
  readonly taken: readonly string[];
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
export function declareNew({
  loaded,
  project,
  resolved,
  wholeProject,
  known,
  pulling,
  split,
  taken,
  schema,
}: NewBlockInput): {
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
  // A block that this pull removes cannot be the neighbor of a new one.
  const removed = new Set(
    resolved.claims.flatMap(({ live, desired }) =>
      live === undefined && pulling.wantsGone(desired) ? [desired.place] : [],
    ),
  );
  const claims = wholeProject.claims.filter(({ desired }) => !removed.has(desired.place));
  const editable = loaded.documents.filter(({ file }) => !isJsonFile(file));
  const { blocks, layout } = declareRecords(records, { ...resolved, claims }, editable, {
    split,
    globs: loaded.globs,
    taken: [...taken, ...loaded.files],
    defaults: resolveDefaults(loaded.linkDefaults, side),
    references,
    zones,
    variables: pulling.variables,
    usesUtm: pulling.usesUtm,
    schema,
    outsideScope,
  });
  const itemOf = (live: Live, file: string | null, kept: readonly string[]): PulledItem => {
    const { kind, key, identity } = live;
    const note = kept.length === 0 ? null : `files cannot express its ${kept.join(", ")}, so the live state is kept`;
    return { what: "added", kind, key, identity, file, note, isStale: false };
  };
  const edits = blocks.map(({ live, document: { file }, near, block, comment }): PulledEdit => {
    const { kind } = live;
    const added = { step: "add", kind, key: block.key, block: { entries: block.block }, spot: near } as const;
    const edit: Edit = [{ ...added, ...(comment !== null && { comment }) }];
    return { item: itemOf(live, file, block.kept), file, edit, manual: "Write its block.", live };
  });
  const added = new Set(blocks.map(({ live }) => live));
  const items = records.flatMap((live): PulledItem[] => {
    const problem = layout.problems.get(live);
    // Objects outside the scope may belong to another project.
    if (added.has(live) || (problem !== undefined && outsideScope.has(live))) return [];
    const item = itemOf(live, layout.files.get(live) ?? null, layout.kept.get(live) ?? []);
    return [problem === undefined ? item : { ...item, what: "skipped", note: `it cannot be declared: ${problem}` }];
  });
  return { texts: layout.texts, items, edits };
}
