// The sections of a file, with their blocks and tombstones.

import { isMap, isScalar } from "yaml";
import { SECTION } from "../domain/table.ts";
import type { Collection, CollectionItem, Syntax } from "./syntax.ts";

export const ABSENT = "absent";

const FAMILIES = "families";

const SECTIONS: readonly string[] = [...Object.values(SECTION), FAMILIES, ABSENT];

/** The role of an item: a section (also below `absent`), a block, or anything else. */
export function rankOf({ name, of: { parent } }: CollectionItem): "section" | "block" | "other" {
  if (parent === null) return name !== null && SECTIONS.includes(name) ? "section" : "other";
  if (parent.of.parent !== null) return "other";
  if (parent.name === ABSENT) return "section";
  return parent.name !== null && SECTIONS.includes(parent.name) ? "block" : "other";
}

/** The top-level map of each document; null for an empty document. */
export function rootsOf(syntax: Syntax): (Collection | null)[] {
  return syntax.roots.map((node) => (isMap(node) ? syntax.collection(node, null) : null));
}

export function itemAt(collection: Collection | null, name: string): CollectionItem | undefined {
  return collection?.items.find((item) => item.name === name);
}

function sectionAt(syntax: Syntax, collection: Collection | null, name: string): Collection | null {
  const item = itemAt(collection, name);
  return item === undefined ? null : syntax.collectionAt(item);
}

/** Blocks, families and tombstones by the offset of their keys. */
export function itemsByKey(syntax: Syntax): ReadonlyMap<number, CollectionItem> {
  const found = new Map<number, CollectionItem>();
  const note = (item: CollectionItem): void => {
    const at = item.key?.range?.[0] ?? (isScalar(item.value) ? item.value.range?.[0] : undefined);
    if (at !== undefined) found.set(at, item);
  };
  for (const root of rootsOf(syntax)) {
    for (const item of valuesIn(syntax, itemAt(root, FAMILIES))) note(item);
    const tombstones = sectionAt(syntax, root, ABSENT);
    for (const name of Object.values(SECTION)) {
      for (const item of valuesIn(syntax, itemAt(root, name))) note(item);
      for (const item of valuesIn(syntax, itemAt(tombstones, name))) {
        if (isMap(item.value) && item.key === null) for (const inner of valuesIn(syntax, item)) note(inner);
        else note(item);
      }
    }
  }
  return found;
}

function valuesIn(syntax: Syntax, item: CollectionItem | undefined): readonly CollectionItem[] {
  return item === undefined ? [] : (syntax.collectionAt(item)?.items ?? []);
}
