// What needs no key and is not counted by the rate limit: visits to short URLs, and the page at `/`.
import type { IncomingHttpHeaders } from "node:http";
import type { Form } from "../forms.ts";
import { overview, type Setting } from "../page/overview.ts";
import { FrameworkError, type Reply } from "../reply.ts";
import type { Service } from "../service.ts";
import { readShortUrl } from "./decide.ts";
import { answerTo, answerToUnknown, redirect, visit } from "./visit.ts";
import { visitorOf } from "./visitor.ts";

export interface PublicRequest {
  readonly method: string;
  readonly path: string;
  /** As it came, without `?`. */
  readonly rawQuery: string;
  readonly query: Form;
  readonly form: Form;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The answer to a visitor; null: the request is none of a visitor's. HEAD is answered, and counted, as GET is.
 * @throws FrameworkError 405
 */
export function answerPublic(request: PublicRequest, service: Service, setting: Setting): Reply | null {
  const { method, path, rawQuery, query, form, headers } = request;
  const shortUrl = readShortUrl(headers.host ?? "", path, service.store);
  if (shortUrl === null && path !== "/") return null;
  if (!["GET", "HEAD", "POST"].includes(method)) {
    throw new FrameworkError(405, `The ${method} method is not supported for this route.`, {
      allow: "GET, HEAD, POST",
    });
  }
  const isPost = method === "POST";
  if (shortUrl === null || shortUrl.alias === "") {
    const frontPage = shortUrl?.domain.index_page;
    return frontPage
      ? redirect(frontPage)
      : overview({ form: isPost ? form : query, isVisit: isPost }, service, setting);
  }
  const { link } = shortUrl;
  if (link === null) return answerToUnknown(shortUrl);
  const visitor = visitorOf(headers, isPost ? form : new Map());
  return answerTo(visit(link, visitor, rawQuery, service), visitor);
}
