// How wide text is on a terminal, and prose in lines of that width.

import stringWidth from "fast-string-width";

/** Columns that a text takes up: none for combining signs, two for most of Chinese, Japanese and Korean, and for emoji. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** What can't be broken: a word, and what stands in backticks, which people copy. */
const PIECES = /[^\s`]*`[^`]*`[^\s`]*|\S+/g;

/**
 * Breaks prose between words into lines of at most `columns`; a word that is longer has a line of its own. Null: one line.
 * Lines after the first begin with `indent` spaces, and the first has `before` columns less.
 */
export function wrap(text: string, columns: number | null, indent: number, before: number = indent): string {
  if (columns === null) return text;
  const lines: string[] = [];
  let line = "";
  let left = columns - before;
  for (const word of text.match(PIECES)?.flatMap((piece) => unlessTooLong(piece, columns - indent)) ?? []) {
    const width = widthOf(word);
    if (line !== "" && width + 1 > left) {
      lines.push(line);
      [line, left] = ["", columns - indent];
    }
    left -= line === "" ? width : width + 1;
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** What would leave no room for anything beside it is broken all the same. */
function unlessTooLong(piece: string, columns: number): string[] {
  return widthOf(piece) > columns ? (piece.match(/\S+/g) ?? []) : [piece];
}
