// The last line of a terminal, which is rewritten in place, and the progress that it shows. All other output goes above it.

import type { Clock } from "../domain/clock.ts";
import { withoutCommands } from "../domain/control-characters.ts";
import { wrap } from "../report/text/screen.ts";
import type { ListProgress } from "../service/transport.ts";

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

/** Shorter runs do not show progress. */
const SHOW_AFTER_MS = 700;
const TICK_MS = 100;

const DOING = { apply: "Applying", verify: "Verifying", check: "Asking destinations" } as const;

interface Count {
  readonly what: keyof typeof DOING;
  readonly of: number;
  readonly done: ReadonlySet<unknown>;
}

export class Progress {
  readonly #line: TerminalLine;
  readonly #clock: Clock;
  readonly #isShown: boolean;
  readonly #lists = new Map<object, ListProgress>();
  #count: Count | null = null;
  #ticking: AbortController | null = null;

  /** `isWanted` is false with `--quiet`. */
  constructor(line: TerminalLine, clock: Clock, isWanted: boolean) {
    this.#line = line;
    this.#clock = clock;
    this.#isShown = isWanted && line.isTerminal;
  }

  /** Shows the line if the run takes long, until `stop`. */
  start(): void {
    if (!this.#isShown || this.#ticking !== null) return;
    this.#ticking = new AbortController();
    void this.#tick(this.#ticking.signal);
  }

  stop(): void {
    this.#ticking?.abort();
    this.#ticking = null;
    this.#lists.clear();
    this.#count = null;
    this.#line.show("");
  }

  list(list: object, progress: ListProgress | null): void {
    // A list of one page needs no progress.
    if (progress === null || progress.pages === 1) this.#lists.delete(list);
    else this.#lists.set(list, progress);
  }

  /** Begins steps of this kind. Add each step to the result when it has ended. */
  count(what: Count["what"], of: number): Set<unknown> {
    const done = new Set<unknown>();
    this.#count = { what, of, done };
    return done;
  }

  async #tick(signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(SHOW_AFTER_MS, signal).catch(() => null);
    while (!signal.aborted) {
      const text = this.#doing();
      const { columns } = this.#line;
      // Text in the last column wraps, and on some terminals `…` is two columns wide.
      this.#line.show(text.length < columns ? text : `${text.slice(0, Math.max(columns - 3, 0))}…`);
      await this.#clock.sleep(TICK_MS, signal).catch(() => null);
    }
  }

  /** Shows the list with the most pages left instead of the steps until it is read. */
  #doing(): string {
    const [list] = [...this.#lists.values()].toSorted((a, b) => b.pages - b.read - (a.pages - a.read));
    const count = this.#count;
    if (list !== undefined) {
      const of = list.path.slice(list.path.lastIndexOf("/") + 1);
      return `Reading ${of}${count?.what === "verify" ? " again" : ""}: page ${list.read} of ${list.pages}`;
    }
    return count === null ? "Reading the account" : `${DOING[count.what]}: ${count.done.size} of ${count.of}`;
  }
}
