// Where text is shown: its colours, and how wide it is.

import pc from "picocolors";

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
export function lineWidth({ columns }: Screen): number {
  return columns ?? DEFAULT_COLUMNS;
}

export type Paint = ReturnType<typeof pc.createColors>;

/** Colours for a terminal, or functions that leave text as it is. */
export function createPaint(color: boolean): Paint {
  return pc.createColors(color);
}

/** Whether to colour: NO_COLOR counts when not empty, FORCE_COLOR overrides it (no-color.org), else a terminal decides. */
export function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}
