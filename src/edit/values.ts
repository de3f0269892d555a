// Making what stands below a key say something else, with the fewest changes; what has not been written yet is changed as well.

import { isAlias, isMap, isSeq } from "yaml";
import type { Block, YamlContent } from "./yaml-text.ts";
import type { Changes } from "./changes.ts";
import { freshCopy, freshOf, isBlock, type Fresh, type FreshEntry, type FreshItem, type FreshMap } from "./fresh.ts";
import { positionAmong, spotAmong } from "./order.ts";
import { listSteps, says, saysScalar } from "./same.ts";
import type { Collection, SequenceItem, Syntax } from "./syntax.ts";

/** A key and what stands below it: in the text, or to be written. */
export type Slot = { readonly item: SequenceItem } | { readonly fresh: FreshItem };

export class ValueWriter {
  readonly #syntax: Syntax;
  readonly #changes: Changes;

  constructor(syntax: Syntax, changes: Changes) {
    this.#syntax = syntax;
    this.#changes = changes;
  }

  /** What stands below a key of a slot; null where nothing does. Values behind an alias are read, but can't be changed. */
  child(slot: Slot, name: string): Slot | null {
    const fresh = this.#freshAt(slot);
    if (fresh !== null) {
      const entry = fresh.type === "map" ? fresh.entries.find(({ key }) => key === name) : undefined;
      return entry === undefined ? null : { fresh: entry };
    }
    const collection = this.#collectionAt(slot);
    if (collection === null) {
      const copy = "item" in slot && isAlias(slot.item.value) ? this.#copyOf(slot.item) : null;
      const entry = copy?.type === "map" ? copy.entries.find(({ key }) => key === name) : undefined;
      return entry === undefined ? null : { fresh: entry };
    }
    const change = this.#changes.in(collection);
    const item = collection.items.find((one) => one.name === name);
    if (item !== undefined && change?.removed.has(item) !== true) return { item };
    const added = change?.added.find((one) => one.fresh.key === name);
    return added === undefined ? null : { fresh: added.fresh };
  }

  /** The slot below a key, which is made where it is missing: a map that is not there, or something else, becomes an empty one. */
  childOrNew(slot: Slot, name: string, order: readonly string[] | null): Slot {
    this.#makeMap(slot);
    const known = this.child(slot, name);
    if (known !== null) return known;
    const entry: FreshEntry = { key: name, value: { type: "nothing" }, comments: [] };
    this.addEntry(slot, entry, order);
    return { fresh: entry };
  }

  /** Makes a slot say this. `isSet`: of a list, the order means nothing. */
  assign(slot: Slot, content: YamlContent, isSet = false): void {
    if ("fresh" in slot || this.#freshAt(slot) !== null) return this.#write(slot, freshOf(content));
    const { item } = slot;
    if (says(item.value, content, (node) => this.#syntax.resolved(node), isSet)) return;
    const collection = this.#syntax.collectionAt(item);
    if (content !== null && typeof content === "object" && collection !== null) {
      const isEmpty = collection.items.length === 0;
      if (isBlock(content) && isMap(collection.node) && !isEmpty && content.entries.length > 0)
        return this.#merge(item, collection, content);
      if (!isBlock(content) && isSeq(collection.node) && !isEmpty && content.length > 0)
        return this.#mergeList(collection, isSet ? inOrderOf(collection, content) : content);
    }
    this.#write(slot, freshOf(content));
  }

  /** Adds an entry to a map: behind the last one that comes before it in `order`, before the first that comes after it, or last. */
  addEntry(slot: Slot, entry: FreshEntry, order: readonly string[] | null): void {
    this.#makeMap(slot);
    const fresh = this.#freshAt(slot);
    if (fresh?.type === "map") {
      const names = fresh.entries.map(({ key }) => key);
      const spot = positionAmong(names, entry.key, order);
      fresh.entries.splice(spot.side === "after" ? spot.index + 1 : spot.index, 0, entry);
      return;
    }
    const collection = this.#collectionAt(slot);
    if (collection !== null) this.addTo(collection, entry, order, false);
  }

  /** The same for a map of the text. */
  addTo(collection: Collection, entry: FreshEntry, order: readonly string[] | null, isSpaced: boolean): void {
    const { spot, added } = spotAmong(collection, this.#changes.in(collection), entry.key, order);
    this.#changes.add(collection, { spot, fresh: entry, isSpaced }, added);
  }

  #merge(item: SequenceItem, { items }: Collection, { entries }: Block): void {
    const wanted = new Map(entries.map((entry) => [entry.key, entry]));
    const gone = items.filter(({ name }) => name === null || !wanted.has(name));
    const missing = entries.filter(({ key }) => !items.some(({ name }) => name === key));
    for (const one of gone) this.#changes.remove(one, "alone");
    for (const one of items) {
      const entry = one.name === null ? undefined : wanted.get(one.name);
      if (entry !== undefined) this.assign({ item: one }, entry.value);
    }
    const order = entries.map(({ key }) => key);
    for (const { key, value, comment } of missing) {
      const [fresh] = freshEntries({ key, value, ...(comment === undefined ? {} : { comment }) });
      if (fresh !== undefined) this.addEntry({ item }, fresh, order);
    }
  }

  #mergeList(collection: Collection, content: readonly string[]): void {
    const { items } = collection;
    const isSame = (from: number, to: number): boolean => saysScalar(items[from]?.value ?? null, content[to] ?? "");
    let last: SequenceItem | null = null;
    for (const { from, to } of listSteps(items.length, content.length, isSame)) {
      const item = from === null ? undefined : items[from];
      const text = to === null ? undefined : content[to];
      if (item !== undefined && text === undefined) this.#changes.remove(item, "alone");
      else if (item !== undefined && text !== undefined) this.assign({ item }, text);
      else if (text !== undefined) {
        const spot =
          last === null ? { item: items[0] ?? null, side: "before" as const } : { item: last, side: "after" as const };
        this.#changes.add(collection, { spot, fresh: { value: freshOf(text), comments: [] }, isSpaced: false });
      }
      last = item ?? last;
    }
  }

  #freshAt(slot: Slot): Fresh | null {
    if ("fresh" in slot) return slot.fresh.value;
    return this.#changes.in(slot.item.of)?.values.get(slot.item) ?? null;
  }

  #collectionAt(slot: Slot): Collection | null {
    return "item" in slot ? this.#syntax.collectionAt(slot.item) : null;
  }

