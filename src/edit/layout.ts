// Turns the changes of a text into splices: in block maps and lists, in flow ones, and in single values.

import { isMap, isScalar, isSeq, Scalar, type Node as YamlNode } from "yaml";
import type { Added, Changes, CollectionChange, RemovalChange } from "./changes.ts";
import type { TextSpan, TextLines } from "./lines.ts";
import { rankOf } from "./sections.ts";
import { Splices } from "./splices.ts";
import { endOf, type Collection, type CollectionItem, type Syntax } from "./syntax.ts";
import {
  contentLines,
  entryLines,
  flowEntry,
  hasLines,
  inlineText,
  itemLines,
  keyText,
  scalarText,
  type Fresh,
  type Quoting,
} from "./fresh.ts";

const NO_CHANGE: CollectionChange = {
  removed: new Map(),
  values: new Map(),
  keys: new Map(),
  above: new Map(),
  added: [],
};

export class FileLayout {
  readonly #syntax: Syntax;
  readonly #changes: Changes;
  readonly #lines: TextLines;
  readonly #gone = new Map<CollectionItem, boolean>();
  readonly splices: Splices;

  constructor(syntax: Syntax, changes: Changes, lines: TextLines) {
    this.#syntax = syntax;
    this.#changes = changes;
    this.#lines = lines;
    this.splices = new Splices(lines);
  }

