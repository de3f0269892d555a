// What visitors of real instances got, as literal tables. The sandbox and `explain` are each compared with them, so that a common mistake
// of both is found.

import type { Link, Software } from "../../src/sandbox/index.ts";

export const URL_ITSELF = "https://example.com/own";
export const OVER = "https://example.com/over";

/** `expired page` and the like, or the target of a redirect. */
type Met = string;

/** The start has an effect in 49 only, where an end without one has none. */
const E = { starts_at: "2019-01-01T00:00:00Z", ends_at: "2020-01-01T00:00:00Z" } as const;
const CLICKS = { expiration_clicks: 2, clicks: 2 } as const;
const X = { expiration_url: OVER } as const;
const D = { disabled: 1 } as const;
const P = { password: "secret" } as const;
const PIXEL = { pixels: [1] } as const;
const TARGETS = { target_type: 1, country: [{ key: "DE", value: "https://example.com/de" }] } as const;

/** A warning page, which only 49 has. */
const W = { sensitive: 1 } as const;
const EARLY = { starts_at: "2036-01-01T00:00:00Z", ends_at: "2037-01-01T00:00:00Z" } as const;

type Fields = Partial<Link>;

/** The result on each version; null if the version has no such link. */
type OnEach = Readonly<Record<Software, readonly Met[] | null>>;

const on = (first: readonly Met[] | null, middle: OnEach["44"], last: OnEach["49"]): OnEach => ({
  "4.1": first,
  "4.9": middle,
  "44": middle,
  "49": last,
});
const onAll = (...met: readonly Met[]): OnEach => on(met, met, met);
const onlyOn49 = (...met: readonly Met[]): OnEach => on(null, null, met);

const [EXPIRED, DISABLED, PASSWORD] = [["expired page"], ["disabled page"], ["password page"]] as const;

/** Which page or redirect comes first (docs/service.md, "Order of the checks"): all of them in their order. */
const DECIDED_FIRST: readonly (readonly [string, Fields, OnEach])[] = [
  ["E", E, onAll(...EXPIRED)],
  ["E by clicks", CLICKS, onAll(...EXPIRED)],
  ["E X", { ...E, ...X }, onAll(OVER)],
  ["E by clicks, X", { ...CLICKS, ...X }, onAll(OVER)],
  ["E D", { ...E, ...D }, on(EXPIRED, DISABLED, null)],
  ["E D X", { ...E, ...D, ...X }, on([OVER], DISABLED, null)],
  ["E P", { ...E, ...P }, onAll(...EXPIRED)],
  ["E P X", { ...E, ...P, ...X }, onAll(OVER)],
  ["D", D, on(DISABLED, DISABLED, null)],
  ["D P", { ...D, ...P }, on([...PASSWORD, ...DISABLED], DISABLED, null)],
  ["E D P X", { ...E, ...D, ...P, ...X }, on([OVER], DISABLED, null)],
  ["P", P, onAll(...PASSWORD, URL_ITSELF)],
  ["X, not expired", X, onAll(URL_ITSELF)],
  ["E, with a pixel", { ...E, ...PIXEL }, onAll(...EXPIRED)],
  ["D, with a pixel", { ...D, ...PIXEL }, on(DISABLED, DISABLED, null)],
  ["P, with a pixel", { ...P, ...PIXEL }, onAll(...PASSWORD, "consent page")],
  ["E X with targets", { ...E, ...X, ...TARGETS }, onAll(OVER)],
  ["secret 0", { password: "0" }, onAll(URL_ITSELF)],
  ["before the start", EARLY, onlyOn49(...EXPIRED)],
  ["before the start, X", { ...EARLY, ...X }, onlyOn49(OVER)],
  ["before the start, P W", { ...EARLY, ...P, ...W }, onlyOn49(...EXPIRED)],
  ["an end without a start", { ends_at: E.ends_at }, onlyOn49(URL_ITSELF)],
  ["a start without an end", { starts_at: EARLY.starts_at }, onlyOn49(URL_ITSELF)],
  ["W", W, onlyOn49("warning page", URL_ITSELF)],
  ["E W", { ...E, ...W }, onlyOn49(...EXPIRED)],
  ["E W X", { ...E, ...W, ...X }, onlyOn49(OVER)],
  ["P W", { ...P, ...W }, onlyOn49(...PASSWORD, "warning page", URL_ITSELF)],
  ["W, with a pixel", { ...W, ...PIXEL }, onlyOn49("warning page", "consent page")],
  ["P W, with a pixel", { ...P, ...W, ...PIXEL }, onlyOn49(...PASSWORD, "warning page", "consent page")],
];

/** The rows of `DECIDED_FIRST` that a version has. */
export function decidedOn(
  software: Software,
): { readonly name: string; readonly link: Fields; readonly met: readonly Met[] }[] {
  return DECIDED_FIRST.flatMap(([name, link, each]) => {
    const met = each[software];
    return met === null ? [] : [{ name, link, met }];
  });
}

