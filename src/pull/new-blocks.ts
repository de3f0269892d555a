// Declares undeclared live records, in blocks of existing files or in new files, and finds the document for each.

import type { DocumentOutline } from "../config/blocks.ts";
import { isJsonFile } from "../config/json.ts";
import type { Loaded } from "../config/load.ts";
import type { PathTree } from "../files/follow.ts";
import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { comparePlaces, compareText, type Place } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { KEY_FIELD, REFERENCE_FIELD, SECTION } from "../domain/table.ts";
import { declare, undeclarable, type Declarable, type DeclaredLive as Declared } from "../edit/declare.ts";
import { documentFinder } from "../edit/outline.ts";
import type { Edit } from "../edit/writer.ts";
import type { NewBlock } from "../edit/yaml-text.ts";
import type { Resolved } from "../plan/resolve.ts";
import { resolveScope } from "../plan/scope.ts";
import { newFileText, newPaths, resourceSchemaLine } from "./new-files.ts";
import { unclaimed, type PullContext, type PulledItem } from "./declared-blocks.ts";

/** One file for each domain, for each space, or for all links. */
export type Split = "domain" | "space" | "file";

export interface NewBlockInput {
  readonly loaded: Loaded & { readonly project: Project };
  readonly source: PathTree;
  /** The part of the project that is pulled. */
  readonly resolved: Resolved;
  /** The complete project, because new blocks can go beside any of its blocks. */
  readonly wholeProject: Resolved;
  /** Live records whose block has another key. */
  readonly known: ReadonlySet<Live>;
  readonly pulling: PullContext;
  /** Null: depends on the links. */
  readonly split: Split | null;
}

/** Declares selected live records that no file names. Throws a user error if no glob matches a new file. */
export function declareNew(input: NewBlockInput): {
  readonly texts: ReadonlyMap<string, string>;
  readonly items: readonly PulledItem[];
} {
  const { loaded, source, resolved, wholeProject, known, pulling, split } = input;
  const { side, tombstones, staleRecords } = resolved;
  // If several records have a declared key, the user must decide. The plan reports it.
  const declaredKeys = new Set(resolved.desired.map(({ identity }) => identity));
  // The pull also removes tombstones of live records, and reverts unfinished renames.
  const revived = [...tombstones, ...staleRecords].flatMap(({ live }) => live ?? []);
  const records = [...new Set([...unclaimed(resolved), ...revived])].filter(
    (live) => pulling.wants(live) && !known.has(live) && !declaredKeys.has(live.identity),
  );
  const scope = resolveScope(loaded.project.policy.scope, side);
  const outsideScope = new Set(records.filter(({ kind, values }) => scope?.has(kind, values) === false));
  const problems = undeclarable(records, outsideScope, resolved.live);
  const declareAt = (live: Live, place?: Place): Declarable =>
    declare(live, { ...resolved, ...pulling, defaults: pulling.defaultsAt(place) });
  const placeOf = placeFinder(wholeProject.claims, loaded.documents);
  const items: PulledItem[] = [];
  const blocks: Declared[] = [];
  for (const live of inOrder(records.filter((one) => !problems.has(one)))) {
    const beside = placeOf(live);
    const fitting = declareAt(live, beside);
    // New files get records that fit no document, and those that cannot be declared below the defaults of their document.
    const block = beside !== undefined && "problem" in fitting ? declareAt(live) : fitting;
    if ("problem" in block) problems.set(live, block.problem);
    else if (beside === undefined || block !== fitting) blocks.push(block);
    else items.push(addedItem(block, beside.file, (file) => file.add(live.kind, blockOf(block), beside)));
  }
  const newPath = newPaths(loaded.globs, loaded.files, (path) => source.entry(path.split("/")) !== null);
  const projectText = loaded.texts.get(loaded.project.file) ?? "";
  const texts = new Map<string, string>();
  for (const [name, members] of filesFor(blocks, split)) {
    const kind = members[0]?.live.kind ?? "link";
    const file = newPath(kind, name || "no-space");
    texts.set(file, newFileText(kind, resourceSchemaLine(projectText, file), members.map(blockOf)));
    for (const one of members) items.push(addedItem(one, file));
  }
  for (const [live, problem] of problems) {
    const note = `it cannot be declared: ${problem}`;
    // Objects outside the scope may belong to another project.
    if (!outsideScope.has(live)) items.push({ ...addedItem({ live, kept: [] }, null), what: "skipped", note });
  }
  return { texts, items };
}

