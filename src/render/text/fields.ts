// The fields of a change, one below the other: a label, and the value or what becomes of it.

import { fieldAt, type ResourceKind } from "../../domain/table.ts";
import { roomOf, type Screen } from "./screen.ts";
import { behind, changedLines, newLines, type Line } from "./value.ts";
import { widthOf } from "./width.ts";
import type { WordChange } from "../../view/values.ts";

/** What is said of a change stands below it, so many columns in. */
export const INDENT = 4;

/** Between the longest label and the values. */
const GAP = 2;

/** Where values begin that have no room beside their label: an address is never broken. */
const BELOW = 8;

/** Lines for these fields; `isWhole`: the value after stands alone, for there is nothing to hold it against. */
export function fieldLines(
  kind: ResourceKind,
  words: readonly WordChange[],
  isWhole: boolean,
  screen: Screen,
): string[] {
  const { paint } = screen;
  const columns = roomOf(screen);
  const width = Math.max(0, ...words.map(({ path }) => path.length));
  const indent = INDENT + width + GAP;
  return words.flatMap(({ path, before, after }) => {
    const isOrdered = fieldAt(kind, path)?.kind === "list";
    const draw = (by: number): Line[] => {
      const pen = { paint, room: columns - by };
      return isWhole ? newLines(after, pen) : changedLines(before, after, isOrdered, pen);
    };
    const beside = draw(indent);
    if (beside.every(({ text }) => indent + widthOf(text) <= columns))
      return behind(`${" ".repeat(INDENT)}${path.padEnd(width + GAP)}`, indent, beside);
    return [`${" ".repeat(INDENT)}${path}`, ...behind(" ".repeat(BELOW), BELOW, draw(BELOW))];
  });
}
