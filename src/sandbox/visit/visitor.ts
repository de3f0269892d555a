// The visitor of a short URL, from the headers and the forms of the pages.
import type { IncomingHttpHeaders } from "node:http";
import { textAt, type Form } from "../forms.ts";

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
  /** The password from the password page. */
  readonly password: string | null;
  /** Whether the visitor confirmed the warning about sensitive content. */
  readonly isWarned: boolean;
  /** The consent to pixels; null if it was not requested yet. */
  readonly consent: Consent | null;
}

/** The field that the warning page sends. */
export const WARNED_FIELD = "warned";

type Consent = "accepted" | "refused";

/**
 * Replaces the visitor's IP address, from which the service gets the country, because clients of the sandbox are on this machine. Two
 * letters; without it, the country is unknown.
 */
const COUNTRY_HEADER = "X-Sandbox-Country";

/** The same for the continent, which is not derived from the country. */
const CONTINENT_HEADER = "X-Sandbox-Continent";

/** @param form data from the pages for password, warning and consent */
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
    isCrawler: CRAWLER.test(userAgent),
    password: textAt(form, "password"),
    isWarned: form.has(WARNED_FIELD),
    consent: consentOf(textAt(form, "consent")),
  };
}

/** The answer of the consent page; null for anything else. */
function consentOf(answer: string | null): Consent | null {
  return answer === "accepted" || answer === "refused" ? answer : null;
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

/** The first that matches wins: browsers name those that they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/QQBrowser\//, "QQ Browser"],
  [/BlackBerry|BB10/, "BlackBerry Browser"],
  [/IEMobile/, "Mobile Internet Explorer"],
  [/Opera Mini/, "Opera Mini"],
  [/Opera Mobi|(?=.*Mobile).*OPR\//, "Opera Mobile"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/YaBrowser\//, "Yandex Browser"],
  [/Vivaldi\//, "Vivaldi"],
  [/UCBrowser\//, "UC Browser"],
  [/MSIE |Trident\//, "Internet Explorer"],
  [/Android.*Firefox\//, "Firefox Mobile"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chromium\//, "Chromium"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"],
];

/** The browser by the name that targeting has for it; null: none of them. */
function browserOf(userAgent: string): string | null {
  return BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

/** The first that matches wins: Android without `Mobile` is a tablet. */
const DEVICES: readonly (readonly [RegExp, string])[] = [
  [/Watch/, "watch"],
  [/TV\b|SmartTV|BRAVIA/, "television"],
  [/iPad|Tablet/, "tablet"],
  [/iPhone|iPod|Mobile/, "mobile"],
  [/Android/, "tablet"],
  [/Windows NT|Macintosh|X11/, "desktop"],
];

/** The device by its key in version 49 (docs/service.md, "Targeting"); null: none of them. */
function deviceOf(userAgent: string): string | null {
  return DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

/**
 * As measured (docs/service.md, "Who is a crawler"). Scripts such as axios and node, HeadlessChrome, WhatsApp and an
 * empty text are not among them.
 */
const CRAWLER =
  /bot|spider|facebookexternalhit|SkypeUriPreview|Pingdom|\bcurl\/|\bWget\/|python-requests|Go-http-client|okhttp|\bJava\/|libwww-perl/i;
