// The fields of a change, one below the other: a label, and the value or what becomes of it.

import type { ResourceKind } from "../../domain/table.ts";
import { diffValue, viewValue } from "../../view/value-diff.ts";
import type { WordChange } from "../../view/values.ts";
import { roomOf, type Screen } from "./screen.ts";
import { behind, diffLines, valueLines, type Line } from "./value.ts";
import { widthOf } from "./width.ts";

/** Columns by which the lines of a change are indented. */
export const INDENT = 4;

/** Between the longest label and the values. */
const GAP = 2;

/** Where values begin that have no room beside their label: an address is never broken. */
const BELOW = 8;

/** Lines for these fields. `isWhole`: only the value after is shown, because there is nothing to compare it with. */
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
  return words.flatMap((word) => {
    const { path } = word;
    const draw = (by: number): Line[] => {
      const pen = { paint, room: columns - by };
      return isWhole ? valueLines(viewValue(word.after), pen) : diffLines(diffValue(kind, word), pen);
    };
    const beside = draw(indent);
    if (beside.every(({ text }) => indent + widthOf(text) <= columns))
      return behind(`${" ".repeat(INDENT)}${path.padEnd(width + GAP)}`, indent, beside);
    return [`${" ".repeat(INDENT)}${path}`, ...behind(" ".repeat(BELOW), BELOW, draw(BELOW))];
  });
}
