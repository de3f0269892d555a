// The colors and the width of a terminal, and the width and wrapping of text.

import stringWidth from "fast-string-width";
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

export function lineWidth({ columns }: Screen): number {
  return columns ?? 100;
}

export type Paint = ReturnType<typeof pc.createColors>;

/** Without color, the functions return the text unchanged. */
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

export type Color = (text: string) => string;

export function colorOf(tone: Tone, { paint }: Screen): Color {
  return { good: paint.green, warn: paint.yellow, bad: paint.red, calm: String, muted: paint.dim }[tone];
}

export function wrapLine(line: Line, screen: Screen, indent: number, before: number = indent): string {
  return wrap(lineText(line, screen), screen.columns, indent, before);
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// oxlint-disable-next-line no-control-regex -- color codes begin with a control character
const COLOR_CODES = /\u001b\[[\d;]*m/g;

/** In columns: 0 for combining characters, 2 for most of Chinese, Japanese and Korean, and for emoji. */
export function widthOf(text: string): number {
  const bare = text.includes("\u001b") ? text.replaceAll(COLOR_CODES, "") : text;
  return PRINTABLE_ASCII.test(bare) ? bare.length : stringWidth(text);
}

let segmenter: Intl.Segmenter | null = null;

/** What a reader takes for one character each. */
export function graphemesOf(text: string): string[] {
  // Creating one takes 10 ms, and most runs need none.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function fitting(pieces: readonly string[], width: number): readonly string[] {
  let used = 0;
  const at = pieces.findIndex((piece) => (used += widthOf(piece)) > width);
  return at < 0 ? pieces : pieces.slice(0, at);
}

/** A wider text stays as it is. */
export function pad(text: string, width: number, isRight: boolean = false): string {
  const blank = " ".repeat(Math.max(width - widthOf(text), 0));
  return isRight ? `${blank}${text}` : `${text}${blank}`;
}

/** The space before a piece, and the piece: a word, or text in backticks, which is not broken because people copy it. */
const PIECES = /(\s*)((?:`[^`]*`|\S)+)/g;

const IRREGULAR_SPACES = /^\s|\s$|[^\S ]/;

/** Wraps prose between words, unless `columns` is null. The first line starts at column `before`. Double spaces in names are kept. */
export function wrap(text: string, columns: number | null, indent: number, before: number = indent): string {
  if (columns === null || (!IRREGULAR_SPACES.test(text) && widthOf(text) <= columns - before)) return text;
  const lines: string[] = [];
  let line = "";
  let left = columns - before;
  for (const [, gap = "", word = ""] of text.matchAll(PIECES)) {
    if (line !== "" && widthOf(word) + gap.length > left) {
      lines.push(line);
      [line, left] = ["", columns - indent];
    }
    const added = line === "" ? word : `${gap}${word}`;
    left -= widthOf(added);
    line += added;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** Colors each line separately: some logs lose a color at the end of a line. */
export function colorLines(text: string, color: Color): string {
  return text.replaceAll(/[^\n]+/g, (line) => color(line));
}
