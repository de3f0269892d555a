// From one request to its reply, without a socket: visits and the page at `/`, else rate limit, key and handler
// (docs/service.md, "Rate limit" and "Errors").
import type { IncomingHttpHeaders } from "node:http";
import { parseForm, type Form } from "./forms.ts";
import { overview } from "./page/overview.ts";
import { FrameworkError, html, redirectPage, refused, serverError, type Reply } from "./reply.ts";
import { createRouter, type DeletePath } from "./router.ts";
import { isSince, type Service, type Software } from "./service.ts";
import { answerTo, readShortUrl } from "./visit/visit.ts";
import { visitorOf } from "./visit/visitor.ts";

export interface Received {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** Null: larger than the service accepts. */
  readonly body: Buffer | null;
}

export interface AppOptions {
  readonly apiKey: string;
  /** Requests per window for each address; 0 for no limit. */
  readonly rateLimit: number;
  readonly deletePath: DeletePath;
}

export function createApp(service: Service, options: AppOptions): (received: Received) => Reply {
  const { software, store } = service;
  const route = createRouter(options.deletePath, software);
  const gate = createGate(options.rateLimit);
  return (received) => {
    const { method, target, headers, body } = received;
    const wantsJson = prefersJson(headers.accept);
    const origin = `http://${headers.host ?? "localhost"}`;
    const [path = "", rawQuery = ""] = target.split(/\?(.*)/s);
    return guarded(wantsJson, () => {
      if (body === null) throw new FrameworkError(413, "");
      const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
      const form = parseForm(isForm ? body.toString("latin1") : "");
      const query = parseForm(rawQuery);
      const replyToVisitor = answerPublic(received, path, rawQuery, form, service, options.apiKey);
      if (replyToVisitor !== null) return replyToVisitor;
      const { handler, id, open } = route(method, path);
      const run = (): Reply => handler({ service, id, query, form, origin, path });
      if (open) return run();
      const isOwner = headers.authorization === `Bearer ${options.apiKey}`;
      const { refusal, headers: limits } = gate(received.address, isOwner, Date.parse(service.now()));
      const hasApi = store.account.features["api"] !== 0;
      const reply =
        refusal === null
          ? guarded(wantsJson, hasApi ? run : withoutFeature)
          : refusal.status === 401 && !wantsJson
            ? loginRedirect(origin, software)
            : refusal.reply(wantsJson);
      return { ...reply, headers: { ...reply.headers, ...limits } };
    });
  };
}

const withoutFeature = (): Reply => refused(403, "You don't have access to this feature.");

/** Errors become replies. An unexpected one is a bug in the sandbox, and is also printed to stderr. */
function guarded(wantsJson: boolean, run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (error instanceof FrameworkError) return error.reply(wantsJson);
    process.emitWarning(error instanceof Error ? error : String(error));
    return serverError().reply(wantsJson);
  }
}

/** Whether JSON is the first type in `Accept`. */
function prefersJson(accept: string = ""): boolean {
  return /^[^,]*[/+]json/.test(accept);
}

/**
 * What needs no key and is not counted by the rate limit: visits to short URLs, and the page at `/`. HEAD is answered, and
 * counted, as GET is.
 * @returns null if the request is for something else
 * @throws FrameworkError 405
 */
function answerPublic(
  { method, headers }: Received,
  path: string,
  rawQuery: string,
  form: Form,
  service: Service,
  apiKey: string,
): Reply | null {
  const shortUrl = readShortUrl(headers.host ?? "", path, service.store);
  if (shortUrl === null && path !== "/") return null;
  if (!["GET", "HEAD", "POST"].includes(method)) {
    throw new FrameworkError(405, `The ${method} method is not supported for this route.`, {
      allow: "GET, HEAD, POST",
    });
  }
  const visitor = visitorOf(headers, method === "POST" ? form : new Map());
  const reply = shortUrl === null ? null : answerTo(shortUrl, visitor, rawQuery, service);
  return reply ?? overview(apiKey, service);
}

/** The window of the rate limit in ms. */
const WINDOW = 60_000;

/** Counts every call for its address, and those with the right key also for the account, which may make twice as many calls. */
function createGate(limit: number) {
  const byAddress = createLimiter(limit);
  const byAccount = createLimiter(limit * 2);
  return (address: string, isOwner: boolean, now: number) => {
    const unauthenticated = isOwner ? null : new FrameworkError(401, "Unauthenticated.");
    if (limit === 0) return { headers: {}, refusal: unauthenticated };
    const { remaining, resetAt } = byAddress(address, now);
    // The headers are about the address, even if the account's limit refuses: Remaining can say 29 on a 429.
    const headers = { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(Math.max(remaining, 0)) };
    if (remaining < 0) return { headers, refusal: tooMany(resetAt, now) };
    if (unauthenticated !== null) return { headers, refusal: unauthenticated };
    const account = byAccount("account", now);
    return { headers, refusal: account.remaining < 0 ? tooMany(account.resetAt, now) : null };
  };
}

/**
 * A window opens with its first request, and refused requests are not counted. The limiter returns the remaining requests, -1 for a refused
 * one, and the end of the window in ms since the epoch.
 */
function createLimiter(limit: number) {
  const windows = new Map<string, { remaining: number; readonly resetAt: number }>();
  return (key: string, now: number) => {
    const current = windows.get(key);
    const open = current !== undefined && now < current.resetAt ? current : { remaining: limit, resetAt: now + WINDOW };
    windows.set(key, open);
    return { remaining: open.remaining > 0 ? --open.remaining : -1, resetAt: open.resetAt };
  };
}

function tooMany(resetAt: number, now: number): FrameworkError {
  return new FrameworkError(429, "Too Many Attempts.", {
    "retry-after": String(Math.ceil((resetAt - now) / 1000)),
    "x-ratelimit-reset": String(Math.ceil(resetAt / 1000)),
  });
}

/** Since 44 to https, even for a request over http. */
function loginRedirect(origin: string, software: Software): Reply {
  const isSecure = isSince(software, "44");
  const login = `${isSecure ? origin.replace(/^http:/, "https:") : origin}/login`;
  return html(302, redirectPage(login), {
    location: login,
    ...(isSecure && { "content-type": "text/html; charset=utf-8" }),
  });
}
