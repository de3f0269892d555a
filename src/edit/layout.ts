// Turns the changes of a text into splices: in block maps and lists, in flow ones, and in single values.

import { isMap, isScalar, Scalar, isSeq, type Node as YamlNode } from "yaml";
import type { Changes, CollectionChange, RemovalChange, Added } from "./changes.ts";
import { endOfLines, gapAbove, startWithComments } from "./extent.ts";
import type { TextLines, Span } from "./lines.ts";
import { rankOf } from "./sections.ts";
import { Splices } from "./splices.ts";
import { type Collection, type SequenceItem, type Syntax, endOf } from "./syntax.ts";
import {
  keyText,
  entryLines,
  itemLines,
  flowEntry,
  inlineText,
  type Fresh,
  contentLines,
  hasLines,
  type Quoting,
  scalarText,
} from "./fresh.ts";

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

/** Takes the lines of items out. */
function takeOutLines(
  { items }: Collection,
  removed: ReadonlyMap<SequenceItem, RemovalChange>,
  sheet: LayoutLines,
): void {
  const { lines, splices } = sheet;
  let before: Span | null = null;
  for (const [index, item] of items.entries()) {
    const how = removed.get(item);
    if (how === undefined) continue;
    if (!lines.beginsLine(item.start)) {
      takeOutBehindSign(item, items[index + 1], removed, sheet);
      continue;
    }
    const start = how === "alone" ? lines.start(item.start) : startWithComments(lines, item);
    const own = withoutDoubleGap(lines, { start, end: endOfLines(lines, item) }, index === 0);
    // At the end of the text no empty line is left, whatever goes before.
    const reaches = before !== null && isAllBlank(lines, before.end, own.start) ? before.start : null;
    const span: Span = { start: reaches ?? own.start, end: own.end };
    const isAtEnd = isAllBlank(lines, span.end, lines.text.length) && span.start > 0;
    splices.delete(isAtEnd ? aboveBlanks(lines, span.start) : span.start, span.end);
    before = span;
  }
}

/** The first item stands behind a dash or sign, on its line: what comes next takes its place there. */
function takeOutBehindSign(
  item: SequenceItem,
  next: SequenceItem | undefined,
  removed: ReadonlyMap<SequenceItem, RemovalChange>,
  { lines, splices }: LayoutLines,
): void {
  const isFree = next === undefined || removed.has(next) || lines.text.slice(item.end, next.start).trim() !== "";
  if (!isFree) splices.delete(item.start, next.start);
  else
    splices.delete(
      lines.start(item.start) + lines.text.slice(lines.start(item.start), item.start).trimEnd().length,
      lines.end(item.end),
    );
}

