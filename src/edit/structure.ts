// Adds blocks and tombstones to the sections of a file, and creates missing sections.

import { isMap, isScalar, isSeq } from "yaml";
import { sourceOf } from "../config/yaml.ts";
import type { Changes, Spot } from "./changes.ts";
import { endOfLines, hasOwnLines, startWithComments } from "./layout.ts";
import { commentLine, type FreshEntry, type FreshItem, type FreshMap, inlineText } from "./fresh.ts";
import type { TextLines } from "./lines.ts";
import { ABSENT, itemAt, rootsOf } from "./sections.ts";
import type { Collection, CollectionItem, Syntax } from "./syntax.ts";
import type { Slot, ValueWriter } from "./values.ts";

/** A new block is written on one line like its neighbor, unless the line would be longer than this. */
const MAX_LINE_LENGTH = 120;

export class Structure {
  readonly #syntax: Syntax;
  readonly #changes: Changes;
  readonly #values: ValueWriter;
  readonly #lines: TextLines;
  readonly roots: readonly (Collection | null)[];
  /** Content for a file without any document. */
  tail: FreshMap | null = null;
  /** Comments of entries in braces, which cannot have comments, with the offset above which they go. */
  readonly above: { readonly at: number; readonly lines: readonly string[] }[] = [];

  constructor(syntax: Syntax, changes: Changes, values: ValueWriter, lines: TextLines) {
    this.#syntax = syntax;
    this.#changes = changes;
    this.#values = values;
    this.#lines = lines;
    this.roots = rootsOf(syntax);
  }

  /** Adds a block at a spot, or at the end of a section. */
  addBlock(section: string, entry: FreshEntry, spot: Spot | null): void {
    if (spot !== null && spot.item !== null) {
      this.#addAt(spot.item.of, entry, { item: spot.item, side: spot.side });
      return;
    }
    const root =
      this.roots.findLast((one) => itemAt(one, section) !== undefined) ?? this.roots.findLast((one) => one !== null);
    const slot = this.#section(root ?? null, section);
    const collection = this.#collectionOf(slot);
    if (collection === null) this.#values.addEntry(slot, entry, null);
    else this.#addAt(collection, entry, { item: collection.items.at(-1) ?? null, side: "after" });
  }

  #addAt(collection: Collection, entry: FreshEntry, spot: Spot): void {
    const pattern = spot.item?.value;
    const isInline = isMap(pattern) && pattern.flow === true && entry.value.type === "map";
    const line = isInline ? `${entry.key}: ${inlineText(entry.value, false)}` : "";
    const value =
      isInline && line.length < MAX_LINE_LENGTH && entry.value.type === "map"
        ? { ...entry.value, inline: true }
        : entry.value;
    const fresh = { ...entry, value, comments: this.#commentsAt(collection, entry.comments, spot.item) };
    this.#changes.add(collection, { spot, fresh, isSpaced: true });
  }

  /** Removes a block, and adds its tombstone below `absent` with its comments. */
  addTombstone(item: CollectionItem, section: string, key: string, id: number | null): void {
    const comments = this.#commentsOf(item);
    this.#changes.remove(item, "with comments above");
    this.#tombstone(item, section, key, id, comments);
  }

  /** Adds a tombstone below `absent`, in the document of a block that stays. */
  addTombstoneBeside(item: CollectionItem, section: string, key: string, id: number | null): void {
    this.#tombstone(item, section, key, id, []);
  }

  #tombstone(item: CollectionItem, section: string, key: string, id: number | null, comments: readonly string[]): void {
    let root = item.of;
    while (root.parent !== null) root = root.parent.of;
    const absent = this.#section(root, ABSENT);
    const named: FreshEntry = { key, value: id === null ? { type: "nothing" } : idOf(id), comments };
    const listed: FreshItem = {
      value:
        id === null
          ? { type: "scalar", value: key }
          : { type: "map", entries: [{ ...named, comments: [] }], inline: false },
      comments,
    };
    const slot = this.#values.child(absent, section);
    const collection = slot === null ? null : this.#collectionOf(slot);
    if (collection !== null && collection.items.length > 0) {
      const isList = isSeq(collection.node);
      const fresh = isList ? listed : named;
      const last = collection.items.at(-1) ?? null;
      const kept = { ...fresh, comments: this.#commentsAt(collection, comments, last) };
      this.#changes.add(collection, { spot: { item: last, side: "after" }, fresh: kept, isSpaced: true });
      return;
    }
    const above = this.#commentsAt(this.#collectionFor(absent) ?? root, comments, null);
    const at = slot ?? this.#values.childOrNew(absent, section, null);
    this.#values.addTombstone(at, { named: { ...named, comments: above }, listed: { ...listed, comments: above } });
  }

