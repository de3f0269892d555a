// The visitor of a short URL, from the headers and the forms of the pages.
import type { IncomingHttpHeaders } from "node:http";
import { textAt, type Form } from "../forms.ts";

export interface Visitor {
  /** ISO 3166-1, upper case. */
  readonly country: string | null;
  /** As in targets. */
  readonly platform: string | null;
  /** `Accept-Language` as it came. */
  readonly language: string | null;
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`. */
  readonly continent: string | null;
  readonly browser: string | null;
  readonly device: string | null;
  /** Crawlers go to the link's own destination and are not counted. */
  readonly isCrawler: boolean;
  readonly password: string | null;
  /** Whether the visitor confirmed the warning about sensitive content. */
  readonly isWarned: boolean;
  /** The consent to pixels; null if it was not requested yet. */
  readonly consent: (typeof CONSENTS)[number] | null;
}

export const WARNED_FIELD = "warned";

const CONSENTS = ["accepted", "refused"] as const;

/**
 * Headers `X-Sandbox-…` say what the service finds out by the IP address, because clients of the sandbox are on this machine, or by a
 * library for user agents. Without one, it is unknown.
 */
const PREFIX = "x-sandbox-";

/** @param form data from the pages for password, warning and consent */
export function visitorOf(headers: IncomingHttpHeaders, form: Form): Visitor {
  const userAgent = headers["user-agent"] ?? "";
  const given = (what: string): string | null => headers[`${PREFIX}${what}`]?.toString() ?? null;
  const code = (what: string): string | null => /^[a-z]{2}$/i.exec(given(what) ?? "")?.[0].toUpperCase() ?? null;
  return {
    country: code("country"),
    continent: code("continent"),
    platform: platformOf(userAgent),
    browser: given("browser"),
    device: given("device"),
    language: headers["accept-language"] ?? null,
    isCrawler: CRAWLER.test(userAgent),
    password: textAt(form, "password"),
    isWarned: form.has(WARNED_FIELD),
    consent: CONSENTS.find((one) => one === textAt(form, "consent")) ?? null,
  };
}

/** The first match wins: phones also name the systems that theirs are based on, and Ubuntu, Fedora and Chrome OS look like Linux. */
const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Windows Phone/, ""],
  [/Android/, "Android"],
  [/CrOS/, "Chrome OS"],
  [/Ubuntu/, "Ubuntu"],
  [/Fedora/, ""],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "OS X"],
  [/Linux/, "Linux"],
];

/** The platform by the name that targeting has for it; null: none of them. */
function platformOf(userAgent: string): string | null {
  return PLATFORMS.find(([pattern]) => pattern.test(userAgent))?.[1] || null;
}

/**
 * As measured (docs/service.md, "Who is a crawler"). Scripts such as axios and node, HeadlessChrome, WhatsApp and an
 * empty text are not among them.
 */
const CRAWLER =
  /bot|spider|facebookexternalhit|SkypeUriPreview|Pingdom|\bcurl\/|\bWget\/|python-requests|Go-http-client|okhttp|\bJava\/|libwww-perl/i;
