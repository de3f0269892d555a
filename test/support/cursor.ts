// Marked places in the text of a test: `▮` is a cursor, `«…»` is an underlined range.

import type { Position, Range } from "vscode-languageserver-protocol";

/** An underlined range: the text, and its start and end. */
interface Underlined {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Marked extends Underlined {
  readonly message: string;
}

/** The text without its cursor, and the position of the cursor. Throws if there is none. */
export function cursorIn(marked: string): { text: string; position: Position } {
  const [before, after] = marked.split("▮");
  if (before === undefined || after === undefined) throw new Error("no cursor in this text");
  const lines = before.split("\n");
  return { text: before + after, position: { line: lines.length - 1, character: (lines.at(-1) ?? "").length } };
}

/** The text without its marks, and the marked ranges. */
export function underlinedIn(marked: string): { text: string; underlined: Underlined[] } {
  const underlined: Underlined[] = [];
  let text = "";
  for (const [index, piece] of marked.split(/[«»]/).entries()) {
    if (index % 2 === 1) underlined.push({ text: piece, from: text.length, to: text.length + piece.length });
    text += piece;
  }
  return { text, underlined };
}

/** The text in a range of the protocol. */
export function rangeOf(text: string, { start, end }: Range): Underlined {
  const lines = text.split("\n");
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, character);
  const [from, to] = [offset(start), offset(end)];
  return { text: text.slice(from, to), from, to };
}
