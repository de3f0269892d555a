// Who asks for a short URL, as far as a link may care.
import type { IncomingHttpHeaders } from "node:http";
import { type Form, text } from "../forms.ts";
import { browserOf, deviceOf, isCrawler, platformOf } from "./user-agent.ts";

export interface Visitor {
  /** ISO 3166-1, upper case. */
  readonly country: string | null;
  /** As in `PLATFORMS`. */
  readonly platform: string | null;
  /** `Accept-Language` as it came. */
  readonly language: string | null;
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`. */
  readonly continent: string | null;
  readonly browser: string | null;
  readonly device: string | null;
  /** Crawlers go to the link's own destination and are not counted. */
  readonly isCrawler: boolean;
  /** What was typed on the password page. */
  readonly password: string | null;
  /** Whether the visitor confirmed the warning about sensitive content. */
  readonly isWarned: boolean;
  /** The answer to the page that asks whether pixels may be loaded; null: not given. */
  readonly consent: Consent | null;
}

/** What the page with the warning sends. */
export const WARNED_FIELD = "warned";

export type Consent = "accepted" | "refused";

/**
 * Stands for the visitor's address, of which the service takes the country: whoever asks the sandbox is on this machine.
 * Two letters; without it the country is unknown.
 */
export const COUNTRY_HEADER = "X-Sandbox-Country";

/** The same for the continent, which is not derived from the country. */
export const CONTINENT_HEADER = "X-Sandbox-Continent";

/** @param form what was entered on the pages for password, warning and consent */
export function visitorOf(headers: IncomingHttpHeaders, form: Form): Visitor {
  const userAgent = headers["user-agent"] ?? "";
  const code = (header: string): string | null =>
    /^[a-z]{2}$/i.exec(String(headers[header.toLowerCase()]))?.[0].toUpperCase() ?? null;
  return {
    country: code(COUNTRY_HEADER),
    continent: code(CONTINENT_HEADER),
    platform: platformOf(userAgent),
    browser: browserOf(userAgent),
    device: deviceOf(userAgent),
    language: headers["accept-language"] ?? null,
    isCrawler: isCrawler(userAgent),
    password: text(form, "password"),
    isWarned: form.has(WARNED_FIELD),
    consent: consentOf(text(form, "consent")),
  };
}

/** What the page that asks sends; null for anything else. */
export function consentOf(answer: string | null): Consent | null {
  return answer === "accepted" || answer === "refused" ? answer : null;
}
