// Where text is shown: its colours, and how wide it is.

import { createPaint, type Paint } from "./paint.ts";

export interface Screen {
  readonly paint: Paint;
  /** Characters in a line of the terminal; null where it is no terminal, so that nobody can say. */
  readonly columns: number | null;
}

/** A file or a pipe: no colours, and no width. */
export const PLAIN: Screen = { paint: createPaint(false), columns: null };

/** Where nobody says how wide a line is: about as wide as a page that is read on a screen. */
const DEFAULT_COLUMNS = 100;

/** Characters that a line has room for. */
export function roomOf({ columns }: Screen): number {
  return columns ?? DEFAULT_COLUMNS;
}
