// Reads the rate limit and the clock of the service from headers (docs/service.md, "Rate limit").

import type { Clock } from "../domain/clock.ts";
import { retryAfter, timeOf, wholeNumber, type Header } from "../http/exchange.ts";
import { PATHS } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Seconds to wait after a 429 that does not say how long: the service's window is a minute. */
const DEFAULT_WAIT = 60;
const LONGEST_WAIT = 3600;

/** The rate limit, as a response reports it. */
export interface LimitHeaders {
  /** Requests allowed in a window: `X-RateLimit-Limit`. */
  readonly limit: number | null;
  /** Requests left in this window; null if the service does not report it. */
  readonly remaining: number | null;
  /** Seconds to wait before the next request; 0 for none. */
  readonly wait: number;
}

/** The rate limit, as the last response reported it. */
export interface RateLimit {
  /** At least 1. The header does not say how long a window is; it was seen to be a minute (docs/service.md, "Rate limit"). */
  readonly perMinute: number;
  readonly left: number | null;
}

/**
 * Estimates the seconds that this number of requests takes at the service's limit: 0 if they fit into the rest of this window. The
 * result is in whole minutes, because it is unknown when this window began.
 */
export function secondsAtLimit(requests: number, { perMinute, left }: RateLimit): number {
  const later = Math.max(requests - (left ?? perMinute), 0);
  return Math.ceil(later / perMinute) * 60;
}

/** Reads the headers of a response; `now` (ms since the epoch) is used if the response has no date. */
export function readLimit(status: number, header: Header, now: number): LimitHeaders {
  const remaining = wholeNumber(header("x-ratelimit-remaining"));
  const reset = secondsUntilReset(header("x-ratelimit-reset"), timeOf(header) ?? now);
  const limit = wholeNumber(header("x-ratelimit-limit"));
  // At the account's limit, a 429 can still have `X-RateLimit-Remaining: 29`, so the status and Retry-After count.
  if (status === 429) {
    const wait = retryAfter(header, now) ?? reset ?? DEFAULT_WAIT;
    return { limit, remaining, wait: Math.min(Math.max(wait, 1), LONGEST_WAIT) };
  }
  return { limit, remaining, wait: remaining === 0 && reset !== null ? Math.min(reset, LONGEST_WAIT) : 0 };
}

/** The header has an epoch in seconds. A time that has passed or is far off is ignored. */
function secondsUntilReset(text: string | null, now: number): number | null {
  const epoch = wholeNumber(text);
  const seconds = epoch === null ? 0 : Math.ceil(epoch - now / 1000);
  return seconds > 0 && seconds <= LONGEST_WAIT ? seconds : null;
}

/** The rate limit and the clock of the service. */
export interface Bearing {
  readonly limit: LimitHeaders;
  /** Seconds by which the service's clock is ahead of this machine's; null if the response has no date. */
  readonly ahead: number | null;
}

/** Reads the shortest list, for the headers of its response. */
export async function probeLimit(transport: Transport, clock: Clock): Promise<Bearing> {
  const path = PATHS.link.resource;
  const { header } = await transport.send({ method: "GET", path, query: { per_page: 10 } });
  const now = clock.now();
  const time = timeOf(header);
  return { limit: readLimit(200, header, now), ahead: time === null ? null : Math.round((time - now) / 1000) };
}
