// Changes the value of a key with the fewest edits. The value may be in the file, or one that will be added to it.

import { isAlias, isMap, isSeq, isScalar, type Node as YamlNode } from "yaml";
import type { Block, YamlContent } from "./yaml-text.ts";
import type { Changes, CollectionChange, Spot } from "./changes.ts";
import { freshCopy, freshOf, isBlock, type Fresh, type FreshEntry, type FreshItem, type FreshMap } from "./fresh.ts";
import type { Collection, CollectionItem, Syntax } from "./syntax.ts";
import { blockKeys } from "./key-order.ts";
import { sourceOf } from "../config/yaml.ts";
import { fieldAt, type ResourceKind } from "../domain/table.ts";

/** A key with its value: an existing item, or one that will be written. */
export type Slot = { readonly item: CollectionItem } | { readonly fresh: FreshItem };

export class ValueWriter {
  readonly #syntax: Syntax;
  readonly #changes: Changes;

  constructor(syntax: Syntax, changes: Changes) {
    this.#syntax = syntax;
    this.#changes = changes;
  }

  /** The value at a key of a slot. A value behind an alias can be read, but not changed. */
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

  /** The slot for a key, created if it is missing. A value that is not a map is replaced with an empty map. */
  childOrNew(slot: Slot, name: string, order: readonly string[] | null): Slot {
    this.#makeMap(slot);
    const known = this.child(slot, name);
    if (known !== null) return known;
    const entry: FreshEntry = { key: name, value: { type: "nothing" }, comments: [] };
    this.addEntry(slot, entry, order);
    return { fresh: entry };
  }

