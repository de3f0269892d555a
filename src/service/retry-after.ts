// How long a 429 asks to wait (observed.md, "Rate limit").

/** What a 429 without a usable Retry-After costs, in seconds: the service's window is a minute. */
const DEFAULT_WAIT = 60;
const LONGEST_WAIT = 3600;

/** Seconds to wait, from 1 to 3600. HTTP has two forms of the header: a number of seconds, and a date. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : text.endsWith("GMT")
      ? Math.ceil((Date.parse(text) - now) / 1000)
      : Number.NaN;
  return Number.isNaN(seconds) ? DEFAULT_WAIT : Math.min(Math.max(seconds, 1), LONGEST_WAIT);
}
