// The sandbox's pages: HTML templates, the frame of every page, and the page at `/`. They have no scripts, and fetch nothing.
import { createHash } from "node:crypto";
import { escapeText, html, type Reply } from "./reply.ts";
import type { Service } from "./service.ts";
import { isExpired, isSet, type Link } from "./state.ts";

export interface Markup {
  readonly source: string;
}

/** Null becomes nothing, and lists are joined. */
export type Content = Markup | string | number | null | readonly Content[];

/** The template with its values: markup unchanged, everything else escaped. */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { source: parts.map((part, at) => (at === 0 ? part : render(values[at - 1] ?? null) + part)).join("") };
}

function render(content: Content): string {
  if (content === null) return "";
  if (typeof content !== "object") return escapeText(String(content));
  return "source" in content ? content.source : content.map(render).join("");
}

/** Text of a user, isolated because it may be right to left or have characters that reverse its surroundings. */
export const words = (text: string): Markup => markup`<bdi>${text}</bdi>`;

/** A link if it leads to the web, else text. `javascript:` and the like never become links. */
export function address(url: string): Markup {
  const isWeb = URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  return isWeb ? markup`<a href="${url}" rel="noreferrer"><bdi>${url}</bdi></a>` : words(url);
}

/** Whether a page may link to it: not if the browser would run or read it directly. */
export function mayGoOn(url: string): boolean {
  const scripted = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"];
  return URL.canParse(url) && !scripted.includes(new URL(url).protocol);
}

const STYLE = markup`
:root { color-scheme: light dark; }
html { background: Canvas; color: CanvasText; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid; }
form :is(label, input) { max-width: 100%; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid; text-align: start; vertical-align: top; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE.source).digest("base64");

const HEADERS = {
  // No form-action: in some browsers, it would also block the redirect that follows a password.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** @param head additions to the head */
export function page(status: number, title: string, body: Content, head: Content = null): Reply {
  const { source } = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return html(status, source, HEADERS);
}

/** The default key of a sandbox. Only this one is shown. */
export const DEFAULT_KEY = "sandbox-key";

const TITLE = "linkform sandbox";

/** The account, its links and pixels. Each short URL leads to a visit. */
export function overview(apiKey: string, service: Service): Reply {
  const { account, domains, spaces, links, pixels } = service.store;
  const named = (rows: Iterable<{ readonly id: number; readonly name: string }>): Content =>
    joined([...rows].map(({ id, name }) => markup`${words(name)} (id ${id})`));
  const facts: readonly (readonly [string, Content])[] = [
    ["Version", service.software],
    ["Time zone", account.timezone],
    ["API key", apiKey === DEFAULT_KEY ? apiKey : "the one that this sandbox was started with"],
    ["Domains", named(domains.values())],
    ["Spaces", named(spaces.values())],
  ];
  const linkRows = [...links.values()].map((link) => linkRow(link, service));
  const pixelRows = [...pixels.values()].map(({ name, type, value }) => [words(name), words(type), words(value)]);
  const body = markup`<main>
<h1>${TITLE}</h1>
<ul>${facts.map(([name, fact]) => markup`<li>${name}: ${fact}</li>\n`)}</ul>
<h2>Links</h2>
${table("links", ["Short URL", "Destination", "State", "Clicks", "Pixels"], linkRows)}
<h2>Pixels</h2>
${table("pixels", ["Name", "Type", "Value"], pixelRows)}
</main>`;
  return page(200, TITLE, body);
}

const joined = (items: readonly Content[]): Content => items.map((item, at) => [at === 0 ? "" : ", ", item]);

function table(kind: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  if (rows.length === 0) return markup`<p>No ${kind}</p>`;
  return markup`<table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;
}

function linkRow(link: Link, service: Service): readonly Content[] {
  const { store } = service;
  const domain = store.domains.get(link.domain)?.name ?? "";
  const part = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
  const ended = [...(isExpired(link, service) ? ["expired"] : []), ...(link.disabled === 1 ? ["disabled"] : [])];
  const state = [...(ended.length === 0 ? ["active"] : ended), ...(isSet(link.password) ? ["password"] : [])];
  return [
    // The path on this sandbox that visits the link.
    markup`<a href="/${part(domain || "-")}/${part(link.alias)}">${words(`${domain}/${link.alias}`)}</a>`,
    address(link.url),
    state.join(", "),
    link.clicks.toLocaleString("en"),
    joined(store.pixelsOf(link).map(({ name }) => words(name))),
  ];
}
