// The progress line at the bottom of a terminal. Short runs do not show it.

import { progressText, type Waiting, type Work } from "../report/text/progress.ts";
import type { Clock } from "../domain/clock.ts";
import { secondsAtLimit, type RateLimit } from "../service/limit.ts";
import type { ListProgress } from "../service/transport.ts";
import type { TerminalLine } from "./terminal-line.ts";

const SHOW_AFTER_MS = 700;

const TICK_MS = 100;

/** The remaining time is estimated after this many steps. */
const MIN_STEPS = 10;

/** Counted steps with about the same number of requests each. */
interface Count {
  readonly what: Exclude<Work["what"], "list">;
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
    const work = this.#work(lists[0]);
    const secondsLeft = this.#secondsLeft(lists);
    this.#line.show(progressText({ work, waiting: this.#waiting(), secondsLeft }, this.#line.columns));
  }

  #waiting(): Waiting | null {
    const seconds = this.#wait === null ? 0 : (this.#wait.until - this.#clock.now()) / 1000;
    return this.#wait === null || seconds <= 0 ? null : { why: this.#wait.why, seconds };
  }

  /** Shows a list instead of the steps until it is read. */
  #work(list: ListProgress | undefined): Work | null {
    if (list !== undefined) {
      const of = list.path.slice(list.path.lastIndexOf("/") + 1);
      return { what: "list", of, page: list.read, pages: list.pages, again: this.#count?.what === "verify" };
    }
    if (this.#count === null) return null;
    const { what, of, done, underWay } = this.#count;
    return what === "apply" ? { what, of, done: done.size, underWay: underWay.size } : { what, of, done: done.size };
  }

  #secondsLeft(lists: readonly ListProgress[]): number | null {
    const count = this.#count;
    if (lists.some(({ pages }) => pages === null)) return null;
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
  return pages === null ? Infinity : Math.max(pages - read, 0);
}
