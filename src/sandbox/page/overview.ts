// The page at `/`: the account, its links and pixels, and a form that visits one link as a visitor.
import { BROWSERS, CONTINENTS, DEVICES, PLATFORMS, TARGET_CODES } from "../codes.ts";
import { textAt, type Form } from "../forms.ts";
import { FrameworkError, type Reply } from "../reply.ts";
import { isSince, type Service, type Software } from "../service.ts";
import { isExpired, isSet, type Link } from "../state.ts";
import { decide, readShortUrl } from "../visit/decide.ts";
import { answerTo } from "../visit/visit.ts";
import { page } from "./layout.ts";
import { address, joined, markup, words, type Content, type Markup } from "./markup.ts";

/** The key that a sandbox has unless it is given another; only this one is shown. */
export const DEFAULT_KEY = "sandbox-key";

const TITLE = "linkform sandbox";

/** @param form what the page's form sends; its visit is not counted and changes nothing */
export function overview(form: Form, apiKey: string, service: Service): Reply {
  const { links, pixels } = service.store;
  const linkRows = [...links.values()].map((link) => linkRow(link, service));
  const pixelRows = [...pixels.values()].map(({ name, type, value }) => [words(name), words(type), words(value)]);
  const body = markup`<main>
<h1>${TITLE}</h1>
${accountFacts(apiKey, service)}
<h2>Visit a link</h2>
${visitForm(form, service)}
${visitAnswer(form, service)}
<h2>Links</h2>
${table("links", ["Short URL", "Destination", "State", "Clicks", "Pixels"], linkRows)}
<h2>Pixels</h2>
${table("pixels", ["Name", "Type", "Value"], pixelRows)}
</main>`;
  return page(200, TITLE, body);
}

function accountFacts(apiKey: string, { software, store }: Service): Markup {
  const named = (rows: Iterable<{ readonly id: number; readonly name: string }>): Content =>
    joined([...rows].map(({ id, name }) => markup`${words(name)} (id ${id})`));
  const facts: readonly (readonly [string, Content])[] = [
    ["Version", software],
    ["Time zone", store.account.timezone],
    ["API key", apiKey === DEFAULT_KEY ? apiKey : "the one that this sandbox was started with"],
    ["Domains", named(store.domains.values())],
    ["Spaces", named(store.spaces.values())],
  ];
  return markup`<ul>${facts.map(([name, fact]) => markup`<li>${name}: ${fact}</li>\n`)}</ul>`;
}

/** @param rows a cell for each of the heads */
function table(kind: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  if (rows.length === 0) return markup`<p>No ${kind}</p>`;
  const cells = (row: readonly Content[]): Content =>
    row.map((cell, at) => markup`<td data-label="${heads[at] ?? ""}">${cell}</td>`);
  return markup`<table class="${kind}">
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody>
</table>`;
}

function linkRow(link: Link, service: Service): readonly Content[] {
  const { pixels } = service.store;
  return [
    markup`<a href="${visitAddress(link, service)}">${words(shortUrlOf(link, service))}</a>`,
    address(link.url),
    stateOf(link, service),
    link.clicks.toLocaleString("en"),
    joined(link.pixels.flatMap((id) => pixels.get(id) ?? []).map(({ name }) => words(name))),
  ];
}

/** `go.example.com/spring` */
const shortUrlOf = (link: Link, { store }: Service): string =>
  `${store.domains.get(link.domain)?.name ?? ""}/${link.alias}`;

/** The path on this sandbox that visits the link. */
function visitAddress(link: Link, { store }: Service): string {
  const part = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
  return `/${part(store.domains.get(link.domain)?.name || "-")}/${part(link.alias)}`;
}

function stateOf(link: Link, service: Service): string {
  const ended = [
    ...(isExpired(link, service.now(), isSince(service.software, "49")) ? ["expired"] : []),
    ...(link.disabled === 1 ? ["disabled"] : []),
  ];
  return [...(ended.length === 0 ? ["active"] : ended), ...(isSet(link.password) ? ["password"] : [])].join(", ");
}

/** What targets a visitor in this version: name, label and values. */
function visitorFields(software: Software): readonly (readonly [string, string, readonly string[]])[] {
  const { country, language } = TARGET_CODES[software];
  const fields = [
    ["country", "Country", country.toSorted()],
    ["platform", "Platform", PLATFORMS],
    ["language", "Language", language.toSorted()],
    ["continent", "Continent", CONTINENTS],
    ["browser", "Browser", BROWSERS],
    ["device", "Device", DEVICES],
  ] as const;
  return isSince(software, "49") ? fields : fields.slice(0, 3);
}

function visitForm(form: Form, service: Service): Markup {
  const selects = visitorFields(service.software).map(([name, label, values]) => {
    const chosen = textAt(form, name);
    const options = values.map(
      (value) => markup`<option${value === chosen ? markup` selected` : null}>${value}</option>`,
    );
    return markup`<label>${label} <select name="${name}"><option value="">other</option>${options}</select></label>\n`;
  });
  const checkbox = (name: string, label: string): Markup =>
    markup`<label><input type="checkbox" name="${name}" value="1"${form.has(name) ? markup` checked` : null}> ${label}</label>\n`;
  const links = [...service.store.links.values()];
  return markup`<form action="/">
<label>Short URL <input name="link" list="links" value="${textAt(form, "link") ?? ""}" size="30" required></label>
<datalist id="links">${links.map((link) => markup`<option value="${shortUrlOf(link, service)}"></option>`)}</datalist>
${selects}${checkbox("crawler", "Crawler")}${checkbox("passes", "Enters the password, passes warnings, refuses pixels")}
<button>Visit without counting</button>
</form>`;
}

function visitAnswer(form: Form, service: Service): Content {
  const typed = textAt(form, "link");
  if (typed === null) return null;
  // As in a request: one character a byte.
  const bytes = Buffer.from(typed).toString("latin1");
  const [, path = "", query = ""] = /^(?:https?:\/\/)?([^?#]*)(?:\?([^#]*))?/i.exec(bytes) ?? [];
  const shortUrl = readShortUrl("", `/${path}`, service.store);
  const passes = form.has("passes");
  const visitor = {
    country: textAt(form, "country"),
    platform: textAt(form, "platform"),
    language: textAt(form, "language"),
    continent: textAt(form, "continent"),
    browser: textAt(form, "browser"),
    device: textAt(form, "device"),
    isCrawler: form.has("crawler"),
    password: passes ? (shortUrl?.link?.password ?? null) : null,
    isWarned: passes,
    consent: passes ? ("refused" as const) : null,
  };
  const show = (status: number, answer: Content): Markup =>
    markup`<p class="answer" role="status"><b>${status}</b> ${answer}</p>`;
  if (shortUrl === null) return show(404, "Not Found");
  try {
    const reply = answerTo(shortUrl, visitor, query, service, decide);
    // A domain without a front page answers with this page.
    if (reply === null) return show(200, TITLE);
    const { status, headers, title = "" } = reply;
    return show(status, headers["location"] === undefined ? title : address(headers["location"]));
  } catch (error) {
    if (error instanceof FrameworkError) return show(error.status, error.message);
    throw error;
  }
}
