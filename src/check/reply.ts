// The reply to one request of `check`: of a response, only the status and a few headers.

import type { Header } from "../http/exchange.ts";
import { retryAfter } from "../http/headers.ts";
import type { Answer, Verdict } from "./ask.ts";

/** The response to a request, or why there is none. */
export interface Reply extends Omit<Answer, "redirects"> {
  /** Null without a response. */
  readonly status: number | null;
  /** The target of a redirect, as the server wrote it. */
  readonly location: string | null;
  /** Milliseconds for which the host asks to wait; 0 if it does not. */
  readonly wait: number;
}

export class NoReply extends Error {
  readonly reply: Reply;

  constructor(verdict: Verdict, reason: string) {
    super(reason);
    this.reply = { verdict, reason, status: null, location: null, wait: 0 };
  }
}

/** Reads a response. `now` is used if it has no date. */
export function readReply(status: number, header: Header, now: number): Reply {
  return {
    verdict: status < 400 ? "alive" : status === 404 || status === 410 ? "dead" : "unknown",
    reason: String(status),
    status,
    location: [301, 302, 303, 307, 308].includes(status) ? header("location") : null,
    wait: status === 429 || status === 503 ? 1000 * (retryAfter(header, now) ?? 0) : 0,
  };
}
