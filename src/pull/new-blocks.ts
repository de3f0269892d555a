// Declares undeclared live records, in blocks of existing files or in new files.

import type { Loaded } from "../config/load.ts";
import { isJsonFile } from "../config/json.ts";
import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { compareText } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import type { EffectiveDefaults } from "../domain/value.ts";
import { declare, undeclarable, type Declarable } from "../edit/declare.ts";
import type { Edit } from "../edit/edits.ts";
import { newFileText } from "../edit/new-file.ts";
import { schemaLine } from "../edit/schema-line.ts";
import { resolveDefaults, type Resolved } from "../plan/resolve.ts";
import { resolveScope } from "../plan/scope.ts";
import { FileNames } from "./file-names.ts";
import { placeFinder } from "./placement.ts";
import { unclaimed, type PullContext, type PulledEdit, type PulledItem } from "./declared-blocks.ts";
import { splitLinks, type Split } from "./split.ts";

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
  /** How links are split into new files; null: depends on the links. */
  readonly split: Split | null;
  /** The path of the schema for the first line of a file; null: no such line. */
  readonly schema: (file: string) => string | null;
}

export interface NewBlocks {
  /** The new files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly items: readonly PulledItem[];
  /** The blocks for existing files. */
  readonly edits: readonly PulledEdit[];
}

/**
 * Declares every selected live record that no file names, if a file can declare it. The result does not depend on the order of the
 * records. Throws a user error if no glob of the project matches a new file.
 */
export function declareNew({
  loaded,
  project,
  resolved,
  wholeProject,
  known,
  pulling,
  split,
  schema,
}: NewBlockInput): NewBlocks {
  const { side, references, zones } = resolved;
  // If several records have a declared key, the user must decide. The plan reports it.
  const declaredKeys = new Set(resolved.desired.map(({ identity }) => identity));
  const records = [...unclaimed(resolved), ...unfinished(resolved)].filter(
    (live) => pulling.wants(live) && !known.has(live) && !declaredKeys.has(live.identity),
  );
  const scope = resolveScope(project.policy.scope, side);
  const outsideScope = new Set(records.filter(({ kind, values }) => scope?.has(kind, values) === false));
  const problems = undeclarable(records, outsideScope, resolved.live);
  const declareBelow = (live: Live, defaults: EffectiveDefaults): Declarable =>
    declare(live, { references, zones, defaults, variables: pulling.variables, usesUtm: pulling.usesUtm });
  const documents = loaded.documents.filter(({ file }) => !isJsonFile(file));
  const placeOf = placeFinder(wholeProject.claims, documents);
  const defaultsOf = new Map(documents.map((one) => [one, resolveDefaults(one.linkDefaults, side)]));
  const edits: PulledEdit[] = [];
  // New files get records that fit no document, and those that cannot be declared below the defaults of their document.
  const others: Live[] = [];
  for (const live of inOrder(records.filter((one) => !problems.has(one)))) {
    const spot = placeOf(live);
    const block = spot && declareBelow(live, defaultsOf.get(spot.document) ?? new Map());
    if (spot === undefined || block === undefined || "problem" in block) {
      others.push(live);
      continue;
    }
    const { file } = spot.document;
    const comment = keptComment(block.kept);
    const added = {
      step: "add",
      kind: live.kind,
      key: block.key,
      block: { entries: block.block },
      spot: { inDocumentOf: spot.first },
    } as const;
    const edit: Edit = [{ ...added, ...(comment !== null && { comment }) }];
    edits.push({ item: addedItem(live, file, block.kept), file, edit, live });
  }
  const projectDefaults = resolveDefaults(loaded.linkDefaults, side);
  const blocks = new Map<Live, NewBlock>();
  for (const live of others) {
    const block = declareBelow(live, projectDefaults);
    if ("problem" in block) problems.set(live, block.problem);
    else blocks.set(live, block);
  }
  const names = new FileNames(loaded.globs, loaded.files);
  const files = filesFor(blocks, split).map(({ name, otherwise, members }) => {
    const kind = members[0]?.live.kind ?? "link";
    const file = names.pathFor(kind, name, otherwise);
    const entries = members.map(({ key, block, kept }) => {
      const comment = keptComment(kept);
      return { key, value: { entries: block }, ...(comment !== null && { comment }) };
    });
    return { file, members, text: newFileText(kind, schemaLine(schema(file)), entries) };
  });
  return {
    texts: new Map(files.map(({ file, text }) => [file, text])),
    edits,
    items: [
      ...files.flatMap(({ file, members }) => members.map(({ live, kept }) => addedItem(live, file, kept))),
      // Objects outside the scope may belong to another project.
      ...[...problems].flatMap(([live, problem]): PulledItem[] => {
        const note = `it cannot be declared: ${problem}`;
        return outsideScope.has(live) ? [] : [{ ...addedItem(live, null, []), what: "skipped", note }];
      }),
    ],
  };
}

/** Live records whose tombstone the pull removes, and records whose rename it reverts. */
function unfinished({ tombstones, staleRecords }: Resolved): Live[] {
  const revived = tombstones.flatMap(({ live, tombstone }) =>
    live === null || isJsonFile(tombstone.place.file) ? [] : [live],
  );
  return [...new Set([...revived, ...staleRecords.map(({ live }) => live)])];
}

function addedItem({ kind, key, identity }: Live, file: string | null, kept: readonly string[]): PulledItem {
  const note = kept.length === 0 ? null : `files cannot express its ${kept.join(", ")}, so the live state is kept`;
  return { what: "added", kind, key, identity, file, note, isStale: false };
}

type NewBlock = Exclude<Declarable, { readonly problem: string }>;

/** The blocks of each new file: one for pixels, and those for links as `split` says. */
function filesFor(
  blocks: ReadonlyMap<Live, NewBlock>,
  split: Split | null,
): { readonly name: string; readonly otherwise: string; readonly members: readonly NewBlock[] }[] {
  const byKind = groupBy([...blocks.keys()], ({ kind }) => kind);
  const pixels = { name: "pixels", otherwise: "pixels", members: byKind.get("pixel") ?? [] };
  return [pixels, ...splitLinks(byKind.get("link") ?? [], split)].flatMap(({ members, ...names }) =>
    members.length === 0 ? [] : [{ ...names, members: members.flatMap((live) => blocks.get(live) ?? []) }],
  );
}

/** The comment above a block with values that no file can express. */
function keptComment(kept: readonly string[]): string | null {
  return kept.length === 0 ? null : `Files cannot express its ${kept.join(", ")}, so the live state is kept.`;
}

/** Records sorted by domain, then by alias or name, ignoring case and accents. It is the same on every machine and in every locale. */
function inOrder(records: readonly Live[]): Live[] {
  return records
    .map((live) => {
      const name = String(live.values.get(KEY_FIELD[live.kind]) ?? "");
      return { live, domain: String(live.values.get(REFERENCE_FIELD.domain) ?? ""), name, folded: fold(name) };
    })
    .toSorted(
      (a, b) =>
        compareText(a.domain, b.domain) ||
        compareText(a.folded, b.folded) ||
        compareText(a.name, b.name) ||
        a.live.id - b.live.id,
    )
    .map(({ live }) => live);
}
