// When `check` sends its requests: 16 at once, one to each host at a time, and not before the host wants it.

import { setMaxListeners } from "node:events";
import pLimit, { type LimitFunction } from "p-limit";
import type { AskOptions } from "./ask.ts";
import { NoReply, type Reply } from "./request.ts";

const AT_ONCE = 16;

/** Milliseconds between a request to a host and the next one. */
const PAUSE = 500;

/** How often and how long, in milliseconds, a run waits for a host. One that asks for more is not asked again. */
const MOST_WAITS = 3;
const LONGEST_WAIT = 120_000;

interface Host {
  readonly limit: LimitFunction;
  /** The time of the next request, or Infinity. */
  next: number;
  waits: number;
}

const LATE = "not asked in time";

export class Schedule {
  readonly #options: AskOptions;
  readonly #all = pLimit(AT_ONCE);
  readonly #hosts = new Map<string, Host>();

  constructor(options: AskOptions) {
    this.#options = options;
    // Node warns of more than 10 listeners, and each request and each wait has one.
    setMaxListeners(0, options.signal);
  }

  /** Whether the deadline is before the time in this number of milliseconds. */
  isLate(ms: number): boolean {
    const { clock, deadline } = this.#options;
    return deadline !== null && clock.now() + ms > deadline;
  }

  /** Sends a request when it is the host's turn, and again after the host asked to wait. Throws the reason of an aborted signal. */
  send(name: string, request: () => Promise<Reply>): Promise<Reply> {
    const host = this.#hosts.get(name) ?? { limit: pLimit(1), next: 0, waits: 0 };
    this.#hosts.set(name, host);
    return host.limit(async () => {
      for (let last: Reply | null = null; ;) {
        const sent = await this.#sendNext(host, request);
        if (typeof sent === "string") return last ?? new NoReply("unknown", sent).reply;
        if (sent.wait === 0) return sent;
        last = sent;
      }
    });
  }

  /** Returns the reason if the request cannot be sent. */
  async #sendNext(host: Host, request: () => Promise<Reply>): Promise<Reply | string> {
    const { clock, signal } = this.#options;
    const ms = Math.max(host.next - clock.now(), 0);
    if (ms === Infinity) return "the host asks to wait too long";
    if (this.isLate(ms)) return LATE;
    await clock.sleep(ms, signal);
    return this.#all(async () => {
      signal.throwIfAborted();
      if (this.isLate(0)) return LATE;
      const reply = await request();
      if (reply.wait > 0) host.waits += 1;
      const isPatient = reply.wait <= LONGEST_WAIT && host.waits <= MOST_WAITS;
      host.next = isPatient ? clock.now() + Math.max(reply.wait, PAUSE) : Infinity;
      return reply;
    });
  }
}