  /** A section of a document, created if it is missing. */
  #section(root: Collection | null, name: string): Slot {
    if (root === null) {
      this.tail ??= { type: "map", entries: [], inline: false };
      const known = this.tail.entries.find(({ key }) => key === name);
      const fresh: FreshEntry = known ?? { key: name, value: { type: "nothing" }, comments: [] };
      if (known === undefined) this.tail.entries.push(fresh);
      return { fresh };
    }
    const item = itemAt(root, name);
    if (item !== undefined) return { item };
    const added = this.#changes.in(root)?.added.find(({ fresh }) => fresh.key === name);
    if (added !== undefined) return { fresh: added.fresh };
    const fresh: FreshEntry = { key: name, value: { type: "nothing" }, comments: [] };
    this.#values.addTo(root, fresh, null, true);
    return { fresh };
  }

  /** The existing map or list of a slot; null if it is replaced or empty. */
  #collectionOf(slot: Slot): Collection | null {
    if (!("item" in slot) || this.#changes.in(slot.item.of)?.values.has(slot.item) === true) return null;
    const collection = this.#syntax.collectionAt(slot.item);
    return collection === null || collection.items.length === 0 ? null : collection;
  }

  /** The collection that receives additions to a slot. */
  #collectionFor(slot: Slot): Collection | null {
    return "item" in slot ? (this.#syntax.collectionAt(slot.item) ?? slot.item.of) : null;
  }

  /** The comments for an addition. Inside of braces, they go above the line on which the braces begin. */
  #commentsAt(collection: Collection, comments: readonly string[], beside: CollectionItem | null): readonly string[] {
    if (!collection.isFlow || comments.length === 0) return comments;
    if (beside !== null && hasOwnLines(beside, this.#lines)) return comments;
    let at = collection;
    while (at.parent !== null) {
      const { parent } = at;
      if (!parent.of.isFlow && this.#lines.beginsLine(parent.start)) {
        this.#changes.addComments(parent, comments);
        return [];
      }
      at = parent.of;
    }
    this.above.push({ at: this.#lines.start(at.node.range?.[0] ?? 0), lines: comments });
    return [];
  }

  /** The `note` of a block, which a tombstone keeps as a comment. */
  #noteOf(item: CollectionItem): { readonly at: number; readonly text: string }[] {
    const note = itemAt(this.#syntax.collectionAt(item), "note");
    if (!isScalar(note?.value) || note.value.value === null) return [];
    const lines = sourceOf(note.value)
      .split("\n")
      .filter((line) => line.trim() !== "");
    return lines.map((line) => ({ at: note.start, text: commentLine(line.trim()) }));
  }

  /** The comments that move with a block. */
  #commentsOf(item: CollectionItem): string[] {
    const isOwnLines = !item.of.isFlow || hasOwnLines(item, this.#lines);
    const start = item.of.isFlow ? item.start : startWithComments(this.#lines, item);
    const end = item.of.isFlow ? (isOwnLines ? this.#lines.end(item.end) : item.end) : endOfLines(this.#lines, item);
    const comments = this.#syntax.comments.flatMap((one) =>
      one.start >= start && one.start < end
        ? [{ at: one.start, text: this.#lines.text.slice(one.start, one.end).trimEnd() }]
        : [],
    );
    const all = [...comments, ...this.#noteOf(item)].toSorted((a, b) => a.at - b.at);
    return all.map(({ text }) => text);
  }
}

function idOf(id: number): FreshMap {
  return { type: "map", entries: [{ key: "id", value: { type: "scalar", value: id }, comments: [] }], inline: true };
}
