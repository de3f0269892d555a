// A visit to a short URL: what is answered, and what it leaves behind.
import { decide, type Outcome, visited } from "./decide.ts";
import { mayGoOn } from "../page/markup.ts";
import { redirectPage } from "../pages.ts";
import { html, type Reply, serverError } from "../reply.ts";
import type { Service } from "../service.ts";
import type { ShortUrl } from "./short-url.ts";
import type { Link } from "../state.ts";
import {
  consentPage,
  disabledPage,
  expiredPage,
  passwordPage,
  pixelPage,
  unknownPage,
  warningPage,
} from "./visit-pages.ts";
import type { Visitor } from "./visitor.ts";

/** Where the visitor of this link goes. The click and the rotation's next turn are stored when it returns. */
export function visit(link: Link, visitor: Visitor, query: string, service: Service): Outcome {
  const outcome = decide(link, visitor, query, service);
  const after = visited(link, visitor, outcome);
  if (after.clicks !== link.clicks || after.last_rotation !== link.last_rotation) {
    service.store.putLink(after);
    service.store.commit();
  }
  return outcome;
}

/**
 * As the service answers it (docs/service.md, "What a visitor sees"). Later pages send what was entered on earlier ones again.
 * @throws FrameworkError 500 for a rotation with a hole
 */
export function answerTo(outcome: Outcome, visitor: Visitor): Reply {
  switch (outcome.kind) {
    case "expired":
      return outcome.to === null ? expiredPage() : redirect(outcome.to);
    case "disabled":
      return disabledPage();
    case "password":
      return passwordPage(outcome.wasWrong);
    case "warning":
      return warningPage(visitor);
    case "consent":
      return consentPage(outcome.pixels, visitor);
    case "tracked":
      return pixelPage(outcome.pixels, outcome.to);
    case "sent on":
      return redirect(outcome.to);
    case "broken":
      throw serverError();
    default:
      return outcome satisfies never;
  }
}

/** Where there is no link: the domain's own not-found page, if it has one. */
export function answerToUnknown({ domain, alias }: ShortUrl): Reply {
  return domain.not_found_page ? redirect(domain.not_found_page) : unknownPage(`${domain.name}/${alias}`);
}

/** As the service sends it: no browser keeps it. An address that would run something is no link in the body. */
export const redirect = (to: string): Reply =>
  html(301, mayGoOn(to) ? redirectPage(to) : "", {
    location: to,
    "cache-control": "must-revalidate, no-cache, no-store, private",
  });
