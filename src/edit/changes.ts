// Collects the changes to a file, for each map or list.

import type { Fresh, FreshItem } from "./fresh.ts";
import type { Collection, CollectionItem } from "./syntax.ts";

/** A position beside an item, or in an empty map or list. */
export interface Spot {
  readonly item: CollectionItem | null;
  readonly side: "before" | "after";
}

/** A new entry of a map (with a key) or item of a list. */
export interface Added {
  readonly spot: Spot;
  readonly fresh: FreshItem & { readonly key?: string };
  /** Whether it is separated by empty lines like its neighbors. */
  readonly isSpaced: boolean;
}

/** Whether the comments directly above an item are also removed. */
export type RemovalChange = "with comments above" | "alone";

export interface CollectionChange {
  readonly removed: Map<CollectionItem, RemovalChange>;
  readonly values: Map<CollectionItem, Fresh>;
  readonly keys: Map<CollectionItem, string>;
  /** New comments above an item. */
  readonly above: Map<CollectionItem, string[]>;
  readonly added: Added[];
}

export class Changes {
  readonly #changes = new Map<Collection, CollectionChange>();
  /** Items with a change inside their value. */
  readonly #touched = new Set<CollectionItem>();

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  in(collection: Collection): CollectionChange | undefined {
    return this.#changes.get(collection);
  }

  isTouched(item: CollectionItem): boolean {
    return this.#touched.has(item);
  }

  /** Whether an item, or one that contains it, is removed or replaced. */
  isReplaced(item: CollectionItem): boolean {
    for (let at: CollectionItem | null = item; at !== null; at = at.of.parent) {
      const change = this.#changes.get(at.of);
      if (change?.removed.has(at) === true || change?.values.has(at) === true) return true;
    }
    return false;
  }

  remove(item: CollectionItem, how: RemovalChange): void {
    const change = this.#free(item);
    if (change.keys.has(item)) throw clash(item);
    change.removed.set(item, how);
  }

  replace(item: CollectionItem, value: Fresh): void {
    this.#free(item).values.set(item, value);
  }

  /** Replaces a value that was already replaced. */
  rewrite(item: CollectionItem, value: Fresh): void {
    this.#of(item.of).values.set(item, value);
  }

  rename(item: CollectionItem, key: string): void {
    const change = this.#of(item.of);
    if (change.removed.has(item) || change.keys.has(item)) throw clash(item);
    change.keys.set(item, key);
  }

  /** Adds comments above the line of an item. */
  addComments(item: CollectionItem, comments: readonly string[]): void {
    const { above } = this.#of(item.of);
    above.set(item, [...(above.get(item) ?? []), ...comments]);
  }

  /** Adds after everything that was added at the same spot, or beside one of these. */
  add(
    collection: Collection,
    added: Added,
    beside: { readonly fresh: FreshItem; readonly side: Spot["side"] } | null = null,
  ): void {
    const all = this.#of(collection).added;
    const at = beside === null ? -1 : all.findIndex(({ fresh }) => fresh === beside.fresh);
    all.splice(at < 0 ? all.length : beside?.side === "before" ? at : at + 1, 0, added);
  }

  /** Drops an addition or a replaced value. */
  discard(collection: Collection, what: FreshItem | CollectionItem): void {
    const change = this.#of(collection);
    const at = change.added.findIndex(({ fresh }) => fresh === what);
    if (at >= 0) change.added.splice(at, 1);
    else if ("of" in what) change.values.delete(what);
  }

  #free(item: CollectionItem): CollectionChange {
    if (this.isReplaced(item) || this.#touched.has(item)) throw clash(item);
    return this.#of(item.of);
  }

  #of(collection: Collection): CollectionChange {
    const known = this.#changes.get(collection);
    if (known !== undefined) return known;
    for (let { parent } = collection; parent !== null; { parent } = parent.of) {
      if (this.#changes.get(parent.of)?.removed.has(parent) === true) throw clash(parent);
      this.#touched.add(parent);
    }
    const change: CollectionChange = {
      removed: new Map(),
      values: new Map(),
      keys: new Map(),
      above: new Map(),
      added: [],
    };
    this.#changes.set(collection, change);
    return change;
  }
}

function clash({ name }: CollectionItem): Error {
  return new Error(`two changes touch the same characters${name === null ? "" : ` (${name})`}`);
}
