// From one request to its reply: visits and the page at `/`, else rate limit, key and handler
// (docs/service.md, "Endpoints", "Delete paths", "Rate limit" and "Errors").
import type { IncomingMessage } from "node:http";
import {
  listDomains,
  listPixels,
  listSpaces,
  removePixel,
  showAccount,
  showPixel,
  storePixel,
  updatePixel,
} from "./account.ts";
import { parseForm } from "./forms.ts";
import { listLinks, removeLink, showLink, showStats, storeLink, updateLink } from "./links.ts";
import { overview } from "./page.ts";
import {
  frameworkError,
  html,
  json,
  notFound,
  redirectPage,
  Refusal,
  refusal,
  serverError,
  type Reply,
} from "./reply.ts";
import { isSince, type ApiRequest, type Service, type Software } from "./service.ts";
import { answerTo, readShortUrl } from "./visit.ts";

/** Which delete path works: the documented one, the one under api/v1, or both. */
export type DeletePath = "documented" | "api" | "both";

export interface AppOptions {
  readonly apiKey: string;
  /** Requests per window for each address; 0 for no limit. */
  readonly rateLimit: number;
  readonly deletePath: DeletePath;
}

/** A body that is null is larger than the service accepts. */
export type App = (request: IncomingMessage, body: Buffer | null) => Reply;

export function createApp(service: Service, { apiKey, rateLimit, deletePath }: AppOptions): App {
  const { software, store } = service;
  const route = createRouter(deletePath, software);
  const gate = createGate(rateLimit);
  return ({ method = "", url = "", headers, socket }, body) => {
    const wantsJson = /^[^,]*[/+]json/.test(headers.accept ?? "");
    const origin = `http://${headers.host ?? "localhost"}`;
    const [path = "", rawQuery = ""] = url.split(/\?(.*)/s);
    return guarded(wantsJson, () => {
      if (body === null) throw frameworkError(413, "");
      const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
      const form = parseForm(isForm ? body.toString("latin1") : "");
      const shortUrl = readShortUrl(headers.host ?? "", path, store);
      // Visits and the page at `/` need no key and are not counted by the rate limit. HEAD is a visit, as GET is.
      if (shortUrl !== null || path === "/") {
        const allow = "GET, HEAD, POST";
        if (!allow.split(", ").includes(method))
          throw frameworkError(405, `The ${method} method is not supported for this route.`, { allow });
        const entered = method === "POST" ? form : new Map();
        return (shortUrl && answerTo(shortUrl, headers, rawQuery, entered, service)) ?? overview(apiKey, service);
      }
      const { handler, id, isOpen } = route(method, path);
      const run = (): Reply => handler({ service, id, query: parseForm(rawQuery), form, origin, path });
      if (isOpen) return run();
      const isOwner = headers.authorization === `Bearer ${apiKey}`;
      const stranger = isOwner ? null : unauthenticated(origin, software);
      const { refused, limits } = gate(socket.remoteAddress ?? "", stranger, Date.parse(service.now()));
      const reply = guarded(wantsJson, () => {
        if (refused !== null) throw refused;
        if (store.account.features["api"] === 0) throw refusal(403, "You don't have access to this feature.");
        return run();
      });
      return { ...reply, headers: { ...reply.headers, ...limits } };
    });
  };
}

/** Errors become replies. An unexpected one is a bug in the sandbox, and is also printed to stderr. */
function guarded(wantsJson: boolean, run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error.reply(wantsJson);
    process.emitWarning(error instanceof Error ? error : String(error));
    return serverError().reply(wantsJson);
  }
}

/** A page redirects to the login: since 44 to https, even for a request over http. */
function unauthenticated(origin: string, software: Software): Refusal {
  const isSecure = isSince(software, "44");
  const location = `${isSecure ? origin.replace(/^http:/, "https:") : origin}/login`;
  const type = isSecure && { "content-type": "text/html; charset=utf-8" };
  return new Refusal((wantsJson) =>
    wantsJson ? json(401, { message: "Unauthenticated." }) : html(302, redirectPage(location), { location, ...type }),
  );
}

/** The window of the rate limit in ms. */
const WINDOW = 60_000;

