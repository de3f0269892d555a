// Lines and tones on a terminal.

import { visible } from "../../domain/control-characters.ts";
import type { Cell, Line } from "../blocks.ts";
import type { Screen } from "./screen.ts";

export function lineText(line: Line, { paint }: Screen): string {
  return line
    .map(({ text, as }) => {
      if (as === "text" || as === "strong") return as === "strong" ? paint.bold(text) : text;
      if (as === "strong code") return paint.bold(visible(text));
      return visible(text);
    })
    .join("");
}

export function colorOf(tone: Cell["tone"], { paint }: Screen): (text: string) => string {
  const calm = (text: string): string => text;
  return { good: paint.green, warn: paint.yellow, bad: paint.red, calm, muted: paint.dim }[tone];
}
