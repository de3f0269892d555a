// Which link a short URL means, and what a visitor gets: a redirect, or the pages in place of one, and the click (docs/service.md, "What a
// visitor sees").
import type { IncomingHttpHeaders } from "node:http";
import { domainToASCII } from "node:url";
import { decode, mergeQuery, textAt, type Form } from "./forms.ts";
import { address, markup, mayGoOn, page, words, type Content, type Markup } from "./page.ts";
import { html, redirectPage, serverError, type Reply } from "./reply.ts";
import { isSince, type Service, type Software } from "./service.ts";
import { activeGroup, entriesOf, isExpired, isSet, type Domain, type Link, type Pixel } from "./state.ts";
import type { Store } from "./store.ts";

type Gate = "expired" | "disabled" | "password" | "warning";

/** What can keep a visitor from the destination, in the order in which it is decided (docs/service.md, "Order of the checks"). */
const ORDER: Readonly<Record<Software, readonly Gate[]>> = {
  "4.1": ["expired", "password", "disabled"],
  "4.9": ["disabled", "expired", "password"],
  "44": ["disabled", "expired", "password"],
  "49": ["expired", "password", "warning"],
};

/**
 * Where a visitor goes who is not kept from the destination, and the turn of the rotation, from 1; null for none.
 * @throws Refusal 500 for a rotation with a hole
 */
function destinationOf(link: Link, visitor: Visitor, software: Software): { to: string; turn: number | null } {
  const group = activeGroup(link);
  if (group === null || visitor.isCrawler) return { to: link.url, turn: null };
  const entries = entriesOf(link[group]);
  const isSince49 = isSince(software, "49");
  if (group === "rotation") {
    // An empty entry leaves a hole, and makes an object of the list.
    if (!Array.isArray(link.rotation ?? [])) throw serverError();
    // The last turn is the link's own url. 49 has turns, but does not use the entries.
    const turn = Math.min(link.last_rotation + 1, entries.length + 1);
    return { to: (isSince49 ? undefined : entries[turn - 1]?.value) ?? link.url, turn };
  }
  const given = visitor[group];
  // Before 49, `DE` alone matches nothing, and `DE-DE` matches `de` (docs/service.md, "Which target a visitor gets").
  const isCut = group === "language" && !isSince49 && given !== null && given.length > 2;
  const key = isCut ? given.slice(0, 2).toLowerCase() : given;
  // Of two entries with one key, the last one counts (docs/service.md, "Targeting").
  return { to: entries.findLast((entry) => entry.key === key)?.value ?? link.url, turn: null };
}

export interface ShortUrl {
  readonly domain: Domain;
  /** Empty: the domain's front page. */
  readonly alias: string;
}

/** Paths of the service's own interface, for any names of domains. */
const INTERFACE = /^\/(?:index\.php\/)?(?:api\/v1|links|pixels)\//;

/**
 * `/{alias}` with the domain as Host, its port ignored, or `/{domain}/{alias}` with any; null: neither.
 * @param path without query, as it came, one character a byte
 */
export function readShortUrl(host: string, path: string, store: Store): ShortUrl | null {
  if (INTERFACE.test(path)) return null;
  const parts = path.replace(/\/+$/, "").split("/").slice(1).map(decodePart);
  const [first = "", second = ""] = parts;
  const named = parts.length === 1 || parts.length === 2 ? domainNamed(first, store) : undefined;
  if (named !== undefined) return { domain: named, alias: second };
  const domain = parts.length <= 1 ? domainNamed(host.replace(/:\d+$/, ""), store) : undefined;
  if (domain === undefined) return null;
  // The service's own page, unless a link has its name.
  return first === "login" && store.linkAt(domain.id, first) === undefined ? null : { domain, alias: first };
}

function domainNamed(name: string, store: Store): Domain | undefined {
  const wanted = hostName(name);
  return wanted === "" ? undefined : [...store.domains.values()].find((domain) => hostName(domain.name) === wanted);
}

const hostName = (name: string): string => domainToASCII(name) || name.toLowerCase();

/** In a path, a plus sign is literal. */
const decodePart = (part: string): string => decode(part.replaceAll("+", "%2B"));

/**
 * The answer for a short URL as the service gives it; null for a domain without a front page.
 * @param query of the short URL, as it came, without `?`
 * @param form data from the pages for password, warning and consent
 * @throws Refusal 500 for a rotation with a hole
 */
export function answerTo(
  { domain, alias }: ShortUrl,
  headers: IncomingHttpHeaders,
  query: string,
  form: Form,
  service: Service,
): Reply | null {
  if (alias === "") return domain.index_page ? redirect(domain.index_page) : null;
  const link = service.store.linkAt(domain.id, alias);
  if (link !== undefined) return visit(link, visitorOf(headers, form), query, service);
  if (domain.not_found_page) return redirect(domain.not_found_page);
  return notice(404, "Not Found", markup`<p>There is no link ${words(`${domain.name}/${alias}`)}.</p>`);
}

/** Stores the click, and the next turn of the rotation, of a person who reaches the destination. */
function visit(link: Link, visitor: Visitor, query: string, service: Service): Reply {
  const isOver = isExpired(link, service);
  for (const gate of ORDER[service.software]) {
    const answer = GATES[gate](link, visitor, isOver);
    if (answer !== null) return answer;
  }
  const pixels = service.store.pixelsOf(link);
  if (pixels.length > 0 && visitor.consent === null) return consentPage(pixels, visitor);
  // After consent, the visitor does not get the targets or the query.
  const isTracked = pixels.length > 0 && visitor.consent === "accepted";
  const { to, turn } = isTracked ? { to: link.url, turn: null } : destinationOf(link, visitor, service.software);
  if (!visitor.isCrawler) {
    const next = turn === null ? link.last_rotation : turn % (entriesOf(link.rotation).length + 1);
    service.store.links.put({ ...link, clicks: link.clicks + 1, last_rotation: next });
    service.store.commit();
  }
  return isTracked ? pixelPage(pixels, to) : redirect(mergeQuery(to, query));
}

