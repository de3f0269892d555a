// What an answer says about the rate limit (observed.md, "Rate limit").

import type { Header } from "../http/exchange.ts";

/** What a 429 without a word on how long costs, in seconds: the service's window is a minute. */
const DEFAULT_WAIT = 60;
const LONGEST_WAIT = 3600;

/** The service's last word on how many requests it still takes. */
export interface LimitHeaders {
  /** Requests that it takes in a window, as `X-RateLimit-Limit` says. */
  readonly limit: number | null;
  /** Requests left in this window; null where the service does not say. */
  readonly remaining: number | null;
  /** Seconds to wait before the next request, 0 where there is nothing to wait for. */
  readonly wait: number;
}

/** How many requests the service takes, by its last word. */
export interface RateLimit {
  /** At least 1. The header does not say how long a window is; it was seen to be a minute (observed.md, "Rate limit"). */
  readonly perMinute: number;
  /** Requests left in this window; null where the service does not say. */
  readonly left: number | null;
}

/**
 * About how many seconds so many more requests take at the service's limit: 0 where they fit in what is left of this
 * window. Whole minutes, for how much of this window is over nobody knows; each window's requests go at once.
 */
export function secondsAtLimit(requests: number, { perMinute, left }: RateLimit): number {
  const later = Math.max(requests - (left ?? perMinute), 0);
  return Math.ceil(later / perMinute) * 60;
}

/** Reads the headers of an answer; `now` is in ms since the epoch, for answers that don't say their own time. */
export function readLimit(status: number, header: Header, now: number): LimitHeaders {
  const remaining = wholeNumber(header("x-ratelimit-remaining"));
  const time = timeOf(header) ?? now;
  const reset = secondsUntilReset(header("x-ratelimit-reset"), time);
  const limit = wholeNumber(header("x-ratelimit-limit"));
  // On the account's limit a 429 can still say `X-RateLimit-Remaining: 29`: the status and Retry-After are trusted.
  if (status === 429) {
    const wait = retryAfter(header("retry-after"), time) ?? reset ?? DEFAULT_WAIT;
    return { limit, remaining, wait: Math.min(Math.max(wait, 1), LONGEST_WAIT) };
  }
  return { limit, remaining, wait: remaining === 0 && reset !== null ? Math.min(reset, LONGEST_WAIT) : 0 };
}

/** When the answer was made by its own clock, in ms since the epoch; null where it does not say. */
export function timeOf(header: Header): number | null {
  const time = Date.parse(header("date") ?? "");
  return Number.isNaN(time) ? null : time;
}

/** HTTP has two forms of the header: a number of seconds, and a date. */
function retryAfter(text: string | null, now: number): number | null {
  if (text === null || wholeNumber(text) !== null) return wholeNumber(text);
  const date = text.trim().endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.ceil((date - now) / 1000);
}

/** The header holds an epoch in seconds; a time that has passed, or lies far off, says nothing. */
function secondsUntilReset(text: string | null, now: number): number | null {
  const epoch = wholeNumber(text);
  const seconds = epoch === null ? 0 : Math.ceil(epoch - now / 1000);
  return seconds > 0 && seconds <= LONGEST_WAIT ? seconds : null;
}

/** Where a proxy has a limit of its own there may be two; the first is the nearest to the service. */
function wholeNumber(text: string | null): number | null {
  const number = /^\s*(\d+)\s*(,|$)/.exec(text ?? "")?.[1];
  return number === undefined ? null : Number(number);
}
