// The progress line at the bottom of a terminal. Short runs do not show it.

import type { Clock } from "../domain/clock.ts";
import type { ListProgress } from "../service/transport.ts";
import type { TerminalLine } from "./terminal-line.ts";

const SHOW_AFTER_MS = 700;

const TICK_MS = 100;

const DOING = { apply: "Applying", verify: "Verifying", check: "Asking destinations" } as const;

/** Counted steps. */
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
  /** Why all requests wait, and until when. */
  #wait: { readonly why: "limit" | "outage"; readonly until: number } = { why: "limit", until: 0 };
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

  /** Removes the line. */
  stop(): void {
    this.#ticking?.abort();
    this.#ticking = null;
    this.#lists.clear();
    this.#count = null;
    this.#wait = { why: "limit", until: 0 };
    this.#line.show("");
  }

  /** A page of a list was read. */
  list(progress: ListProgress): void {
    // A list of one page needs no progress.
    if (progress.isOver || progress.pages === 1) this.#lists.delete(progress.list);
    else this.#lists.set(progress.list, progress);
  }

  /** Begins steps of this kind. Add each step to the result when it has ended. */
  count(what: Count["what"], of: number): Set<unknown> {
    const done = new Set<unknown>();
    this.#count = { what, of, done };
    return done;
  }

  /** All requests wait. Returns whether the line shows that, so that no notice is needed. */
  wait(seconds: number, why: "limit" | "outage"): boolean {
    if (this.#ticking === null) return false;
    this.#wait = { why, until: this.#clock.now() + seconds * 1000 };
    return true;
  }

  async #tick(signal: AbortSignal): Promise<void> {
    const longAt = this.#clock.now() + SHOW_AFTER_MS;
    while (!signal.aborted) {
      const seconds = Math.ceil((this.#wait.until - this.#clock.now()) / 1000);
      // A wait is shown at once.
      if (seconds > 0 || this.#clock.now() >= longAt) this.#line.show(fitted(this.#text(seconds), this.#line.columns));
      await this.#clock.sleep(TICK_MS, signal).catch(() => null);
    }
  }

  /** What the run does, after the seconds that it still waits. */
  #text(seconds: number): string {
    const doing = this.#doing();
    if (seconds <= 0) return doing;
    const waiting =
      this.#wait.why === "limit" ? "Waiting for the rate limit:" : "The service does not respond: retrying in";
    return `${waiting} ${seconds} s · ${doing.charAt(0).toLowerCase()}${doing.slice(1)}`;
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

/** The line in at most `columns`. Text in the last column wraps, and on some terminals `·` and `…` are two columns wide. */
function fitted(text: string, columns: number): string {
  return text.length + 1 < columns ? text : `${text.slice(0, Math.max(columns - 4, 0))}…`;
}
