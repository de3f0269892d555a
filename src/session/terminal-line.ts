// The last line of a terminal: rewritten in place, and whatever else is written goes above it.

import { withoutCommands } from "../domain/control-characters.ts";
import { wrap } from "../render/text/width.ts";
import type { OutStream } from "./context.ts";

/**
 * From the first column on, all is erased. The line is left with the cursor there, so that this also takes away what a terminal
 * has wrapped of it that was made narrower; and there is no cursor to hide, which a kill would leave hidden.
 */
const CLEAR = "\r\u001b[J";

/** Erases what an earlier, longer line has left behind this one. */
const END = "\u001b[J\r";

/** A terminal that does not know its size. */
const COLUMNS = 80;

/** What is written to stderr, and below it one line that changes. Elsewhere than on a terminal there is no such line. */
export class TerminalLine {
  readonly isTerminal: boolean;
  readonly #stream: OutStream;
  #shown = "";

  /** `env`: a TERM of `dumb` can't rewrite a line. */
  constructor(stream: OutStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true && env["TERM"] !== "dumb";
  }

  /** Characters that a line can have here. */
  get columns(): number {
    return this.#stream.columns || COLUMNS;
  }

  /** Shows a text that has no line breaks and fits; an empty one takes the line away. */
  show(text: string): void {
    if (!this.isTerminal || text === this.#shown) return;
    this.#shown = text;
    this.#stream.write(text === "" ? CLEAR : `\r${text}${END}`);
  }

  /** Writes lines above. Each ends with a line break. */
  print(lines: string): void {
    if (lines === "") return;
    const safe = withoutCommands(lines);
    this.#stream.write(this.#shown === "" ? safe : `${CLEAR}${safe}${this.#shown}${END}`);
  }

  /** Writes prose above, behind what the terminal itself may have written: the `^C` of Ctrl-C. */
  breakIn(prose: string): void {
    const lines = `${wrap(prose, this.isTerminal ? this.columns : null, 0)}\n`;
    if (this.#shown !== "") this.print(lines);
    else this.#stream.write(`${this.isTerminal ? CLEAR : "\n"}${lines}`);
  }
}
