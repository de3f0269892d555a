// A line of a file as a terminal shows it: which of its characters stand in which columns.

import type { Stretch } from "../../view/redaction.ts";
import { hasUnseen } from "../../domain/control-characters.ts";
import { widthOf } from "./width.ts";

/** What a person takes for one sign, or a stretch that is not shown: from where to where it goes in the line. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
  readonly width: number;
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const CONCEALED = "********";

/** As wide as a step of indentation in most editors; not as wide as in all, so it is shown for what it is. */
const TAB = "→   ";

/**
 * The cells of a line between two indexes, which may lie in the middle of a sign: those at the ends are not to be shown then.
 * What can't be seen or would be obeyed is shown by its number.
 */
export function cellsOf(line: string, [start, end]: Stretch, concealed: readonly Stretch[]): Cell[] {
  const cells: Cell[] = [];
  for (const { segment, index } of GRAPHEMES.segment(line.slice(start, end))) {
    const from = start + index;
    const to = from + segment.length;
    const hidden = concealed.find((stretch) => from >= stretch[0] && from < stretch[1]);
    const last = cells.at(-1);
    if (hidden === undefined) cells.push({ from, to, ...look(segment) });
    else if (last?.shown === CONCEALED && last.to === from && from > hidden[0]) cells.splice(-1, 1, { ...last, to });
    else cells.push({ from, to, shown: CONCEALED, width: CONCEALED.length });
  }
  return cells;
}

function look(sign: string): Pick<Cell, "shown" | "width"> {
  if (sign === "\t") return { shown: TAB, width: TAB.length };
  const width = widthOf(sign);
  // Signs of no width show only together with others.
  const isStrange = hasUnseen(sign) || width === 0;
  if (!isStrange) return { shown: sign, width };
  const shown = Array.from(sign, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join("");
  return { shown, width: shown.length };
}
