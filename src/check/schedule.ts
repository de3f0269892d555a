// When `check` sends its requests: 16 at once, one to each host at a time, and not before the host wants it.

import pLimit, { type LimitFunction } from "p-limit";
import type { AskOptions } from "./ask.ts";

const AT_ONCE = 16;

/** Milliseconds between a request to a host and the next one. */
const PAUSE = 500;

/** The milliseconds in all that a run waits for a host that asks to. A host that asks for more is not asked again. */
const MOST_WAIT = 120_000;

interface Host {
  /** One request at a time. */
  readonly limit: LimitFunction;
  /** The time of the next request; Infinity for never. */
  next: number;
  waited: number;
}

export class Schedule {
  readonly #options: Pick<AskOptions, "clock" | "signal" | "deadline">;
  readonly #all = pLimit(AT_ONCE);
  readonly #hosts = new Map<string, Host>();

  constructor(options: Pick<AskOptions, "clock" | "signal" | "deadline">) {
    this.#options = options;
  }

  /** Whether the deadline is before the time in this number of milliseconds. */
  isLate(ms: number): boolean {
    const { clock, deadline } = this.#options;
    return deadline !== null && clock.now() + ms > deadline;
  }

  /**
   * Sends a request when it is the host's turn. Its result has the milliseconds for which the host asks to wait, or null. Resolves to the
   * reason if the request cannot be sent. Throws the reason of an aborted signal.
   */
  send<Result extends { readonly wait: number | null }>(
    name: string,
    request: () => Promise<Result>,
  ): Promise<Result | string> {
    const { clock, signal } = this.#options;
    const host = this.#hosts.get(name) ?? { limit: pLimit(1), next: 0, waited: 0 };
    this.#hosts.set(name, host);
    return host.limit(async () => {
      if (host.next === Infinity) return "the host asks to wait too long";
      const ms = Math.max(host.next - clock.now(), 0);
      if (!this.isLate(ms)) await clock.sleep(ms, signal);
      return this.#all(async () => {
        if (this.isLate(0)) return "not asked in time";
        signal.throwIfAborted();
        const result = await request();
        host.waited += result.wait ?? 0;
        host.next = host.waited > MOST_WAIT ? Infinity : clock.now() + Math.max(result.wait ?? 0, PAUSE);
        return result;
      });
    });
  }
}
