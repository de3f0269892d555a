// What every API request passes first: the rate limits and the key (docs/service.md, "Rate limit" and "Errors").
import { FrameworkError, html, redirectPage, type Reply } from "./reply.ts";
import type { Software } from "./service.ts";

export interface Caller {
  readonly address: string;
  readonly authorization: string | undefined;
  readonly wantsJson: boolean;
  readonly origin: string;
  readonly software: Software;
  /** ms since the epoch. */
  readonly now: number;
}

export interface Verdict {
  /** For whatever is answered. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer, if the caller may not pass. */
  readonly refusal?: Reply;
}

/**
 * Counts every call for its address, and those with the right key also for the account, which may make twice as many.
 * @param limit requests a window for each address; 0 for none
 * @param window ms
 */
export function createGate(apiKey: string, limit: number, window: number): (caller: Caller) => Verdict {
  const byAddress = createLimiter(limit, window);
  const byAccount = createLimiter(limit * 2, window);
  return (caller) => {
    const isOwner = caller.authorization === `Bearer ${apiKey}`;
    if (limit === 0) return isOwner ? { headers: {} } : { headers: {}, refusal: unauthenticated(caller) };
    const address = byAddress(caller.address, caller.now);
    // The headers speak of the address, even where the account's limit refuses: Remaining can say 29 on a 429.
    const headers = { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(address.remaining) };
    if (!address.allowed) return { headers, refusal: tooMany(address, caller) };
    if (!isOwner) return { headers, refusal: unauthenticated(caller) };
    const account = byAccount("account", caller.now);
    return account.allowed ? { headers } : { headers, refusal: tooMany(account, caller) };
  };
}

function tooMany({ resetAt }: Hit, { now, wantsJson }: Caller): Reply {
  const headers = {
    "retry-after": String(Math.ceil((resetAt - now) / 1000)),
    "x-ratelimit-reset": String(Math.ceil(resetAt / 1000)),
  };
  return new FrameworkError(429, "Too Many Attempts.", headers).reply(wantsJson);
}

function unauthenticated({ wantsJson, origin, software }: Caller): Reply {
  if (wantsJson) return new FrameworkError(401, "Unauthenticated.").reply(true);
  const isSecure = software === "44" || software === "49";
  // Whatever the request came over.
  const login = `${isSecure ? origin.replace(/^http:/, "https:") : origin}/login`;
  return html(302, redirectPage(login), {
    location: login,
    ...(isSecure && { "content-type": "text/html; charset=utf-8" }),
  });
}

export interface Hit {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the window ends, ms since the epoch. */
  readonly resetAt: number;
}

/**
 * A window opens with its first request; what is refused is not counted.
 * @param limit requests a window
 * @param window ms
 */
function createLimiter(limit: number, window: number): (key: string, now: number) => Hit {
  const windows = new Map<string, { count: number; readonly resetAt: number }>();
  return (key, now) => {
    const current = windows.get(key);
    const open = current !== undefined && now < current.resetAt ? current : { count: 0, resetAt: now + window };
    windows.set(key, open);
    const allowed = open.count < limit;
    if (allowed) open.count++;
    return { allowed, remaining: limit - open.count, resetAt: open.resetAt };
  };
}
