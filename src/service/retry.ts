// Which failed requests are sent again, and when.

import type { ServiceError } from "../errors.ts";
import type { Call } from "./call.ts";

/** The number of times that a request is sent before its failure is final. */
export const TRIES = 5;
const FIRST_DELAY = 500;

/** Temporary failures of the service or of a proxy. A 429 is not a failure: `pace.ts` waits for it. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504]);

/**
 * Whether the same request may be sent again. A request that never left may; a POST whose response was lost may not, because it may have
 * created its row. `apply/store.ts` looks for that row.
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

/** Milliseconds to wait after this number of tries: up to 0.5 s, 1 s, 2 s, 4 s, and at least half of that. */
export function backoff(tries: number, random: number): number {
  return FIRST_DELAY * 2 ** (tries - 1) * (0.5 + random / 2);
}
