// Who asks for a short URL, as far as a link may care.
import type { IncomingHttpHeaders } from "node:http";
import { type Form, text } from "../forms.ts";
import { isCrawler, platformOf } from "./user-agent.ts";

export interface Visitor {
  /** ISO 3166-1, upper case. */
  readonly country: string | null;
  /** As in `PLATFORMS`. */
  readonly platform: string | null;
  /** The first two letters of `Accept-Language`. */
  readonly language: string | null;
  /** Crawlers go to the link's own destination and are not counted. */
  readonly isCrawler: boolean;
  /** What was typed on the password page. */
  readonly password: string | null;
  /** The answer to the page that asks whether pixels may be loaded; null: not given. */
  readonly consent: Consent | null;
}

export type Consent = "accepted" | "refused";

/**
 * Stands for the visitor's address, of which the service takes the country: whoever asks the sandbox is on this machine.
 * Two letters; without it the country is unknown.
 */
export const COUNTRY_HEADER = "X-Sandbox-Country";

/** @param form what was entered on the pages for password and consent */
export function visitorOf(headers: IncomingHttpHeaders, form: Form): Visitor {
  const userAgent = headers["user-agent"] ?? "";
  return {
    country: /^[a-z]{2}$/i.exec(String(headers[COUNTRY_HEADER.toLowerCase()]))?.[0].toUpperCase() ?? null,
    platform: platformOf(userAgent),
    // Compared with case, so that `DE` matches nothing; `fra` is `fr` (corners g).
    language: headers["accept-language"]?.slice(0, 2) ?? null,
    isCrawler: isCrawler(userAgent),
    password: text(form, "password"),
    consent: consentOf(text(form, "consent")),
  };
}

/** What the page that asks sends; null for anything else. */
export function consentOf(answer: string | null): Consent | null {
  return answer === "accepted" || answer === "refused" ? answer : null;
}
