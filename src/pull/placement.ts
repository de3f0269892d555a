// Finds the document for the block of each new record.

import type { DocumentOutline } from "../config/blocks.ts";
import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { comparePlaces, type Place } from "../domain/place.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Claim } from "../plan/claims.ts";

/** The blocks of a document with one kind of records. */
interface Blocks {
  readonly document: DocumentOutline;
  readonly first: Place;
  count: number;
}

/**
 * Finds the document for a record that no file declares; undefined if none fits. A link goes into the document that declares most links of
 * its domain and space, a pixel into the document with most pixels; the first one wins a tie. If only one document has links, it takes
 * every link.
 */
export function placeFinder(
  claims: readonly Pick<Claim, "desired" | "live">[],
  documents: readonly DocumentOutline[],
): (live: Live) => Blocks | undefined {
  const documentAt = documentFinder(documents);
  const groups = new Map<string, Blocks[]>();
  const add = (group: string, document: DocumentOutline, place: Place): void => {
    const all = groups.get(group) ?? [];
    groups.set(group, all);
    const last = all.at(-1);
    // The claims of a document follow one another.
    if (last?.document === document) last.count += 1;
    else all.push({ document, first: place, count: 1 });
  };
  for (const { desired, live } of claims.toSorted((a, b) => comparePlaces(a.desired.place, b.desired.place))) {
    const document = documentAt(desired.place);
    if (document === undefined || desired.family !== undefined) continue;
    add(groupOf(live ?? desired), document, desired.place);
    if (desired.kind === "link") add(ALL_LINKS, document, desired.place);
  }
  const [only, ...others] = groups.get(ALL_LINKS) ?? [];
  return (live) => {
    const fitting = groups.get(groupOf(live))?.reduce((best, one) => (one.count > best.count ? one : best));
    return fitting ?? (live.kind === "link" && others.length === 0 ? only : undefined);
  };
}

const ALL_LINKS = "all links";

/** Records of one group belong together: pixels, or links of one domain and space. */
function groupOf({ kind, values }: Pick<Live, "kind" | "values">): string {
  if (kind === "pixel") return kind;
  const valueOf = (path: string): unknown => values.get(path) ?? null;
  return JSON.stringify([valueOf(REFERENCE_FIELD.domain), valueOf(REFERENCE_FIELD.space)]);
}

/** Finds the document that contains a place. */
function documentFinder(documents: readonly DocumentOutline[]): (place: Place) => DocumentOutline | undefined {
  const byFile = groupBy(documents, ({ file }) => file);
  return (place) => byFile.get(place.file)?.findLast((document) => comparePlaces(document.place, place) <= 0);
}
