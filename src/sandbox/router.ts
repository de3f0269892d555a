// Which handler answers a method and a path (docs/service.md, "Endpoints" and "Delete paths").
import { listDomains, listSpaces, showAccount } from "./account.ts";
import { listLinks, removeLink, showLink, showStats, storeLink, updateLink } from "./links.ts";
import { FrameworkError, html, LOGIN_PAGE, notFound, type Reply } from "./reply.ts";
import { listPixels, removePixel, showPixel, storePixel, updatePixel } from "./pixels.ts";
import { isSince, type ApiRequest, type Software } from "./service.ts";

type Handler = (request: ApiRequest) => Reply;

/** Which delete path works: the documented one, the one under api/v1, or both. */
export type DeletePath = "documented" | "api" | "both";

interface Route {
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, Handler>>;
  /** Needs no key and does not count for the rate limit. */
  readonly open?: true;
}

type Found = Readonly<{ handler: Handler; id: string; open: boolean }>;

/** @returns a look-up that throws the framework's 404 and 405 */
export function createRouter(deletePath: DeletePath, software: Software): (method: string, path: string) => Found {
  const routes = routeTable(deletePath, software);
  return (method, path) => {
    const plain = path.replace(/^\/index\.php(?=\/|$)/, "").replace(/\/+$/, "");
    const candidates = routes.filter((route) => route.pattern.test(plain));
    const route = candidates.find((candidate) => Object.hasOwn(candidate.methods, method));
    const handler = route?.methods[method];
    if (route !== undefined && handler !== undefined) {
      return { handler, id: route.pattern.exec(plain)?.[1] ?? "", open: route.open === true };
    }
    // HEAD has no separate route, so it is unknown, like every other path.
    const allowed = method === "HEAD" ? [] : candidates.flatMap((candidate) => Object.keys(candidate.methods));
    if (allowed.length > 0) throw wrongMethod(method, plain.slice(1), allowed, software);
    if (plain.startsWith("/api/")) return { handler: notFound, id: "", open: true };
    throw new FrameworkError(404, software === "4.1" ? "" : `The route ${plain.slice(1)} could not be found.`);
  };
}

function routeTable(deletePath: DeletePath, software: Software): readonly Route[] {
  const isReadable = isSince(software, "44");
  const onApi = deletePath !== "documented";
  const onDocumented = deletePath !== "api";
  const link = { GET: showLink, PUT: updateLink, PATCH: updateLink, ...(onApi && { DELETE: removeLink }) };
  const pixel = { GET: showPixel, PUT: updatePixel, PATCH: updatePixel, ...(onApi && { DELETE: removePixel }) };
  return [
    { pattern: /^\/api\/v1\/links$/, methods: { GET: listLinks, POST: storeLink } },
    { pattern: /^\/api\/v1\/links\/([^/]+)$/, methods: link },
    { pattern: /^\/api\/v1\/pixels$/, methods: { GET: listPixels, POST: storePixel } },
    { pattern: /^\/api\/v1\/pixels\/([^/]+)$/, methods: pixel },
    { pattern: /^\/api\/v1\/stats\/([^/]+)$/, methods: { GET: showStats } },
    { pattern: /^\/api\/v1\/account$/, methods: { GET: showAccount } },
    { pattern: /^\/api\/v1\/domains$/, methods: { GET: listDomains } },
    { pattern: /^\/api\/v1\/spaces$/, methods: { GET: listSpaces } },
    { pattern: /^\/links\/([^/]+)\/destroy$/, methods: { ...(onDocumented && { DELETE: removeLink }) } },
    { pattern: /^\/pixels\/([^/]+)\/destroy$/, methods: { ...(onDocumented && { DELETE: removePixel }) } },
    {
      pattern: /^\/(?:links|pixels)\/([^/]+)\/destroy$/,
      methods: {
        ...(isReadable && { GET: fails(404, ""), HEAD: fails(404, "") }),
        POST: fails(419, "CSRF token mismatch."),
      },
      open: true,
    },
    { pattern: /^\/login$/, methods: { GET: () => html(200, LOGIN_PAGE) }, open: true },
  ];
}

const fails = (status: number, message: string) => (): never => {
  throw new FrameworkError(status, message);
};

function wrongMethod(method: string, path: string, allowed: readonly string[], software: Software): FrameworkError {
  const methods = allowed.join(", ");
  // 4.9 swaps path and method (transcripts, "link: delete on the documented path").
  const [named, route] = software === "4.9" ? [path, method] : [method, path];
  const place = software === "4.1" ? "this route" : `route ${route}`;
  return new FrameworkError(405, `The ${named} method is not supported for ${place}. Supported methods: ${methods}.`, {
    allow: methods,
  });
}