/** Of the empty lines above and below what goes, one lot is enough. */
function withoutDoubleGap(lines: TextLines, { start, end }: Span, isFirst: boolean): Span {
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

/** Puts the lines of items in. */
function putInLines(
  collection: Collection,
  { added, removed }: Pick<CollectionChange, "added" | "removed">,
  sheet: LayoutLines,
): void {
  const { lines, splices, step } = sheet;
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

/** As many empty lines as stand between the neighbours, or between other items near them. */
function gapAt(lines: TextLines, { items, parent }: Collection, { spot: { item, side } }: Added): number {
  const index = item?.index ?? 0;
  const near = side === "after" ? [index + 1, index, index + 2] : [index, index + 1, index - 1];
  for (const one of near) {
    const gap = gapAbove(lines, items[one]);
    if (gap !== null) return Math.min(gap, 2);
  }
  // Sections of a file stand apart, blocks don't unless others do.
  return parent === null ? 1 : 0;
}

/** An item that stays, and what is added behind it. */
interface KeptItem {
  readonly item: SequenceItem;
  readonly added: Added[];
}

/** Takes items out of a flow map or list, and puts others in, so that the commas are right. `isGone`: what to take out. */
function layOutFlow(
  collection: Collection,
  { added }: Pick<CollectionChange, "added">,
  isGone: (item: SequenceItem) => boolean,
  { lines, splices }: { readonly lines: TextLines; readonly splices: Splices },
): void {
  const { items } = collection;
  const gone = items.filter(isGone);
  if (gone.length === 0 && added.length === 0) return;
  const kept: KeptItem[] = [];
  const first: Added[] = [];
  const bySpot = new Map<SequenceItem | null, Added[]>();
  for (const one of added) bySpot.set(one.spot.item, [...(bySpot.get(one.spot.item) ?? []), one]);
  const add = (side: "before" | "after", item: SequenceItem | null): void => {
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
  // Where something takes their place, their lines stay.
  for (const item of gone) takeOut(item, firstKept === undefined && first.length > 0, { lines, splices });
  if (firstKept === undefined) {
    putAlone(collection, first.map((one) => addedText(one, collection)).join(", "), { lines, splices });
    return;
  }
  for (const one of first)
    splices.insert(firstKept.item.start, `${addedText(one, collection)},${separator(firstKept.item, lines)}`);
  for (const [index, { item, added: behind }] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const needsComma = !isLast || hasTrailingComma;
    if (behind.length > 0 && standsAlone(item, lines)) {
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
    // The comma behind what is now the last item goes, if the former last one had none.
    if (!needsComma && item.comma !== null) splices.delete(item.comma, behindSpace(item.comma + 1, lines));
  }
}

/** Puts text where nothing else is left. */
function putAlone(
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

/** Whether quotes stand where none are needed, as in JSON. */
function isJson({ items: [first] }: Collection): boolean {
  const sample = first?.key ?? first?.value;
  if (!isScalar(sample) || sample.type !== Scalar.QUOTE_DOUBLE || typeof sample.value !== "string") return false;
  return !keyText(sample.value, true).startsWith('"');
}

/** What stands between an item that begins its line and one put before it. */
function separator({ start }: SequenceItem, lines: TextLines): string {
  return lines.beginsLine(start) ? `${lines.lineBreak}${" ".repeat(lines.column(start))}` : " ";
}

/** Whether an item has its lines to itself. */
export function standsAlone({ start, end, comma }: SequenceItem, lines: TextLines): boolean {
  const isOnLine = comma === null || comma < lines.end(end);
  return lines.beginsLine(start) && isOnLine && lines.endsLine(comma === null ? end : comma + 1);
}

/** The item with its comma; its lines, and the comment on them, if it has them to itself. */
function takeOut(
  item: SequenceItem,
  keepsLines: boolean,
  { lines, splices }: { readonly lines: TextLines; readonly splices: Splices },
): void {
  if (!keepsLines && standsAlone(item, lines)) {
    splices.delete(lines.start(item.start), lines.next(item.end));
    return;
  }
  const isCommaNear = item.comma !== null && item.comma < lines.end(item.end);
  splices.delete(item.start, isCommaNear ? behindSpace((item.comma ?? 0) + 1, lines) : item.end);
  if (item.comma !== null && !isCommaNear) splices.delete(item.comma, item.comma + 1);
}

/** The first offset from this one on that holds no space; the offset itself where the line ends with spaces or a comment. */
function behindSpace(offset: number, { text }: TextLines): number {
  const [space = ""] = /^[ \t]*(?![\s#])/.exec(text.slice(offset, offset + 200)) ?? [];
  return offset + space.length;
}

interface LayoutLines {
  readonly lines: TextLines;
  readonly splices: Splices;
  /** What a level is indented by. */
  readonly step: string;
}

/** Writes a value; comments beside the old one stay, an anchor too. */
function layOutValue(item: SequenceItem, fresh: Fresh, sheet: LayoutLines): void {
  const { splices } = sheet;
  const isFlow = item.of.isFlow;
  for (const { start, end } of item.tags) splices.delete(start, end + 1);
  const text = !isFlow && (hasLines(fresh) || fresh.type === "nothing") ? null : textOf(item, fresh);
  if (item.value === null) {
    if (text !== null) splices.insert(item.valueAt, item.hasSign ? ` ${text}` : `: ${text}`);
    else putBelow(item, item.valueAt, fresh, sheet);
    return;
  }
  if (isBlockCollection(item.value)) replaceLines(item, item.value, { text, fresh }, sheet);
  else replaceText(item, item.value, { text, fresh }, sheet);
}

function textOf({ of, value }: SequenceItem, fresh: Fresh): string {
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
  /** Null where it is written as lines. */
  readonly text: string | null;
  readonly fresh: Fresh;
}

/** What stands on its key's line, or below it but not as a block's lines. */
function replaceText(item: SequenceItem, node: YamlNode, { text, fresh }: ValueReplacement, sheet: LayoutLines): void {
  const { lines, splices } = sheet;
  const start = node.range?.[0] ?? item.valueAt;
  const end = endOf(node);
  if (isScalar(node) && node.srcToken?.type === "block-scalar") {
    const header = /^[|>][-+0-9]*/.exec(lines.text.slice(start, start + 20))?.[0].length ?? 1;
    splices.delete(start, start + header);
    if (end > lines.end(start)) splices.delete(lines.end(start), end);
    if (text !== null) splices.insert(start, text);
    else putBelow(item, lines.next(end) > end ? end : lines.text.length, fresh, sheet);
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
      contentLines(fresh, { ...sheet, indent })
        .join(lines.lineBreak)
        .trimStart(),
    );
    return;
  }
  const [space = ""] = /[ \t]*$/.exec(lines.text.slice(lines.start(start), start)) ?? [];
  splices.delete(start - space.length, end);
  putBelow(item, end, fresh, sheet);
}

/** A map or list that is written as lines. */
function replaceLines(item: SequenceItem, node: YamlNode, { text, fresh }: ValueReplacement, sheet: LayoutLines): void {
  const { lines, splices } = sheet;
  const start = node.range?.[0] ?? item.valueAt;
  const isBelow = lines.start(start) > item.valueAt;
  splices.delete(isBelow ? lines.next(item.valueAt) : start, isBelow ? endOfLines(lines, item) : endOf(node));
  if (text === null) putBelow(item, item.valueAt, fresh, sheet);
  else splices.insert(isBelow ? item.valueAt : start, isBelow ? ` ${text}` : text);
}

/** Below the line of an offset. */
function putBelow({ start }: SequenceItem, offset: number, fresh: Fresh, { lines, splices, step }: LayoutLines): void {
  const indent = " ".repeat(lines.column(start)) + step;
  splices.insertLines(lines.next(offset), contentLines(fresh, { indent, step }));
}
