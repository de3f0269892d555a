// Which failed requests are sent again, and when.

import type { ServiceError } from "../errors.ts";
import type { Call } from "./call.ts";

/** How often a request is sent before its failure stands. */
export const TRIES = 5;
const FIRST_DELAY = 500;

/** Statuses of a moment, of the service or of a proxy before it. A 429 is waited for and no failure (`pace.ts`). */
const PASSING: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504]);

/**
 * Whether the same request may be sent again. What was never sent may; but no store of which an answer was lost: it may
 * have been made. That is found out by looking (`apply/store.ts`).
 */
export function isRepeatable(call: Call, error: ServiceError): boolean {
  if (error.neverSent) return error.code !== "tls" && error.code !== "proxy";
  return call.method !== "POST" && isPassing(call, error);
}

function isPassing({ mayBeNoPath }: Call, { code, status }: ServiceError): boolean {
  if (code === "unreachable" || code === "timeout") return true;
  if (status === null) return false;
  // A page, or JSON cut short, where there should be an answer.
  const isPage = code === "not-json" && status >= 200 && status < 300;
  return PASSING.has(status) || (isPage && mayBeNoPath !== true);
}

/** Milliseconds to wait after so many tries: 0.5 s, 1 s, 2 s, 4 s, of which half is left to chance. */
export function backoff(tries: number, random: number): number {
  return FIRST_DELAY * 2 ** (tries - 1) * (0.5 + random / 2);
}
