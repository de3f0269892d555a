// Reads times and numbers in the headers of a response.

import type { Header } from "./exchange.ts";

/** The date of a response in ms since the epoch; null if it has none. */
export function timeOf(header: Header): number | null {
  const time = Date.parse(header("date") ?? "");
  return Number.isNaN(time) ? null : time;
}

/**
 * The seconds of `Retry-After`, which has a number or a date; null without one. A date is compared with the date of the response, because
 * clocks differ, or with `now` (ms since the epoch).
 */
export function retryAfter(header: Header, now: number): number | null {
  const text = header("retry-after")?.trim() ?? "";
  const date = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return wholeNumber(text);
  return Math.max(Math.ceil((date - (timeOf(header) ?? now)) / 1000), 0);
}

/** A proxy with its own limit may add a second value; the first one is the server's. */
export function wholeNumber(text: string | null): number | null {
  const number = /^\s*(\d+)\s*(,|$)/.exec(text ?? "")?.[1];
  return number === undefined ? null : Number(number);
}