/** Counts every call for its address, and those with the right key also for the account, which may make twice as many calls. */
function createGate(limit: number) {
  const byAddress = createLimiter(limit);
  const byAccount = createLimiter(limit * 2);
  return (address: string, stranger: Refusal | null, now: number) => {
    if (limit === 0) return { limits: {}, refused: stranger };
    const { remaining, resetAt } = byAddress(address, now);
    // The headers are about the address, even if the account's limit refuses: Remaining can say 29 on a 429.
    const limits = { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(Math.max(remaining, 0)) };
    if (remaining < 0) return { limits, refused: tooMany(resetAt, now) };
    if (stranger !== null) return { limits, refused: stranger };
    const account = byAccount("account", now);
    return { limits, refused: account.remaining < 0 ? tooMany(account.resetAt, now) : null };
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

function tooMany(resetAt: number, now: number): Refusal {
  return frameworkError(429, "Too Many Attempts.", {
    "retry-after": String(Math.ceil((resetAt - now) / 1000)),
    "x-ratelimit-reset": String(Math.ceil(resetAt / 1000)),
  });
}

type Handler = (request: ApiRequest) => Reply;

/** `*` in a path is an id. What is open needs no key and does not count for the rate limit. */
type Route = readonly [path: string, methods: Readonly<Record<string, Handler>>, access?: "open"];

/** @returns a look-up that throws the framework's 404 and 405 */
function createRouter(deletePath: DeletePath, software: Software) {
  const routes = routeTable(deletePath, software).map(([path, methods, access]) => {
    return { pattern: new RegExp(`^${path.replace("*", "([^/]+)")}$`), methods, isOpen: access === "open" };
  });
  return (method: string, path: string) => {
    const plain = path.replace(/^\/index\.php(?=\/|$)/, "").replace(/\/+$/, "");
    const candidates = routes.filter(({ pattern }) => pattern.test(plain));
    for (const { pattern, methods, isOpen } of candidates) {
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handler !== undefined) return { handler, id: pattern.exec(plain)?.[1] ?? "", isOpen };
    }
    // HEAD has no separate route, so it is unknown, like every other path.
    const allowed = method === "HEAD" ? [] : candidates.flatMap(({ methods }) => Object.keys(methods));
    if (allowed.length > 0) throw wrongMethod(method, plain.slice(1), allowed.join(", "), software);
    if (plain.startsWith("/api/")) throw notFound();
    throw frameworkError(404, software === "4.1" ? "" : `The route ${plain.slice(1)} could not be found.`);
  };
}

function routeTable(deletePath: DeletePath, software: Software): readonly Route[] {
  const onApi = deletePath !== "documented";
  const onDocumented = deletePath !== "api";
  const link = { GET: showLink, PUT: updateLink, PATCH: updateLink, ...(onApi && { DELETE: removeLink }) };
  const pixel = { GET: showPixel, PUT: updatePixel, PATCH: updatePixel, ...(onApi && { DELETE: removePixel }) };
  const unknown = { GET: fails(404, ""), HEAD: fails(404, "") };
  return [
    ["/api/v1/links", { GET: listLinks, POST: storeLink }],
    ["/api/v1/links/*", link],
    ["/api/v1/pixels", { GET: listPixels, POST: storePixel }],
    ["/api/v1/pixels/*", pixel],
    ["/api/v1/stats/*", { GET: showStats }],
    ["/api/v1/account", { GET: showAccount }],
    ["/api/v1/domains", { GET: listDomains }],
    ["/api/v1/spaces", { GET: listSpaces }],
    ["/links/*/destroy", { ...(onDocumented && { DELETE: removeLink }) }],
    ["/pixels/*/destroy", { ...(onDocumented && { DELETE: removePixel }) }],
    [
      "/(?:links|pixels)/*/destroy",
      { ...(isSince(software, "44") && unknown), POST: fails(419, "CSRF token mismatch.") },
      "open",
    ],
    // The target of a client without a key: 200, and no data.
    ["/login", { GET: () => html(200, "<!DOCTYPE html>\n<title>Login</title>\n") }, "open"],
  ];
}

const fails = (status: number, message: string) => (): never => {
  throw frameworkError(status, message);
};

function wrongMethod(method: string, path: string, allow: string, software: Software): Refusal {
  // 4.9 swaps path and method (transcripts, "link: delete on the documented path").
  const [named, route] = software === "4.9" ? [path, method] : [method, path];
  const place = software === "4.1" ? "this route" : `route ${route}`;
  const message = `The ${named} method is not supported for ${place}. Supported methods: ${allow}.`;
  return frameworkError(405, message, { allow });
}