/** The destination, the query of the short URL, and where the visitor goes. */
export const QUERIES: readonly (readonly [string, string, string])[] = [
  // Without a name in the query, the destination does not change.
  [
    "https://user:pw@example.com:8443/p?a=1&a=2&x.y=1#frag",
    "",
    "https://user:pw@example.com:8443/p?a=1&a=2&x.y=1#frag",
  ],
  ["https://example.com:8443/p?a=1&a=2#frag", "=5", "https://example.com:8443/p?a=1&a=2#frag"],
  ["https://example.com:8443/p", "a=1", "https://example.com/p?a=1"],
  ["https://user:pw@example.com:8443/p?a=1&b=2#frag", "a=9&c=3", "https://example.com/p?a=9&b=2&c=3"],
  ["https://user:pw@example.com/p", "a=1", "https://example.com/p?a=1"],
  ["https://example.com/p#frag", "a=1", "https://example.com/p?a=1"],
  ["https://example.com", "a=1", "https://example.com/?a=1"],
  ["https://example.com?b=2", "a=1", "https://example.com/?b=2&a=1"],
  ["myapp://open/x?y=1", "a=1", "myapp://open/x?y=1&a=1"],
  ["https://example.com/?a=1&b=2", "b=9", "https://example.com/?a=1&b=9"],
  ["https://example.com/?a=1&b=2", "a=9", "https://example.com/?a=9&b=2"],
  ["https://example.com/?a=1&b=2", "a=", "https://example.com/?b=2"],
  ["https://example.com/?a=1&b=2", "a", "https://example.com/?b=2"],
  ["https://example.com/?e=&f", "a=1", "https://example.com/?e=&f=&a=1"],
  ["https://example.com/?a=1&a=2", "b=3", "https://example.com/?a=2&b=3"],
  ["https://example.com/", "a=1&a=2", "https://example.com/?a=2"],
  ["https://example.com/?q=a%20b", "z=1", "https://example.com/?q=a+b&z=1"],
  ["https://example.com/?q=a;b", "z=1", "https://example.com/?q=a%3Bb&z=1"],
  ["https://example.com/?q=%C3%A4%26", "z=%2F", "https://example.com/?q=%C3%A4%26&z=%2F"],
  ["https://example.com/ä/%20x", "z=1", "https://example.com/ä/%20x?z=1"],
  ["HTTPS://Example.COM/P", "z=1", "HTTPS://Example.COM/P?z=1"],
  ["https://example.com/p", "a=", "https://example.com/p?"],
  ["https://example.com/p?y=1", "y=%20+&x=+y&z=%2B+", "https://example.com/p?x=y&z=%2B"],
];

/** `User-Agent`s that the service treats as crawlers, one for each word: they go to `url`, for any targets, and are not counted. */
export const CRAWLERS: readonly string[] = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "curl/8.14.1",
  "Wget/1.25.0",
  "python-requests/2.32.3",
  "Go-http-client/1.1",
  "okhttp/4.12.0",
  "Java/21.0.2",
  "libwww-perl/6.77",
  "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
  "AcmeBot/1.0",
  "Acme spider",
];

/** `User-Agent`s that it treats as people: they are counted. Null: no such header. */
export const PERSONS: readonly (string | null)[] = [
  null,
  "",
  "Mozilla/5.0",
  "WhatsApp/2.23.20.0",
  "axios/1.7.9",
  "node",
  "undici",
  "PostmanRuntime/7.43.0",
  "HTTPie/3.2.4",
  "Lynx/2.9.2 libwww-FM/2.14",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
  "Acme crawler",
  "anything else",
];

type LanguageKey = "de" | "fr" | "fi" | null;

/**
 * How `Accept-Language` is read, by a link that knows `de`, `fr` and `fi`: up to 44, and in 49 (doubtful there;
 * docs/service.md, "Which target a visitor gets"). Null: its `url`.
 */
export const LANGUAGES: readonly (readonly [string, LanguageKey, LanguageKey])[] = [
  ["de", "de", "de"],
  ["de-AT", "de", null],
  ["de-AT,en;q=0.9", "de", null],
  ["de-DE,de;q=0.9", "de", null],
  ["DE", null, null],
  ["DE-DE", "de", null],
  ["DE,en", "de", null],
  ["fr", "fr", "fr"],
  ["fr;q=0.5,de;q=0.9", "fr", null],
  ["fra", "fr", null],
  ["fil", "fi", null],
  ["en, de", null, null],
  ["*", null, null],
  ["", null, null],
];

/** The destinations of a rotation of `r1` and `r2`, visit by visit, and `last_rotation` after each. */
export const TURNS: Readonly<Record<"before 49" | "49", readonly (readonly ["r1" | "r2" | "own", number])[]>> = {
  "before 49": [
    ["r1", 1],
    ["r2", 2],
    ["own", 0],
    ["r1", 1],
  ],
  "49": [
    ["own", 1],
    ["own", 2],
    ["own", 0],
    ["own", 1],
  ],
};