const GATES: Readonly<Record<Gate, (link: Link, visitor: Visitor, isOver: boolean) => Reply | null>> = {
  expired: ({ expiration_url: to }, _visitor, isOver) => {
    if (!isOver) return null;
    return to ? redirect(to) : notice(200, "Link expired", markup`<p>This link no longer leads anywhere.</p>`);
  },
  disabled: ({ disabled }) =>
    disabled === 1 ? notice(200, "Link disabled", markup`<p>This link has been switched off.</p>`) : null,
  password: ({ password }, { password: entered }) => {
    if (!isSet(password) || entered === password) return null;
    const problem = entered === null ? null : markup`<p role="alert">That is not the password.</p>\n`;
    const content = markup`<p>This link asks for a password.</p>
${problem}<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus>
<button>Go on</button>`;
    return formPage("Password needed", content, { password: null, isWarned: false });
  },
  warning: ({ sensitive }, visitor) => {
    if (sensitive !== 1 || visitor.isWarned) return null;
    const content = markup`<p>This link can lead to sensitive content.</p>
<button name="${WARNED_FIELD}" value="1">Continue</button>`;
    return formPage("Sensitive content", content, visitor);
  },
};

/** As the service sends it: browsers do not cache it. The body does not link to a script URL. */
const redirect = (to: string): Reply =>
  html(301, mayGoOn(to) ? redirectPage(to) : "", {
    location: to,
    "cache-control": "must-revalidate, no-cache, no-store, private",
  });

function notice(status: number, title: string, body: Content, head: Content = null): Reply {
  const foot = markup`<footer>A page of the linkform sandbox. <a href="/">What it holds</a></footer>`;
  return page(status, title, markup`<main>\n<h1>${title}</h1>\n${body}\n</main>\n${foot}`, head);
}

/** A page with a form, which is sent to the short URL, including its query, with what the visitor entered on earlier pages. */
function formPage(title: string, content: Markup, entered: Pick<Visitor, "password" | "isWarned">): Reply {
  const { password, isWarned } = entered;
  const hidden = Object.entries({ password, [WARNED_FIELD]: isWarned ? "1" : null }).map(([name, value]) =>
    value === null ? null : markup`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return notice(200, title, markup`<form method="post">\n${hidden}${content}\n</form>`);
}

function consentPage(pixels: readonly Pixel[], visitor: Visitor): Reply {
  const content = markup`<p>This link would like to load these pixels.</p>
${pixelList(pixels)}
<button name="consent" value="accepted">Accept</button>
<button name="consent" value="refused">Refuse</button>`;
  return formPage("Before you continue", content, visitor);
}

/** Names the pixels that the service would load, loads none of them, and redirects after half a second. */
function pixelPage(pixels: readonly Pixel[], to: string): Reply {
  const goesOn = mayGoOn(to);
  const refresh = goesOn ? markup`<meta http-equiv="refresh" content="0.5;url=${to}">` : null;
  return notice(
    200,
    "One moment",
    markup`<p>The service would load these pixels here. The sandbox loads none.</p>
${pixelList(pixels)}
<p>${goesOn ? "Going on to" : "A browser does not go on to"} ${address(to)}</p>`,
    refresh,
  );
}

function pixelList(pixels: readonly Pixel[]): Markup {
  const items = pixels.map(({ name, type, value }) => markup`<li>${words(`${name} ${type} ${value}`)}</li>\n`);
  return markup`<ul>\n${items}</ul>`;
}

const WARNED_FIELD = "warned";

/**
 * Headers `X-Sandbox-…` say what the service finds out by the IP address, because clients of the sandbox are on this machine, or by a
 * library for user agents. Without one, it is unknown.
 */
const PREFIX = "x-sandbox-";

type Visitor = ReturnType<typeof visitorOf>;

function visitorOf(headers: IncomingHttpHeaders, form: Form) {
  const userAgent = headers["user-agent"] ?? "";
  const given = (what: string): string | null => headers[`${PREFIX}${what}`]?.toString() ?? null;
  const code = (what: string): string | null => /^[a-z]{2}$/i.exec(given(what) ?? "")?.[0].toUpperCase() ?? null;
  return {
    country: code("country"),
    continent: code("continent"),
    platform: PLATFORMS.find(([pattern]) => pattern.test(userAgent))?.[1] || null,
    browser: given("browser"),
    device: given("device"),
    language: headers["accept-language"] ?? null,
    // Crawlers go to the link's own destination and are not counted.
    isCrawler: CRAWLER.test(userAgent),
    password: textAt(form, "password"),
    isWarned: form.has(WARNED_FIELD),
    // The consent to pixels; null if it was not requested yet.
    consent: (["accepted", "refused"] as const).find((one) => one === textAt(form, "consent")) ?? null,
  };
}

/**
 * The platforms by their names in targets; none for "". The first match wins: phones also name the systems that theirs are based on, and
 * Ubuntu, Fedora and Chrome OS look like Linux.
 */
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

/**
 * As measured (docs/service.md, "Who is a crawler"). Scripts such as axios and node, HeadlessChrome, WhatsApp and an
 * empty text are not among them.
 */
const CRAWLER =
  /bot|spider|facebookexternalhit|SkypeUriPreview|Pingdom|\bcurl\/|\bWget\/|python-requests|Go-http-client|okhttp|\bJava\/|libwww-perl/i;
