// A value written where another one stands, or where none does.

import { isMap, isScalar, isSeq, Scalar, type Node as YamlNode } from "yaml";
import { endOfLines } from "./extent.ts";
import type { Fresh } from "./fresh.ts";
import type { TextLines } from "./lines.ts";
import type { Splices } from "./splices.ts";
import { endOf, type SequenceItem } from "./syntax.ts";
import { contentLines, hasLines, inlineText, type Quoting, scalarText } from "./write.ts";

export interface LayoutLines {
  readonly lines: TextLines;
  readonly splices: Splices;
  /** What a level is indented by. */
  readonly step: string;
}

/** Writes a value; comments beside the old one stay, an anchor too. */
export function layOutValue(item: SequenceItem, fresh: Fresh, sheet: LayoutLines): void {
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

export function quotingOf({ type }: Scalar): Quoting {
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