  /** Sets the value of a slot. `isSet`: the order of a list has no meaning. */
  assign(slot: Slot, content: YamlContent, isSet = false): void {
    if ("fresh" in slot || this.#freshAt(slot) !== null) return this.#write(slot, freshOf(content));
    const { item } = slot;
    if (hasContent(item.value, content, (node) => this.#syntax.resolved(node), isSet)) return;
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

  /** Adds an entry to a map: after the last sibling before it in `order`, before the first sibling after it, or at the end. */
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

  /** The same for an existing map. */
  addTo(collection: Collection, entry: FreshEntry, order: readonly string[] | null, isSpaced: boolean): void {
    const { spot, added } = spotAmong(collection, this.#changes.in(collection), entry.key, order);
    this.#changes.add(collection, { spot, fresh: entry, isSpaced }, added);
  }

  #merge(item: CollectionItem, { items }: Collection, { entries }: Block): void {
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
    const isSame = (from: number, to: number): boolean => hasScalar(items[from]?.value ?? null, content[to] ?? "");
    let last: CollectionItem | null = null;
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

  #copyOf(item: CollectionItem): Fresh {
    return freshCopy(item.value, (node) => this.#syntax.resolved(node));
  }

  /** Removes a key, and a map that becomes empty below the slot. */
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
      this.#changes.discard(collection, "item" in inner ? inner.item : inner.fresh);
      if ("item" in inner) this.#changes.remove(inner.item, "alone");
    }
  }

  /** The value at a path below a slot. */
  childAt(slot: Slot, path: readonly string[]): Slot | null {
    let at: Slot | null = slot;
    for (const name of path) at = at && this.child(at, name);
    return at;
  }

  /** Whether the path goes through an alias, which must be replaced with a copy before a change. */
  isBelowAlias(slot: Slot, path: readonly string[]): boolean {
    return path.some((_, index) => {
      const at = index === 0 ? null : this.childAt(slot, path.slice(0, index));
      return at !== null && this.#isBehindAlias(at);
    });
  }

  /** Replaces aliases in an item with copies: below these keys, or all. */
  writeOut(item: CollectionItem, names: ReadonlySet<string> | null): void {
    if (isAlias(item.value)) return this.#write({ item }, this.#copyOf(item));
    for (const inner of this.#syntax.collectionAt(item)?.items ?? [])
      if (names === null || names.has(inner.name ?? "")) this.writeOut(inner, null);
  }

  /** The items of a list. Those behind an alias can be read, but not changed. */
  itemsIn(slot: Slot): Slot[] {
    const fresh = this.#freshAt(slot) ?? (this.#isBehindAlias(slot) && "item" in slot ? this.#copyOf(slot.item) : null);
    if (fresh !== null) return fresh.type === "list" ? fresh.items.map((one) => ({ fresh: one })) : [];
    const collection = this.#collectionAt(slot);
    if (collection === null) return [];
    const change = this.#changes.in(collection);
    const kept = collection.items.filter((item) => change?.removed.has(item) !== true);
    return [...kept.map((item) => ({ item })), ...(change?.added ?? []).map(({ fresh: one }) => ({ fresh: one }))];
  }

  /** The keys of a map. */
  namesIn(slot: Slot): string[] {
    const fresh = this.#freshAt(slot) ?? (this.#isBehindAlias(slot) && "item" in slot ? this.#copyOf(slot.item) : null);
    if (fresh !== null) return fresh.type === "map" ? fresh.entries.map(({ key }) => key) : [];
    const collection = this.#collectionAt(slot);
    if (collection === null) return [];
    const change = this.#changes.in(collection);
    const kept = collection.items.filter((item) => change?.removed.has(item) !== true);
    const added = (change?.added ?? []).map((one) => one.fresh.key);
    return [...kept.map(({ name }) => name), ...added].flatMap((name) => name ?? []);
  }

  /** The text of a scalar in a map; null for other values. */
  textAt(slot: Slot, name: string): string | null {
    const found = this.child(slot, name);
    if (found === null) return null;
    const fresh = this.#freshAt(found);
    if (fresh !== null) return fresh.type === "scalar" && fresh.value !== null ? String(fresh.value) : null;
    const node = "item" in found ? this.#syntax.resolved(found.item.value) : null;
    return isScalar(node) ? sourceOf(node).trim() : null;
  }

  /** Adds an item to the end of a list. A value that is not a list is replaced. */
  addItem(slot: Slot, value: Fresh): Slot {
    const added: FreshItem = { value, comments: [] };
    if (this.#isBehindAlias(slot) && "item" in slot) this.#write(slot, this.#copyOf(slot.item));
    const fresh = this.#freshAt(slot);
    const collection = fresh === null ? this.#collectionAt(slot) : null;
    if (fresh?.type === "list") fresh.items.push(added);
    else if (collection !== null && isSeq(collection.node) && collection.items.length > 0) {
      const spot = { item: collection.items.at(-1) ?? null, side: "after" } as const;
      this.#changes.add(collection, { spot, fresh: added, isSpaced: false });
    } else this.#write(slot, { type: "list", items: [added] });
    return { fresh: added };
  }

  /** Removes an item from the list that it is in. */
  dropItem(list: Slot, slot: Slot): void {
    const fresh = this.#freshAt(list);
    const collection = fresh === null ? this.#collectionAt(list) : null;
    if (fresh?.type === "list" && "fresh" in slot) fresh.items.splice(fresh.items.indexOf(slot.fresh), 1);
    else if (collection !== null) {
      if ("item" in slot) this.#changes.remove(slot.item, "alone");
      else this.#changes.discard(collection, slot.fresh);
    }
  }

  /** Whether a value is an alias, which must be replaced with a copy before a change. */
  isReadOnly(slot: Slot): boolean {
    return this.#isBehindAlias(slot);
  }

  /** Adds a tombstone to a slot. */
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
    // An alias is replaced with a copy, so that other uses of its anchor do not change.
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

/** The items in the existing order of the list, with new ones at the end. */
function inOrderOf({ items }: Collection, content: readonly string[]): string[] {
  const remaining = new Set(content);
  const kept = items.flatMap((item) => {
    const one = [...remaining].find((text) => hasScalar(item.value, text));
    if (one !== undefined) remaining.delete(one);
    return one ?? [];
  });
  return [...kept, ...remaining];
}

/** A spot, and the addition at this spot before or after which a new one goes. */
export interface Beside {
  readonly spot: Spot;
  readonly added: { readonly fresh: FreshItem; readonly side: Spot["side"] } | null;
}

/** The spot for a key among the existing and added entries of a map. */
function spotAmong(
  { items }: Collection,
  change: CollectionChange | undefined,
  name: string,
  order: readonly string[] | null,
): Beside {
  const present = items.flatMap((item) => presentAt(item, change));
  const { index, side } = positionAmong(
    present.map((one) => one.name),
    name,
    order,
  );
  const beside = present[index];
  if (beside === undefined) return { spot: { item: items.at(-1) ?? null, side: "after" }, added: null };
  return { spot: beside.spot(side), added: beside.fresh && { fresh: beside.fresh, side } };
}

/** A key of a map, existing or added. */
interface PresentKeys {
  readonly name: string;
  readonly spot: (side: Spot["side"]) => Spot;
  readonly fresh: FreshItem | null;
}

/** An existing item unless it is removed, with the additions around it. */
function presentAt(item: CollectionItem, change: CollectionChange | undefined): PresentKeys[] {
  const added = (change?.added ?? []).filter(({ spot }) => spot.item === item);
  const at = (side: Spot["side"]): PresentKeys[] =>
    added.flatMap(({ spot, fresh }) =>
      spot.side === side ? [{ name: fresh.key ?? "", spot: () => spot, fresh }] : [],
    );
  const isGone = item.name === null || change?.removed.has(item) === true;
  const own = isGone ? [] : [{ name: item.name, spot: (side: Spot["side"]) => ({ item, side }), fresh: null }];
  return [...at("before"), ...own, ...at("after")];
}

/** The position for a key: after the last key before it in `order`, before the first key after it, or at the end. */
function positionAmong(
  names: readonly string[],
  name: string,
  order: readonly string[] | null,
): { readonly index: number; readonly side: "before" | "after" } {
  const end = { index: names.length - 1, side: "after" } as const;
  const rank = order?.indexOf(name) ?? -1;
  if (order === null || rank < 0) return end;
  const ranks = names.map((one) => order.indexOf(one));
  const behind = ranks.findLastIndex((one) => one >= 0 && one < rank);
  if (behind >= 0) return { index: behind, side: "after" };
  const before = ranks.findIndex((one) => one > rank);
  return before >= 0 ? { index: before, side: "before" } : end;
}

/** Whether a node has this value. Texts are compared by source, so that `0123` and `"0123"` are equal. */
function hasScalar(node: YamlNode | null, content: string | number | boolean | null): boolean {
  if (content === null) return node === null || (isScalar(node) && node.value === null);
  if (!isScalar(node) || node.value === null) return false;
  if (typeof content !== "string") return node.value === content;
  const text = sourceOf(node);
  return text === content || text.trim() === content;
}

/** The same for maps and lists, with aliases resolved. `isSet`: the order of a list has no meaning. */
function hasContent(
  written: unknown,
  content: YamlContent,
  resolved: (node: unknown) => YamlNode | null,
  isSet = false,
): boolean {
  const node = resolved(written);
  if (content === null || typeof content !== "object") return hasScalar(node, content);
  if (isBlock(content)) {
    if (!isMap(node) || node.items.length !== content.entries.length) return false;
    return content.entries.every(({ key, value }) => {
      const pair = node.items.find((one) => isScalar(one.key) && sourceOf(one.key) === key);
      return pair !== undefined && hasContent(pair.value, value, resolved);
    });
  }
  if (!isSeq(node) || node.items.length !== content.length) return false;
  const isAt = (item: unknown, text: string): boolean => hasScalar(resolved(item), text);
  return content.every((text, index) =>
    isSet ? node.items.some((item) => isAt(item, text)) : isAt(node.items[index], text),
  );
}

/** An item of the old list and an item of the new list. */
interface ListStep {
  /** Null for an added item. */
  readonly from: number | null;
  /** Null for a removed item. */
  readonly to: number | null;
}

/** Aligns two lists so that the most items stay (longest common subsequence). */
function listSteps(count: number, wanted: number, isSame: (from: number, to: number) => boolean): ListStep[] {
  // longest[from][to]: the number of items that stay from there on.
  const longest = Array.from({ length: count + 1 }, () => new Uint32Array(wanted + 1));
  const at = (from: number, to: number): number => longest[from]?.[to] ?? 0;
  for (let from = count - 1; from >= 0; from -= 1) {
    for (let to = wanted - 1; to >= 0; to -= 1) {
      const best = isSame(from, to) ? at(from + 1, to + 1) + 1 : Math.max(at(from + 1, to), at(from, to + 1));
      const row = longest[from];
      if (row !== undefined) row[to] = best;
    }
  }
  const steps: ListStep[] = [];
  let [from, to] = [0, 0];
  let lost: number[] = [];
  let found: number[] = [];
  // Items that differ between two that stay are replaced in place.
  const pairUp = (): void => {
    for (let index = 0; index < Math.max(lost.length, found.length); index += 1)
      steps.push({ from: lost[index] ?? null, to: found[index] ?? null });
    [lost, found] = [[], []];
  };
  while (from < count || to < wanted) {
    if (from < count && to < wanted && isSame(from, to)) {
      pairUp();
      steps.push({ from: from++, to: to++ });
    } else if (to >= wanted || (from < count && at(from + 1, to) >= at(from, to + 1))) lost.push(from++);
    else found.push(to++);
  }
  pairUp();
  return steps;
}

/**
 * Sets the value at a path below a slot, with the fewest edits. A new key goes after the last sibling before it in `order`, or to the
 * end.
 */
export function setValue(
  values: ValueWriter,
  block: Slot,
  kind: ResourceKind,
  path: readonly string[],
  content: YamlContent,
  order: readonly string[] | null,
): void {
  const isSet = fieldAt(kind, path.join("."))?.kind === "references";
  const known = values.childAt(block, path);
  if (known !== null && !values.isBelowAlias(block, path)) return values.assign(known, content, isSet);
  const name = path.at(-1) ?? "";
  let slot = values.childOrNew(
    block,
    path.length > 1 ? (path[0] ?? "") : name,
    path.length > 1 ? blockKeys(kind) : order,
  );
  for (const [index, step] of path.slice(1).entries())
    slot = values.childOrNew(slot, step, index === path.length - 2 ? order : null);
  values.assign(slot, content, isSet);
}
