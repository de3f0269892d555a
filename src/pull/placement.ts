// Finds the document and the position in its section for the block of each new record.

import type { DocumentOutline } from "../config/blocks.ts";
import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { comparePlaces, compareText, type Place } from "../domain/place.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Claim } from "../plan/claims.ts";
import { byKey, sortKeyOf, type SortKey } from "./key-order.ts";

/** A new record, and the existing block beside which its block goes. */
export interface Placed {
  readonly live: Live;
  readonly document: DocumentOutline;
  readonly near: { readonly after: Place } | { readonly before: Place };
}

export interface Placements {
  /** In the order in which the blocks must be added: those beside the same block follow one another. */
  readonly placed: readonly Placed[];
  /** Records that no existing document fits. They go into new files. */
  readonly unplaced: readonly Live[];
}

/** A declared block, as far as placement needs it. */
interface SectionBlock {
  readonly key: SortKey;
  readonly place: Place;
}

/**
 * Places records that no file declares. A link goes into the document that declares most links of its domain and space, a pixel
 * into the document with most pixels; the first one wins a tie. If only one document has links, it takes every link. A sorted
 * section stays sorted. Otherwise, the block goes to the end of the section.
 */
export function findPlacements(
  records: readonly Live[],
  claims: readonly Pick<Claim, "desired" | "live">[],
  documents: readonly DocumentOutline[],
): Placements {
  const documentAt = documentFinder(documents);
  const sections = new Map<DocumentOutline, Record<Live["kind"], SectionBlock[]>>();
  const counts = new Map<string, Map<DocumentOutline, number>>();
  for (const { desired, live } of claims) {
    const document = documentAt(desired.place);
    // A block cannot be added beside a link of a family.
    if (document === undefined || desired.family !== undefined) continue;
    const section = sections.get(document) ?? { link: [], pixel: [] };
    sections.set(document, section);
    section[desired.kind].push({ key: sortKeyOf(desired), place: desired.place });
    const group = groupOf(live ?? desired);
    const count = counts.get(group) ?? new Map<DocumentOutline, number>();
    counts.set(group, count.set(document, (count.get(document) ?? 0) + 1));
  }
  const fitting = new Map([...counts].map(([group, count]) => [group, fullest(count, documents)]));
  const [onlyDocument = null, ...others] = documents.filter((one) => (sections.get(one)?.link.length ?? 0) > 0);
  const documentFor = (live: Live): DocumentOutline | null =>
    fitting.get(groupOf(live)) ?? (live.kind === "link" && others.length === 0 ? onlyDocument : null);
  const byDocument = groupBy(records, documentFor);
  const placed = documents.flatMap((document) => {
    const byKind = groupBy(byDocument.get(document) ?? [], ({ kind }) => kind);
    return [...byKind].flatMap(([kind, added]) =>
      placeInSection(added, sections.get(document)?.[kind] ?? []).map((one) => ({ ...one, document })),
    );
  });
  return { placed, unplaced: byDocument.get(null) ?? [] };
}

/** Records of one group belong together: pixels, or links of one domain and space. */
function groupOf({ kind, values }: Pick<Live, "kind" | "values">): string {
  if (kind === "pixel") return kind;
  const valueOf = (path: string): unknown => values.get(path) ?? null;
  return JSON.stringify([valueOf(REFERENCE_FIELD.domain), valueOf(REFERENCE_FIELD.space)]);
}

function fullest(
  counts: ReadonlyMap<DocumentOutline, number>,
  documents: readonly DocumentOutline[],
): DocumentOutline | null {
  const countOf = (one: DocumentOutline | null): number => (one === null ? 0 : (counts.get(one) ?? 0));
  return documents.reduce<DocumentOutline | null>((best, one) => (countOf(one) > countOf(best) ? one : best), null);
}

/** Finds the document that contains a place. */
function documentFinder(documents: readonly DocumentOutline[]): (place: Place) => DocumentOutline | undefined {
  const byFile = groupBy(documents, ({ file }) => file);
  return (place) => byFile.get(place.file)?.findLast((document) => comparePlaces(document.place, place) <= 0);
}

type Compare = (a: SortKey, b: SortKey) => number;

/** Places records in a section with at least one block. */
function placeInSection(records: readonly Live[], section: readonly SectionBlock[]): Pick<Placed, "live" | "near">[] {
  const blocks = section.toSorted((a, b) => comparePlaces(a.place, b.place));
  const domains = [...new Set(blocks.flatMap(({ key }) => key.domain ?? []))];
  const order = sortOrders(domains).find((compare) => isSorted(blocks, compare));
  const compare = order ?? byKey(domains);
  const sorted = records
    .map((live) => ({ live, key: sortKeyOf(live) }))
    .toSorted((a, b) => compare(a.key, b.key) || byKey()(a.key, b.key) || a.live.id - b.live.id);
  let index = 0;
  return sorted.flatMap(({ live, key }): Pick<Placed, "live" | "near">[] => {
    const isBefore = (block: SectionBlock): boolean => order === undefined || order(block.key, key) <= 0;
    let next = blocks[index];
    while (next !== undefined && isBefore(next)) next = blocks[(index += 1)];
    const last = blocks[index - 1];
    if (last !== undefined) return [{ live, near: { after: last.place } }];
    return next === undefined ? [] : [{ live, near: { before: next.place } }];
  });
}

/** The orders in which people sort: by domain and alias, or by alias. */
function sortOrders(domains: readonly string[]): Compare[] {
  return [byKey(domains), (a, b) => compareText(a.folded, b.folded)];
}

function isSorted(blocks: readonly SectionBlock[], compare: Compare): boolean {
  return blocks.every(({ key }, index) => {
    const last = blocks[index - 1];
    return last === undefined || compare(last.key, key) <= 0;
  });
}
