// How wide text is on a terminal, and prose in lines of that width.

import stringWidth from "fast-string-width";

/** Signs that take a column each. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// oxlint-disable-next-line no-control-regex -- they are what is taken out
const COLOR_CODES = /\u001b\[[\d;]*m/g;

/** Columns that a text takes up: none for combining signs, two for most of Chinese, Japanese and Korean, and for emoji. */
export function widthOf(text: string): number {
  const bare = text.includes("\u001b") ? text.replaceAll(COLOR_CODES, "") : text;
  return PRINTABLE_ASCII.test(bare) ? bare.length : stringWidth(text);
}

/** What stands before a piece, and what can't be broken: a word, and what stands in backticks, which people copy. */
const PIECES = /(\s*)([^\s`]*`[^`]*`[^\s`]*|\S+)/g;
const WORDS = /(\s*)(\S+)/g;

/** Prose of which a line may not be just what it is. */
const IRREGULAR_SPACES = /^\s|\s$|[^\S ]/;

interface WrapPiece {
  readonly gap: string;
  readonly word: string;
}

/**
 * Breaks prose between words into lines of at most `columns`; a word that is longer has a line of its own. Null: one line.
 * Lines after the first begin with `indent` spaces, and the first has `before` columns less. Within a line all is kept as it
 * is: names may hold two spaces side by side.
 */
export function wrap(text: string, columns: number | null, indent: number, before: number = indent): string {
  if (columns === null || (!IRREGULAR_SPACES.test(text) && widthOf(text) <= columns - before)) return text;
  const lines: string[] = [];
  let line = "";
  let left = columns - before;
  for (const { gap, word } of piecesOf(text, columns - indent)) {
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

/** What would leave no room for anything beside it is broken all the same. */
function piecesOf(text: string, columns: number): WrapPiece[] {
  return split(text, PIECES).flatMap((piece) => {
    if (widthOf(piece.word) <= columns) return [piece];
    return split(piece.gap + piece.word, WORDS);
  });
}

function split(text: string, at: RegExp): WrapPiece[] {
  return [...text.matchAll(at)].map(([, gap = "", word = ""]) => ({ gap, word }));
}