  #copyOf(item: SequenceItem): Fresh {
    return freshCopy(item.value, (node) => this.#syntax.resolved(node));
  }

  /** Takes out what stands below a key, and the map that has nothing else; the slot itself stays. */
  drop(slot: Slot, [name, ...path]: readonly string[]): void {
    const inner = name === undefined ? null : this.child(slot, name);
    if (name === undefined || inner === null) return;
    if (path.length > 0) {
      if (this.#isBehindAlias(inner) && this.childAt(inner, path) !== null) this.#makeMap(inner);
      this.drop(inner, path);
      const fresh = this.#freshAt(inner);
      if (fresh?.type !== "map" || fresh.entries.length > 0) return;
    }
    const fresh = this.#freshAt(slot);
    const collection = this.#collectionAt(slot);
    if (fresh?.type === "map") {
      const at = fresh.entries.findIndex(({ key }) => key === name);
      if (at >= 0) fresh.entries.splice(at, 1);
    } else if (collection !== null) {
      this.#changes.withdraw(collection, "item" in inner ? inner.item : inner.fresh);
      if ("item" in inner) this.#changes.remove(inner.item, "alone");
    }
  }

  /** What stands at a path below a slot; null where nothing does. */
  childAt(slot: Slot, path: readonly string[]): Slot | null {
    let at: Slot | null = slot;
    for (const name of path) at = at && this.child(at, name);
    return at;
  }

  /** Whether an alias stands on the way to a path: what is behind it can be read, and changed only when it is written out. */
  isBelowAlias(slot: Slot, path: readonly string[]): boolean {
    return path.some((_, index) => {
      const at = index === 0 ? null : this.childAt(slot, path.slice(0, index));
      return at !== null && this.#isBehindAlias(at);
    });
  }

  /** Writes out what stands behind aliases in an item: below these keys, or anywhere. */
  writeOut(item: SequenceItem, names: ReadonlySet<string> | null): void {
    if (isAlias(item.value)) return this.#write({ item }, this.#copyOf(item));
    for (const inner of this.#syntax.collectionAt(item)?.items ?? [])
      if (names === null || names.has(inner.name ?? "")) this.writeOut(inner, null);
  }

  /** Adds a tombstone to a slot, which has none, or some that are to be written. */
  addTombstone(slot: Slot, { named, listed }: { readonly named: FreshEntry; readonly listed: FreshItem }): void {
    if (this.#isBehindAlias(slot) && "item" in slot) this.#write(slot, this.#copyOf(slot.item));
    const fresh = this.#freshAt(slot);
    if (fresh?.type === "map") fresh.entries.push(named);
    else if (fresh?.type === "list") fresh.items.push(listed);
    else if (named.value.type === "nothing") this.#write(slot, { type: "list", items: [listed] });
    else this.#write(slot, { type: "map", entries: [named], inline: false });
  }

  #isBehindAlias(slot: Slot): boolean {
    return "item" in slot && isAlias(slot.item.value) && this.#freshAt(slot) === null;
  }

  #makeMap(slot: Slot): void {
    const fresh = this.#freshAt(slot);
    if (fresh !== null) {
      if (fresh.type !== "map") this.#write(slot, emptyMap());
      return;
    }
    if (!("item" in slot)) return;
    const { item } = slot;
    const collection = this.#syntax.collectionAt(item);
    if (collection !== null && isMap(collection.node) && collection.items.length > 0) return;
    // What an alias stands for is written out, so that it can be changed here alone.
    const copy = isAlias(item.value) ? this.#copyOf(item) : null;
    this.#write(slot, copy?.type === "map" ? copy : emptyMap());
  }

  #write(slot: Slot, value: Fresh): void {
    if ("fresh" in slot) slot.fresh.value = value;
    else if (this.#freshAt(slot) === null) this.#changes.replace(slot.item, value);
    else this.#changes.rewrite(slot.item, value);
  }
}

function emptyMap(): FreshMap {
  return { type: "map", entries: [], inline: false };
}

function freshEntries(entry: Block["entries"][number]): FreshEntry[] {
  const map = freshOf({ entries: [entry] });
  return map.type === "map" ? map.entries : [];
}

/** The same items in the order in which the list has them, new ones last. */
function inOrderOf({ items }: Collection, content: readonly string[]): string[] {
  const left = new Set(content);
  const kept = items.flatMap((item) => {
    const one = [...left].find((text) => saysScalar(item.value, text));
    if (one !== undefined) left.delete(one);
    return one ?? [];
  });
  return [...kept, ...left];
}
