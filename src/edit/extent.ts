// Which lines are an item's own: the comments directly above it, what it says, and what is indented below it.

import type { TextLines } from "./lines.ts";
import type { SequenceItem } from "./syntax.ts";

/** Where the comments begin that stand directly above an item, at its indentation; where its line begins if there are none. */
export function startWithComments(lines: TextLines, { of, index, start }: SequenceItem): number {
  if (!lines.beginsLine(start)) return start;
  const column = lines.column(start);
  // Behind it, a line that looks like a comment may be part of a text.
  const bound = of.items[index - 1]?.end ?? of.parent?.valueAt ?? 0;
  let at = lines.start(start);
  while (at > 0) {
    const above = lines.start(at - 1);
    if (above < bound || lines.commentColumn(above) !== column) break;
    at = above;
  }
  return at;
}

/** Where the line behind an item's last one begins: comments below it that are indented deeper than the item are its own. */
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

/** How many empty lines stand above an item that has another one before it; null where it has none, or does not begin a line. */
export function gapAbove(lines: TextLines, item: SequenceItem | undefined): number | null {
  if (item === undefined || item.index === 0 || !lines.beginsLine(item.start)) return null;
  return lines.blanksAbove(startWithComments(lines, item));
}
