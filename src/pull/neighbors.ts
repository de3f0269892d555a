// Where new rows go in files that are there already: among the blocks that are most like them, in the order that those have.

import type { DocumentOutline } from "../config/outline.ts";
import type { Live } from "../domain/change.ts";
import { comparePlaces, type Place } from "../domain/place.ts";
import type { Claim } from "../plan/claims.ts";
import { groupBy } from "../domain/collections.ts";
import { PlacementModel } from "./placement.ts";
import { blockOf, FileSection, type SectionBlock, type Near } from "./section.ts";
import type { Split } from "./split.ts";

/** A new row, and where its block goes. */
export interface Placed {
  readonly live: Live;
  readonly document: DocumentOutline;
  readonly near: Near;
}

/** Where new rows go. */
export interface Placements {
  /** In the order in which they are put in: what is near the same block follows one another so, before it or behind it. */
  readonly placed: readonly Placed[];
  /** Those that nothing in the files is like: they go into new ones. */
  readonly homeless: readonly Live[];
  /** How the files that are there are cut, for new ones; null where that can't be seen. */
  readonly split: Split | null;
}

/**
 * Finds a home for rows that no file declares, beside those that are declared. A link goes where most is like it: its domain, its
 * space, what its alias begins with; a pixel where most pixels are. It stands behind the greatest key that is smaller than its own
 * if the blocks there are sorted, in whatever order people sort, else in its family, else behind the last block.
 */
export function findPlacements(
  rows: readonly Live[],
  claims: readonly Pick<Claim, "desired" | "live">[],
  documents: readonly DocumentOutline[],
): Placements {
  const blocks = new Map<DocumentOutline, Record<Live["kind"], SectionBlock[]>>();
  const kinship = new PlacementModel();
  const documentAt = finder(documents);
  for (const { desired, live } of claims) {
    const document = documentAt(desired.place);
    if (document === undefined) continue;
    const here = blocks.get(document) ?? { link: [], pixel: [] };
    blocks.set(document, here);
    here[desired.kind].push(blockOf(desired));
    if (desired.kind === "link") kinship.add(document, (live ?? desired).values);
  }
  const ofPixels = documents.reduce<DocumentOutline | null>(
    (best, one) => (pixelsIn(blocks, one) > pixelsIn(blocks, best) ? one : best),
    null,
  );
  const homeOf = (live: Live): DocumentOutline | null =>
    live.kind === "pixel" ? ofPixels : kinship.documentFor(live.values);
  const groups = groupBy(rows, homeOf);
  const placed = documents.flatMap((document) => {
    const here = groupBy(groups.get(document) ?? [], ({ kind }) => kind);
    return [...here].flatMap(([kind, added]) => {
      const section = new FileSection(blocks.get(document)?.[kind] ?? []);
      return section.place(added).map(({ live, near }) => ({ live, document, near }));
    });
  });
  return { placed, homeless: groups.get(null) ?? [], split: kinship.split };
}

function pixelsIn(
  blocks: ReadonlyMap<DocumentOutline, { readonly pixel: unknown[] }>,
  one: DocumentOutline | null,
): number {
  return one === null ? 0 : (blocks.get(one)?.pixel.length ?? 0);
}

/** Tells which document something stands in. */
function finder(documents: readonly DocumentOutline[]): (place: Place) => DocumentOutline | undefined {
  const byFile = groupBy(documents, ({ file }) => file);
  return (place) => byFile.get(place.file)?.findLast((document) => comparePlaces(document.place, place) <= 0);
}
