// From all changes of a text to its splices: which items go, what stands in their place, and what becomes empty with them.

import { isMap } from "yaml";
import type { Changes, CollectionChange, RemovalChange } from "./changes.ts";
import { putInLines, takeOutLines } from "./block-layout.ts";
import { endOfLines } from "./extent.ts";
import { layOutFlow } from "./flow-layout.ts";
import type { TextLines } from "./lines.ts";
import { rankOf } from "./sections.ts";
import { Splices } from "./splices.ts";
import type { Collection, SequenceItem, Syntax } from "./syntax.ts";
import { layOutValue, quotingOf, type LayoutLines } from "./value-layout.ts";
import { keyText } from "./write.ts";

const NO_CHANGE: CollectionChange = {
  removed: new Map(),
  values: new Map(),
  keys: new Map(),
  above: new Map(),
  added: [],
};

/** One layout of the changes of one text. */
export class FileLayout {
  readonly #syntax: Syntax;
  readonly #changes: Changes;
  readonly #lines: TextLines;
  readonly #gone = new Map<SequenceItem, boolean>();
  readonly splices: Splices;

  constructor(syntax: Syntax, changes: Changes, lines: TextLines) {
    this.#syntax = syntax;
    this.#changes = changes;
    this.#lines = lines;
    this.splices = new Splices(lines);
  }

  /** Lays out what changes in a map or list, and in all that is in it. */
  layOut(collection: Collection): void {
    const change = this.#changes.in(collection) ?? NO_CHANGE;
    const sheet = { lines: this.#lines, splices: this.splices, step: stepIn(collection, this.#syntax, this.#lines) };
    for (const [item, key] of change.keys) this.#rename(item, key);
    for (const [item, text] of change.above) this.#putAbove(item, text);
    for (const item of collection.items) {
      if (change.removed.has(item)) continue;
      const value = change.values.get(item);
      if (value !== undefined) layOutValue(item, value, sheet);
      else if (this.#changes.isTouched(item)) this.#layOutInside(item);
    }
    if (collection.isFlow) {
      layOutFlow(collection, change, (item) => this.#isGone(item), sheet);
      return;
    }
    takeOutLines(collection, this.#removals(collection, change, sheet), sheet);
    putInLines(collection, change, sheet);
  }

  #layOutInside(item: SequenceItem): void {
    const inner = this.#syntax.collectionAt(item);
    if (inner === null) return;
    this.layOut(inner);
    // A block that says nothing any more is still one.
    const isEmptied = this.#isEmptied(inner) && !this.#isGone(item) && rankOf(item) === "block";
    if (isEmptied && !inner.isFlow) this.splices.insert(item.valueAt, isMap(inner.node) ? " {}" : " []");
  }

  /** What is to be taken out, and what goes because nothing is left in it. */
  #removals(
    { items }: Collection,
    change: CollectionChange,
    { lines }: LayoutLines,
  ): ReadonlyMap<SequenceItem, RemovalChange> {
    const removals = new Map(change.removed);
    for (const item of items) {
      if (removals.has(item) || !this.#isGone(item)) continue;
      const inside = lines.next(item.valueAt);
      const end = endOfLines(lines, item);
      const comments = this.#syntax.comments.filter(({ start }) => start >= inside && start < end);
      if (this.splices.leaves(comments).length === 0) removals.set(item, "alone");
      // Comments that belong to none of its items stay.
      else this.splices.delete(lines.start(item.start), inside);
    }
    return removals;
  }

  /** Whether nothing is left of an item. */
  #isGone(item: SequenceItem): boolean {
    const known = this.#gone.get(item);
    if (known !== undefined) return known;
    const change = this.#changes.in(item.of);
    const isGone = change?.removed.has(item) === true || this.#goesWithItsItems(item, change);
    this.#gone.set(item, isGone);
    return isGone;
  }

  #goesWithItsItems(item: SequenceItem, change: CollectionChange | undefined): boolean {
    if (change?.values.has(item) === true || !this.#changes.isTouched(item)) return false;
    const inner = this.#syntax.collectionAt(item);
    return inner !== null && this.#isEmptied(inner) && !this.#stays(item, inner);
  }

  #isEmptied(collection: Collection): boolean {
    const { items } = collection;
    const adds = (this.#changes.in(collection)?.added.length ?? 0) > 0;
    return items.length > 0 && !adds && items.every((item) => this.#isGone(item));
  }

  /** Whether an item stays although it is empty: a block does, and a section that holds more than its items. */
  #stays(item: SequenceItem, { node, isFlow }: Collection): boolean {
    const rank = rankOf(item);
    if (rank !== "section") return rank === "block";
    const end = this.#lines.end(isFlow ? item.end : item.valueAt);
    const isRemarked = this.#syntax.comments.some(({ start }) => start > item.start && start < end);
    return isRemarked || node.anchor !== undefined;
  }

  #rename(item: SequenceItem, key: string): void {
    const [start, end] = item.key?.range ?? [];
    if (item.key === null || start === undefined || end === undefined) return;
    this.splices.delete(start, end);
    this.splices.insert(start, keyText(key, item.of.isFlow, quotingOf(item.key)));
  }

  #putAbove({ start }: SequenceItem, text: readonly string[]): void {
    const indent = " ".repeat(this.#lines.column(start));
    this.splices.insertLines(
      this.#lines.start(start),
      text.map((line) => indent + line),
    );
  }
}

/** What a level below the items of this map or list is indented by: as theirs are, as they are, or as the file is. */
function stepIn(collection: Collection, syntax: Syntax, lines: TextLines): string {
  for (let at: Collection | null = collection; at !== null; at = at.parent?.of ?? null) {
    if (at.isFlow) continue;
    for (const item of at.items.slice(0, 50)) {
      const inner = isMap(item.value) && item.key !== null ? syntax.collectionAt(item) : null;
      const first = inner?.isFlow === false ? inner.items[0] : undefined;
      if (first === undefined || !lines.beginsLine(first.start)) continue;
      const step = lines.column(first.start) - lines.column(item.start);
      if (step > 0) return " ".repeat(step);
    }
  }
  return "  ";
}
