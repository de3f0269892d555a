// A visit to a short URL: what is answered, and what it leaves behind.
import { decide, type Outcome, visited } from "./decide.ts";
import { mayGoOn } from "../page/markup.ts";
import { redirectPage } from "../pages.ts";
import { html, type Reply } from "../reply.ts";
import type { Service } from "../service.ts";
import type { ShortUrl } from "./short-url.ts";
import type { Link } from "../state.ts";
import { disabledPage, expiredPage, passwordPage, pixelPage, unknownPage } from "./visit-pages.ts";
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

/** As the service answers it (observed.md, "What a visitor meets"). */
export function answerTo(outcome: Outcome): Reply {
  switch (outcome.kind) {
    case "expired":
      return outcome.to === null ? expiredPage() : redirect(outcome.to);
    case "disabled":
      return disabledPage();
    case "password":
      return passwordPage(outcome.wasWrong);
    case "sent on":
      return outcome.pixels.length > 0 ? pixelPage(outcome.pixels, outcome.to) : redirect(outcome.to);
    default:
      return outcome satisfies never;
  }
}

/** Where there is no link: the domain's own not-found page, if it has one. */
export function answerToUnknown({ domain, alias }: ShortUrl): Reply {
  return domain.not_found_page ? redirect(domain.not_found_page) : unknownPage(`${domain.name}/${alias}`);
}

/** Like the service, it leaves to the browser how long to keep it. An address that would run something is no link in the body. */
export const redirect = (to: string): Reply => html(301, mayGoOn(to) ? redirectPage(to) : "", { location: to });
