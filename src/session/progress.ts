// The progress line at the bottom of a terminal. Short runs do not show it.

import type { Clock } from "../domain/clock.ts";
import { secondsAtLimit, type RateLimit } from "../service/limit.ts";
import type { ListProgress } from "../service/transport.ts";
import type { TerminalLine } from "./terminal-line.ts";

const SHOW_AFTER_MS = 700;

const TICK_MS = 100;

/** The remaining time is estimated after this many steps. */
const MIN_STEPS = 10;

/** A shorter remaining time is not shown. */
const MIN_SECONDS_SHOWN = 10;

const DOING = { "look-up": "Looking up links", apply: "Applying", verify: "Verifying" } as const;

/** All requests wait. */
interface Waiting {
  readonly why: "limit" | "outage";
  readonly seconds: number;
}

/** Counted steps with about the same number of requests each. */
interface Count {
  readonly what: keyof typeof DOING;
  readonly of: number;
  /** The requests of all steps, and those that follow. */
  readonly requests: number;
  readonly after: number;
  readonly startedAt: number;
  readonly underWay: Set<unknown>;
  readonly done: Set<unknown>;
}

/** Counts steps by their values: ending one twice counts once. */
export interface ProgressSteps {
  begin(step: unknown): void;
  end(step: unknown): void;
}

export class Progress {
  readonly #line: TerminalLine;
  readonly #clock: Clock;
  readonly #isShown: boolean;
  readonly #lists = new Map<object, ListProgress>();
  /** The rate limit that the service reported. */
  #limit: () => RateLimit | null = () => null;
  #count: Count | null = null;
  #wait: { readonly why: Waiting["why"]; readonly until: number } | null = null;
  #ticking: AbortController | null = null;

  /** `isWanted` is false with `--quiet`. */
  constructor(line: TerminalLine, clock: Clock, isWanted: boolean) {
    this.#line = line;
    this.#clock = clock;
    this.#isShown = isWanted && line.isTerminal;
  }

  /** Shows the line if the run takes long, until `stop`. */
  start(limit: () => RateLimit | null): void {
    this.#limit = limit;
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
    this.#wait = null;
    this.#line.show("");
  }

  /** A page of a list was read. */
  list(progress: ListProgress): void {
    // A list of one page needs no progress.
    if (progress.isOver || progress.pages === 1) this.#lists.delete(progress.list);
    else this.#lists.set(progress.list, progress);
  }

  /** Begins steps of this kind. `requests` is the number of their requests, `after` the number of requests after them. */
  count(what: Count["what"], of: number, requests: number = of, after: number = 0): ProgressSteps {
    const [underWay, done] = [new Set<unknown>(), new Set<unknown>()];
    this.#count = { what, of, requests, after, startedAt: this.#clock.now(), underWay, done };
    return {
      begin: (step) => void underWay.add(step),
      end: (step) => {
        underWay.delete(step);
        done.add(step);
      },
    };
  }

  /** All requests wait. Returns whether the line shows that, so that no notice is needed. */
  wait(seconds: number, why: Waiting["why"]): boolean {
    if (this.#ticking === null) return false;
    this.#wait = { why, until: this.#clock.now() + seconds * 1000 };
    return true;
  }

  async #tick(signal: AbortSignal): Promise<void> {
    const longAt = this.#clock.now() + SHOW_AFTER_MS;
    while (!signal.aborted) {
      // A wait is shown at once.
      if (this.#clock.now() >= longAt || this.#waiting() !== null) this.#draw();
      await this.#clock.sleep(TICK_MS, signal).catch(() => null);
    }
  }

  #draw(): void {
    const lists = [...this.#lists.values()].toSorted((a, b) => pagesLeft(b) - pagesLeft(a) || 0);
    const [doing, waiting] = [this.#doing(lists[0]), this.#waiting()];
    const left = this.#secondsLeft(lists);
    const first = waiting === null ? [doing] : [waitingText(waiting), doing.charAt(0).toLowerCase() + doing.slice(1)];
    // The waiting part shows its own seconds already.
    const showsLeft = left >= (waiting?.seconds ?? 0) + MIN_SECONDS_SHOWN;
    this.#line.show(fitted([...first, ...(showsLeft ? [`about ${rounded(left)} left`] : [])], this.#line.columns));
  }

  #waiting(): Waiting | null {
    const seconds = this.#wait === null ? 0 : (this.#wait.until - this.#clock.now()) / 1000;
    return this.#wait === null || seconds <= 0 ? null : { why: this.#wait.why, seconds };
  }

  /** Shows a list instead of the steps until it is read. */
  #doing(list: ListProgress | undefined): string {
    const count = this.#count;
    if (list !== undefined) {
      const of = list.path.slice(list.path.lastIndexOf("/") + 1);
      return `Reading ${of}${count?.what === "verify" ? " again" : ""}: page ${list.read} of ${list.pages}`;
    }
    if (count === null) return "Connecting to the service";
    const { what, of, done, underWay } = count;
    const running = what === "apply" && underWay.size > 0 ? `, ${underWay.size} in progress` : "";
    return `${DOING[what]}: ${done.size} of ${of}${running}`;
  }

  #secondsLeft(lists: readonly ListProgress[]): number {
    const count = this.#count;
    const share = count === null || count.of === 0 ? 0 : 1 - count.done.size / count.of;
    const requests =
      lists.length > 0
        ? lists.reduce((sum, list) => sum + pagesLeft(list), 0)
        : (count?.requests ?? 0) * share + (count?.after ?? 0);
    return Math.max(this.#secondsAtLimit(Math.ceil(requests)), count === null ? 0 : this.#secondsAtPace(count));
  }

  /** The remaining time by the rate limit. After a wait, a new window begins. */
  #secondsAtLimit(requests: number): number {
    const limit = this.#limit();
    if (limit === null) return 0;
    const waiting = this.#waiting();
    return waiting?.why === "limit"
      ? waiting.seconds + secondsAtLimit(requests, { ...limit, left: limit.perMinute })
      : secondsAtLimit(requests, limit);
  }

  /** The remaining time by the speed of the finished steps. */
  #secondsAtPace({ done, of, startedAt }: Count): number {
    if (done.size < MIN_STEPS) return 0;
    return (((this.#clock.now() - startedAt) / done.size) * (of - done.size)) / 1000;
  }
}

function pagesLeft({ read, pages }: ListProgress): number {
  return Math.max(pages - read, 0);
}

function waitingText({ why, seconds }: Waiting): string {
  const left = `${Math.ceil(seconds)} s`;
  return why === "limit" ? `Waiting for the rate limit: ${left}` : `The service does not respond: retrying in ${left}`;
}

/** Rounded, because it is an estimate. */
function rounded(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}

/** The line in at most `columns`: parts that do not fit are dropped from the end. On some terminals `·` and `…` are two columns wide. */
function fitted(parts: readonly string[], columns: number): string {
  const text = parts.join(" · ");
  // Text in the last column wraps.
  if (text.length + parts.length - 1 < columns) return text;
  return parts.length > 1 ? fitted(parts.slice(0, -1), columns) : `${text.slice(0, Math.max(columns - 3, 0))}…`;
}
