// Colour, where it is wanted; every mark is readable without it.

import pc from "picocolors";

export type Paint = ReturnType<typeof pc.createColors>;

/** Colours for a terminal, or functions that leave text as it is. */
export function createPaint(colour: boolean): Paint {
  return pc.createColors(colour);
}

/** Whether to colour: NO_COLOR counts when not empty, FORCE_COLOR overrides it (no-color.org), else a terminal decides. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}
