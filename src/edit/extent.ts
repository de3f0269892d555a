// Which lines belong to an item: comments directly above it, its value, and comments indented below it.

import type { TextLines } from "./lines.ts";
import type { SequenceItem } from "./syntax.ts";

/** The start of the comments directly above an item at its indentation, or of its line. */
export function startWithComments(lines: TextLines, { of, index, start }: SequenceItem): number {
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
export function endOfLines(lines: TextLines, { start, end }: SequenceItem): number {
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
export function gapAbove(lines: TextLines, item: SequenceItem | undefined): number | null {
  if (item === undefined || item.index === 0 || !lines.beginsLine(item.start)) return null;
  return lines.blanksAbove(startWithComments(lines, item));
}
