// What changes in a map or list that is written as lines: which of them go, and where others come.

import type { Added, CollectionChange, RemovalChange } from "./changes.ts";
import { endOfLines, gapAbove, startWithComments } from "./extent.ts";
import type { TextLines, Span } from "./lines.ts";
import type { Collection, SequenceItem } from "./syntax.ts";
import type { LayoutLines } from "./value-layout.ts";
import { entryLines, itemLines } from "./write.ts";

/** Takes the lines of items out. */
export function takeOutLines(
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
export function putInLines(
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