  /** Lays out the changes of a map or list, and of everything inside. */
  layOut(collection: Collection): void {
    const change = this.#changes.in(collection) ?? NO_CHANGE;
    const context = { lines: this.#lines, splices: this.splices, step: stepIn(collection, this.#syntax, this.#lines) };
    for (const [item, key] of change.keys) this.#rename(item, key);
    for (const [item, text] of change.above) this.#putAbove(item, text);
    for (const item of collection.items) {
      if (change.removed.has(item)) continue;
      const value = change.values.get(item);
      if (value !== undefined) layOutValue(item, value, context);
      else if (this.#changes.isTouched(item)) this.#layOutInside(item);
    }
    if (collection.isFlow) {
      layOutFlow(collection, change, (item) => this.#isGone(item), context);
      return;
    }
    removeLines(collection, this.#removals(collection, change, context), context);
    insertLines(collection, change, context);
  }

  #layOutInside(item: CollectionItem): void {
    const inner = this.#syntax.collectionAt(item);
    if (inner === null) return;
    this.layOut(inner);
    // A block that becomes empty stays.
    const isEmptied = this.#isEmptied(inner) && !this.#isGone(item) && rankOf(item) === "block";
    if (isEmptied && !inner.isFlow) this.splices.insert(item.valueAt, isMap(inner.node) ? " {}" : " []");
  }

  /** Removed items, and items that become empty. */
  #removals(
    { items }: Collection,
    change: CollectionChange,
    { lines }: LayoutContext,
  ): ReadonlyMap<CollectionItem, RemovalChange> {
    const removals = new Map(change.removed);
    for (const item of items) {
      if (removals.has(item) || !this.#isGone(item)) continue;
      const inside = lines.next(item.valueAt);
      const end = endOfLines(lines, item);
      const comments = this.#syntax.comments.filter(({ start }) => start >= inside && start < end);
      if (this.splices.leaves(comments).length === 0) removals.set(item, "alone");
      // Comments between removed items stay.
      else this.splices.delete(lines.start(item.start), inside);
    }
    return removals;
  }

  /** Whether an item is removed or becomes empty. */
  #isGone(item: CollectionItem): boolean {
    const known = this.#gone.get(item);
    if (known !== undefined) return known;
    const change = this.#changes.in(item.of);
    const isGone = change?.removed.has(item) === true || this.#becomesEmpty(item, change);
    this.#gone.set(item, isGone);
    return isGone;
  }

  #becomesEmpty(item: CollectionItem, change: CollectionChange | undefined): boolean {
    if (change?.values.has(item) === true || !this.#changes.isTouched(item)) return false;
    const inner = this.#syntax.collectionAt(item);
    return inner !== null && this.#isEmptied(inner) && !this.#stays(item, inner);
  }

  #isEmptied(collection: Collection): boolean {
    const { items } = collection;
    const adds = (this.#changes.in(collection)?.added.length ?? 0) > 0;
    return items.length > 0 && !adds && items.every((item) => this.#isGone(item));
  }

  /** Whether an item stays although it is empty: a block, or a section with comments or an anchor. */
  #stays(item: CollectionItem, { node, isFlow }: Collection): boolean {
    const rank = rankOf(item);
    if (rank !== "section") return rank === "block";
    const end = this.#lines.end(isFlow ? item.end : item.valueAt);
    const hasComments = this.#syntax.comments.some(({ start }) => start > item.start && start < end);
    return hasComments || node.anchor !== undefined;
  }

  #rename(item: CollectionItem, key: string): void {
    const [start, end] = item.key?.range ?? [];
    if (item.key === null || start === undefined || end === undefined) return;
    this.splices.delete(start, end);
    this.splices.insert(start, keyText(key, item.of.isFlow, quotingOf(item.key)));
  }

  #putAbove({ start }: CollectionItem, text: readonly string[]): void {
    const indent = " ".repeat(this.#lines.column(start));
    this.splices.insertLines(
      this.#lines.start(start),
      text.map((line) => indent + line),
    );
  }
}

/** The indentation of a level below these items: as in a sibling, a parent, or two spaces. */
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

/** Removes the lines of items. */
function removeLines(
  { items }: Collection,
  removed: ReadonlyMap<CollectionItem, RemovalChange>,
  context: LayoutContext,
): void {
  const { lines, splices } = context;
  let before: TextSpan | null = null;
  for (const [index, item] of items.entries()) {
    const how = removed.get(item);
    if (how === undefined) continue;
    if (!lines.beginsLine(item.start)) {
      removeAfterIndicator(item, items[index + 1], removed, context);
      continue;
    }
    const start = how === "alone" ? lines.start(item.start) : startWithComments(lines, item);
    const own = withoutDoubleGap(lines, { start, end: endOfLines(lines, item) }, index === 0);
    // The text must not end with empty lines.
    const reaches = before !== null && isAllBlank(lines, before.end, own.start) ? before.start : null;
    const span: TextSpan = { start: reaches ?? own.start, end: own.end };
    const isAtEnd = isAllBlank(lines, span.end, lines.text.length) && span.start > 0;
    splices.delete(isAtEnd ? aboveBlanks(lines, span.start) : span.start, span.end);
    before = span;
  }
}

/** The first item follows a dash or colon on the same line. If possible, the next item moves to its place. */
function removeAfterIndicator(
  item: CollectionItem,
  next: CollectionItem | undefined,
  removed: ReadonlyMap<CollectionItem, RemovalChange>,
  { lines, splices }: LayoutContext,
): void {
  const isFree = next === undefined || removed.has(next) || lines.text.slice(item.end, next.start).trim() !== "";
  if (!isFree) splices.delete(item.start, next.start);
  else
    splices.delete(
      lines.start(item.start) + lines.text.slice(lines.start(item.start), item.start).trimEnd().length,
      lines.end(item.end),
    );
}

/** Keeps only one of the gaps above and below a removed item. */
function withoutDoubleGap(lines: TextLines, { start, end }: TextSpan, isFirst: boolean): TextSpan {
  const isOpenAbove = isFirst || start === 0 || lines.isBlank(lines.start(start - 1));
  let to = end;
  if (isOpenAbove) while (to < lines.text.length && lines.isBlank(to)) to = lines.next(to);
  return { start, end: to };
}

function isAllBlank({ text }: TextLines, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "";
}

function aboveBlanks(lines: TextLines, start: number): number {
  let at = start;
  while (at > 0 && lines.isBlank(lines.start(at - 1))) at = lines.start(at - 1);
  return at;
}

/** Inserts the lines of items. */
function insertLines(
  collection: Collection,
  { added, removed }: Pick<CollectionChange, "added" | "removed">,
  context: LayoutContext,
): void {
  const { lines, splices, step } = context;
  const [first] = collection.items;
  const indent = " ".repeat(first === undefined ? 0 : lines.column(first.start));
  for (const one of added) {
    const { item, side } = one.spot;
    if (item === null) continue;
    const written = linesOf(one, { indent, step });
    const gap = one.isSpaced ? gapAt(lines, collection, one) : 0;
    if (side === "after") {
      splices.insertLines(endOfLines(lines, item), written, gap);
      continue;
    }
    const at = startWithComments(lines, item);
    if (lines.beginsLine(item.start))
      splices.insertLines(at, [...written, ...Array<string>(removed.has(item) ? 0 : gap).fill("")]);
    else splices.insert(at, [...written, indent].join(lines.lineBreak).trimStart());
  }
}

function linesOf({ fresh }: Added, at: { readonly indent: string; readonly step: string }): string[] {
  return fresh.key === undefined ? itemLines(fresh, at) : entryLines({ ...fresh, key: fresh.key }, at);
}

/** The number of empty lines between the neighbors, or between other items near them. */
function gapAt(lines: TextLines, { items, parent }: Collection, { spot: { item, side } }: Added): number {
  const index = item?.index ?? 0;
  const near = side === "after" ? [index + 1, index, index + 2] : [index, index + 1, index - 1];
  for (const one of near) {
    const gap = gapAbove(lines, items[one]);
    if (gap !== null) return Math.min(gap, 2);
  }
  // Sections are separated by default. Blocks are not.
  return parent === null ? 1 : 0;
}

/** A remaining item, and the additions after it. */
interface KeptItem {
  readonly item: CollectionItem;
  readonly added: Added[];
}

/** Edits items between braces or brackets, and the commas between them. */
function layOutFlow(
  collection: Collection,
  { added }: Pick<CollectionChange, "added">,
  isGone: (item: CollectionItem) => boolean,
  { lines, splices }: { readonly lines: TextLines; readonly splices: Splices },
): void {
  const { items } = collection;
  const gone = items.filter(isGone);
  if (gone.length === 0 && added.length === 0) return;
  const kept: KeptItem[] = [];
  const first: Added[] = [];
  const bySpot = new Map<CollectionItem | null, Added[]>();
  for (const one of added) bySpot.set(one.spot.item, [...(bySpot.get(one.spot.item) ?? []), one]);
  const add = (side: "before" | "after", item: CollectionItem | null): void => {
    const here = (bySpot.get(item) ?? []).filter(({ spot }) => spot.side === side);
    (kept.at(-1)?.added ?? first).push(...here);
  };
  add("after", null);
  for (const item of items) {
    add("before", item);
    if (!isGone(item)) kept.push({ item, added: [] });
    add("after", item);
  }
  const last = items.at(-1);
  const hasTrailingComma = last !== undefined && last.comma !== null;
  const [firstKept] = kept;
  // If additions take the place of removed items, they use their lines.
  for (const item of gone) removeFlowItem(item, firstKept === undefined && first.length > 0, { lines, splices });
  if (firstKept === undefined) {
    fillEmpty(collection, first.map((one) => addedText(one, collection)).join(", "), { lines, splices });
    return;
  }
  for (const one of first)
    splices.insert(firstKept.item.start, `${addedText(one, collection)},${separator(firstKept.item, lines)}`);
  for (const [index, { item, added: behind }] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const needsComma = !isLast || hasTrailingComma;
    if (behind.length > 0 && hasOwnLines(item, lines)) {
      if (item.comma === null) splices.insert(item.end, ",");
      const indent = " ".repeat(lines.column(item.start));
      const texts = behind.map((one, at) => {
        const comma = needsComma || at < behind.length - 1 ? "," : "";
        return [...one.fresh.comments, `${addedText(one, collection)}${comma}`].map((line) => indent + line);
      });
      splices.insertLines(lines.next(item.end), texts.flat());
      continue;
    }
    splices.insert(item.end, behind.map((one) => `, ${addedText(one, collection)}`).join(""));
    // Removes the comma after the new last item if the old last item had none.
    if (!needsComma && item.comma !== null) splices.delete(item.comma, afterSpaces(item.comma + 1, lines));
  }
}

/** Inserts text into an empty collection. */
function fillEmpty(
  { node, items }: Collection,
  text: string,
  { lines, splices }: { readonly lines: TextLines; readonly splices: Splices },
): void {
  const open = (node.range?.[0] ?? 0) + 1;
  const [first] = items;
  splices.insert(first?.start ?? open, first === undefined && text !== "" ? ` ${text} ` : text);
  const close = endOf(node) - 1;
  const isPlain =
    !/[#\n]/.test(lines.text.slice(open, first?.start ?? open)) &&
    !lines.text.slice(items.at(-1)?.end ?? open, close).includes("#");
  if (text === "" && isPlain) splices.delete(open, close);
}

function addedText({ fresh }: Added, collection: Collection): string {
  const quoting = isJson(collection) ? "double" : "plain";
  if (fresh.key === undefined) return inlineText(fresh.value, true, quoting);
  return flowEntry({ ...fresh, key: fresh.key }, quoting);
}

/** Whether the file quotes keys or values that need no quotes, as JSON does. */
function isJson({ items: [first] }: Collection): boolean {
  const sample = first?.key ?? first?.value;
  if (!isScalar(sample) || sample.type !== Scalar.QUOTE_DOUBLE || typeof sample.value !== "string") return false;
  return !keyText(sample.value, true).startsWith('"');
}

/** The white space between a new item and the item after it. */
function separator({ start }: CollectionItem, lines: TextLines): string {
  return lines.beginsLine(start) ? `${lines.lineBreak}${" ".repeat(lines.column(start))}` : " ";
}

/** Whether an item does not share a line with other items. */
export function hasOwnLines({ start, end, comma }: CollectionItem, lines: TextLines): boolean {
  const isOnLine = comma === null || comma < lines.end(end);
  return lines.beginsLine(start) && isOnLine && lines.endsLine(comma === null ? end : comma + 1);
}

/** Removes an item with its comma, and its lines if it shares them with no other item. */
function removeFlowItem(
  item: CollectionItem,
  keepsLines: boolean,
  { lines, splices }: { readonly lines: TextLines; readonly splices: Splices },
): void {
  if (!keepsLines && hasOwnLines(item, lines)) {
    splices.delete(lines.start(item.start), lines.next(item.end));
    return;
  }
  const isCommaNear = item.comma !== null && item.comma < lines.end(item.end);
  splices.delete(item.start, isCommaNear ? afterSpaces((item.comma ?? 0) + 1, lines) : item.end);
  if (item.comma !== null && !isCommaNear) splices.delete(item.comma, item.comma + 1);
}

/** The first offset after spaces; the offset itself if the line ends after them, or with a comment. */
function afterSpaces(offset: number, { text }: TextLines): number {
  const [space = ""] = /^[ \t]*(?![\s#])/.exec(text.slice(offset, offset + 200)) ?? [];
  return offset + space.length;
}

interface LayoutContext {
  readonly lines: TextLines;
  readonly splices: Splices;
  /** The indentation of one level. */
  readonly step: string;
}

/** Writes a value. Keeps comments beside the old value, and its anchor. */
function layOutValue(item: CollectionItem, fresh: Fresh, context: LayoutContext): void {
  const { splices } = context;
  const isFlow = item.of.isFlow;
  for (const { start, end } of item.tags) splices.delete(start, end + 1);
  const text = !isFlow && (hasLines(fresh) || fresh.type === "nothing") ? null : textOf(item, fresh);
  if (item.value === null) {
    if (text !== null) splices.insert(item.valueAt, item.hasIndicator ? ` ${text}` : `: ${text}`);
    else insertBelow(item, item.valueAt, fresh, context);
    return;
  }
  if (isBlockCollection(item.value)) replaceLines(item, item.value, { text, fresh }, context);
  else replaceText(item, item.value, { text, fresh }, context);
}

function textOf({ of, value }: CollectionItem, fresh: Fresh): string {
  const quoting = isScalar(value) ? quotingOf(value) : "plain";
  return fresh.type === "scalar" ? scalarText(fresh.value, of.isFlow, quoting) : inlineText(fresh, of.isFlow);
}

function quotingOf({ type }: Scalar): Quoting {
  return type === Scalar.QUOTE_DOUBLE ? "double" : type === Scalar.QUOTE_SINGLE ? "single" : "plain";
}

function isBlockCollection(node: YamlNode): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}

interface ValueReplacement {
  /** Null if the value is written as lines. */
  readonly text: string | null;
  readonly fresh: Fresh;
}

/** Replaces a value that is not a block map or list. */
function replaceText(
  item: CollectionItem,
  node: YamlNode,
  { text, fresh }: ValueReplacement,
  context: LayoutContext,
): void {
  const { lines, splices } = context;
  const start = node.range?.[0] ?? item.valueAt;
  const end = endOf(node);
  if (isScalar(node) && node.srcToken?.type === "block-scalar") {
    const header = /^[|>][-+0-9]*/.exec(lines.text.slice(start, start + 20))?.[0].length ?? 1;
    splices.delete(start, start + header);
    if (end > lines.end(start)) splices.delete(lines.end(start), end);
    if (text !== null) splices.insert(start, text);
    else insertBelow(item, lines.next(end) > end ? end : lines.text.length, fresh, context);
    return;
  }
  if (text !== null) {
    splices.delete(start, end);
    splices.insert(start, text);
    return;
  }
  const column = lines.column(start);
  const own = lines.column(item.start);
  if (lines.beginsLine(start) && column > own && lines.start(start) > item.start) {
    splices.delete(start, end);
    const indent = " ".repeat(column);
    splices.insert(
      start,
      contentLines(fresh, { ...context, indent })
        .join(lines.lineBreak)
        .trimStart(),
    );
    return;
  }
  const [space = ""] = /[ \t]*$/.exec(lines.text.slice(lines.start(start), start)) ?? [];
  splices.delete(start - space.length, end);
  insertBelow(item, end, fresh, context);
}

/** Replaces a block map or list. */
function replaceLines(
  item: CollectionItem,
  node: YamlNode,
  { text, fresh }: ValueReplacement,
  context: LayoutContext,
): void {
  const { lines, splices } = context;
  const start = node.range?.[0] ?? item.valueAt;
  const isBelow = lines.start(start) > item.valueAt;
  splices.delete(isBelow ? lines.next(item.valueAt) : start, isBelow ? endOfLines(lines, item) : endOf(node));
  if (text === null) insertBelow(item, item.valueAt, fresh, context);
  else splices.insert(isBelow ? item.valueAt : start, isBelow ? ` ${text}` : text);
}

/** Writes lines below the line of an offset. */
function insertBelow(
  { start }: CollectionItem,
  offset: number,
  fresh: Fresh,
  { lines, splices, step }: LayoutContext,
): void {
  const indent = " ".repeat(lines.column(start)) + step;
  splices.insertLines(lines.next(offset), contentLines(fresh, { indent, step }));
}

/** The start of the comments directly above an item at its indentation, or of its line. */
export function startWithComments(lines: TextLines, { of, index, start }: CollectionItem): number {
  if (!lines.beginsLine(start)) return start;
  const column = lines.column(start);
  // Before this offset, a line that looks like a comment may be part of a text.
  const bound = of.items[index - 1]?.end ?? of.parent?.valueAt ?? 0;
  let at = lines.start(start);
  while (at > 0) {
    const above = lines.start(at - 1);
    if (above < bound || lines.commentColumn(above) !== column) break;
    at = above;
  }
  return at;
}

/** The start of the line after an item. Comments below it that are indented deeper belong to the item. */
export function endOfLines(lines: TextLines, { start, end }: CollectionItem): number {
  const column = lines.column(start);
  let own = lines.next(end);
  for (let at = own; at < lines.text.length;) {
    const comment = lines.commentColumn(at);
    if (comment === null && !lines.isBlank(at)) break;
    if (comment !== null && comment <= column) break;
    at = lines.next(at);
    if (comment !== null) own = at;
  }
  return own;
}

/** The number of empty lines above an item; null for the first item, or one that does not begin a line. */
function gapAbove(lines: TextLines, item: CollectionItem | undefined): number | null {
  if (item === undefined || item.index === 0 || !lines.beginsLine(item.start)) return null;
  return lines.blanksAbove(startWithComments(lines, item));
}
