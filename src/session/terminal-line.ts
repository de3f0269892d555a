// The last line of a terminal, which is rewritten in place. All other output goes above it.

import { withoutCommands } from "../domain/control-characters.ts";
import { wrap } from "../report/text/width.ts";

/** A stream. A terminal has columns. */
export type OutStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/**
 * Erases everything from the first column. The cursor stays there, so that this also erases what a terminal wrapped when it
 * became narrower. Hiding the cursor is not needed, and a killed process cannot leave it hidden.
 */
const CLEAR = "\r\u001b[J";

/** Erases the rest of a longer line. */
const END = "\u001b[J\r";

/** The width of a terminal of unknown size. */
const COLUMNS = 80;

/** Writes to stderr, with a changing line below it on a terminal. */
export class TerminalLine {
  readonly isTerminal: boolean;
  readonly #stream: OutStream;
  #shown = "";

  /** `env`: a terminal with `TERM=dumb` cannot rewrite a line. */
  constructor(stream: OutStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true && env["TERM"] !== "dumb";
  }

  /** The most characters of the line. */
  get columns(): number {
    return this.#stream.columns || COLUMNS;
  }

  /** Shows a text without line breaks that fits. An empty text removes the line. */
  show(text: string): void {
    if (!this.isTerminal || text === this.#shown) return;
    this.#shown = text;
    this.#stream.write(text === "" ? CLEAR : `\r${text}${END}`);
  }

  /** Writes lines above it. Each ends with a line break. */
  print(lines: string): void {
    if (lines === "") return;
    const safe = withoutCommands(lines);
    this.#stream.write(this.#shown === "" ? safe : `${CLEAR}${safe}${this.#shown}${END}`);
  }

  /** Writes a sentence above it, after anything that the terminal echoed, such as `^C`. */
  breakIn(prose: string): void {
    const lines = `${wrap(prose, this.isTerminal ? this.columns : null, 0)}\n`;
    if (this.#shown !== "") this.print(lines);
    else this.#stream.write(`${this.isTerminal ? CLEAR : "\n"}${lines}`);
  }
}
