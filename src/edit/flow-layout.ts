// What changes between braces and brackets: items, and the commas between them.

import { isScalar, Scalar } from "yaml";
import type { Added, CollectionChange } from "./changes.ts";
import type { TextLines } from "./lines.ts";
import type { Splices } from "./splices.ts";
import { endOf, type Collection, type SequenceItem } from "./syntax.ts";
import { flowEntry, inlineText, keyText } from "./write.ts";

/** An item that stays, and what is added behind it. */
interface KeptItem {
  readonly item: SequenceItem;
  readonly added: Added[];
}

/** Takes items out of a flow map or list, and puts others in, so that the commas are right. `isGone`: what to take out. */
export function layOutFlow(
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
    putAlone(collection, first.map((one) => textOf(one, collection)).join(", "), { lines, splices });
    return;
  }
  for (const one of first)
    splices.insert(firstKept.item.start, `${textOf(one, collection)},${separator(firstKept.item, lines)}`);
  for (const [index, { item, added: behind }] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const needsComma = !isLast || hasTrailingComma;
    if (behind.length > 0 && standsAlone(item, lines)) {
      if (item.comma === null) splices.insert(item.end, ",");
      const indent = " ".repeat(lines.column(item.start));
      const texts = behind.map((one, at) => {
        const comma = needsComma || at < behind.length - 1 ? "," : "";
        return [...one.fresh.comments, `${textOf(one, collection)}${comma}`].map((line) => indent + line);
      });
      splices.insertLines(lines.next(item.end), texts.flat());
      continue;
    }
    splices.insert(item.end, behind.map((one) => `, ${textOf(one, collection)}`).join(""));
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

function textOf({ fresh }: Added, collection: Collection): string {
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
