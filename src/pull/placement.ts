// Finds the document for the block of each new record.

import type { DocumentOutline } from "../config/blocks.ts";
import { isJsonFile } from "../config/json.ts";
import type { Live } from "../domain/change.ts";
import { groupBy } from "../domain/collections.ts";
import { comparePlaces, type Place } from "../domain/place.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import type { Claim } from "../plan/claims.ts";

type DocumentFinder = (place: Place) => DocumentOutline | undefined;

export function documentFinder(documents: readonly DocumentOutline[]): DocumentFinder {
  const byFile = groupBy(documents, ({ file }) => file);
  return (place) => byFile.get(place.file)?.findLast((document) => comparePlaces(document.place, place) <= 0);
}

interface Block {
  readonly document: DocumentOutline;
  readonly place: Place;
  readonly isLink: boolean;
  readonly group: string;
}

/**
 * Finds the document for a record that no file declares, by one of its blocks; undefined if none fits. A link goes into the document that
 * declares most links of its domain and space, a pixel into the document with most pixels; the first one wins a tie. If only one document
 * has links, it takes every link.
 */
export function placeFinder(
  claims: readonly Pick<Claim, "desired" | "live">[],
  documentAt: DocumentFinder,
): (live: Live) => Place | undefined {
  const blocks = claims
    .toSorted((a, b) => comparePlaces(a.desired.place, b.desired.place))
    .flatMap(({ desired, live }): Block[] => {
      const { place, kind, family } = desired;
      const document = family === undefined && !isJsonFile(place.file) ? documentAt(place) : undefined;
      return document === undefined
        ? []
        : [{ document, place, isLink: kind === "link", group: groupOf(live ?? desired) }];
    });
  const places = new Map([...groupBy(blocks, ({ group }) => group)].map(([group, own]) => [group, firstOfMost(own)]));
  const [first, ...others] = blocks.filter(({ isLink }) => isLink);
  const isOnly = others.every(({ document }) => document === first?.document);
  return (live) => places.get(groupOf(live)) ?? (live.kind === "link" && isOnly ? first?.place : undefined);
}

/** The first place in the document that has most of these blocks. */
function firstOfMost(blocks: readonly Block[]): Place | undefined {
  const [most] = [...groupBy(blocks, ({ document }) => document).values()].toSorted((a, b) => b.length - a.length);
  return most?.[0]?.place;
}

/** Records of one group belong together: pixels, or links of one domain and space. */
function groupOf({ kind, values }: Pick<Live, "kind" | "values">): string {
  if (kind === "pixel") return kind;
  const valueOf = (path: string): unknown => values.get(path) ?? null;
  return JSON.stringify([valueOf(REFERENCE_FIELD.domain), valueOf(REFERENCE_FIELD.space)]);
}
