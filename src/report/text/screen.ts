// The colors and the width of a terminal, and lines in these colors.

import pc from "picocolors";
import { visible } from "../../domain/control-characters.ts";
import type { Line, Tone } from "../blocks.ts";

export interface Screen {
  readonly paint: Paint;
  /** The width of the terminal; null for a file or a pipe. */
  readonly columns: number | null;
  readonly isVerbose?: boolean;
}

/** A file or a pipe: no colors, no width. */
export const PLAIN: Screen = { paint: createPaint(false), columns: null };

const DEFAULT_COLUMNS = 100;

export function lineWidth({ columns }: Screen): number {
  return columns ?? DEFAULT_COLUMNS;
}

export type Paint = ReturnType<typeof pc.createColors>;

/** Color functions; without color they return the text unchanged. */
export function createPaint(color: boolean): Paint {
  return pc.createColors(color);
}

/** Whether to use color: NO_COLOR counts if it is not empty (no-color.org), and FORCE_COLOR overrides it. */
export function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}

export function lineText(line: Line, { paint }: Screen): string {
  return line
    .map(({ text, as }) => {
      const shown = as === "text" || as === "strong" ? text : visible(text);
      return as === "strong" || as === "strong code" ? paint.bold(shown) : shown;
    })
    .join("");
}

export function colorOf(tone: Tone, { paint }: Screen): (text: string) => string {
  const calm = (text: string): string => text;
  return { good: paint.green, warn: paint.yellow, bad: paint.red, calm, muted: paint.dim }[tone];
}