function addedItem({ live, kept }: Pick<Declared, "live" | "kept">, file: string | null, edit?: Edit): PulledItem {
  const { kind, key, identity } = live;
  const note = kept.length === 0 ? null : `files cannot express its ${kept.join(", ")}, so the live state is kept`;
  return { what: "added", kind, key, identity, file, note, edit, live };
}

function blockOf({ key, block: entries, kept }: Declared): NewBlock {
  const comment = `Files cannot express its ${kept.join(", ")}, so the live state is kept.`;
  return { key, value: { entries }, ...(kept.length > 0 && { comment }) };
}

/** Sorted by name: one file for pixels, and for links one for each domain if there are several, or as `split` says. */
function filesFor(blocks: readonly Declared[], split: Split | null): [name: string, members: readonly Declared[]][] {
  const links = blocks.filter(({ live }) => live.kind === "link");
  const pixels = blocks.filter(({ live }) => live.kind === "pixel");
  const domains = new Set(links.map(({ live }) => live.values.get(REFERENCE_FIELD.domain)));
  const by = split ?? (domains.size > 1 ? "domain" : "file");
  const nameOf = ({ live }: Declared): string =>
    by === "file" ? SECTION.link : String(live.values.get(REFERENCE_FIELD[by]) ?? "");
  const groups = [...groupBy(links, nameOf)].toSorted(([a], [b]) => compareText(a, b));
  return pixels.length === 0 ? groups : [[SECTION.pixel, pixels], ...groups];
}

/** Sorted by domain, then by alias or name, ignoring case and accents. It is the same on every machine and in every locale. */
function inOrder(records: readonly Live[]): Live[] {
  const keyed = records.map((live): [key: string, live: Live] => {
    const name = String(live.values.get(KEY_FIELD[live.kind]) ?? "");
    return [[live.values.get(REFERENCE_FIELD.domain) ?? "", fold(name), name].join("\0"), live];
  });
  return keyed.toSorted(([a, one], [b, other]) => compareText(a, b) || one.id - other.id).map(([, live]) => live);
}

/**
 * Finds the document for a record that no file declares, by one of its blocks; undefined if none fits. A link goes into the document that
 * declares most links of its domain and space, a pixel into the document with most pixels; the first one wins a tie. If only one document
 * has links, it takes every link.
 */
function placeFinder(
  claims: Resolved["claims"],
  documents: readonly DocumentOutline[],
): (live: Live) => Place | undefined {
  const documentAt = documentFinder(documents);
  const blocks = claims
    .flatMap(({ desired, live }) => {
      const { place, kind, family } = desired;
      if (family !== undefined || isJsonFile(place.file)) return [];
      return [{ document: documentAt(place), place, kind, group: groupOf(live ?? desired) }];
    })
    .toSorted((a, b) => comparePlaces(a.place, b.place));
  const places = new Map<string, Place | undefined>();
  for (const [group, own] of groupBy(blocks, (one) => one.group)) {
    const [most] = [...groupBy(own, ({ document }) => document).values()].toSorted((a, b) => b.length - a.length);
    places.set(group, most?.[0]?.place);
  }
  const [first, ...others] = blocks.filter(({ kind }) => kind === "link");
  const isOnly = others.every(({ document }) => document === first?.document);
  return (live) => places.get(groupOf(live)) ?? (live.kind === "link" && isOnly ? first?.place : undefined);
}

/** Pixels belong together, and links of one domain and space. */
function groupOf({ kind, values }: Pick<Live, "kind" | "values">): string {
  if (kind === "pixel") return kind;
  const valueOf = (path: string): unknown => values.get(path) ?? null;
  return JSON.stringify([valueOf(REFERENCE_FIELD.domain), valueOf(REFERENCE_FIELD.space)]);
}
