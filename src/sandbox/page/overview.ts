// The page at `/`: how the sandbox was started, its links, pixels, domains and spaces, and a form to try a link.
import { textAt, type Form } from "../forms.ts";
import { page } from "./layout.ts";
import { address, counted, figure, joined, markup, words, type Content, type Markup } from "./markup.ts";
import type { AppOptions } from "../app.ts";
import type { Reply } from "../reply.ts";
import { isSince, type Service } from "../service.ts";
import { readTrialForm, runTrial, trialSection } from "./trial.ts";
import {
  activeGroup,
  DEFAULT_FEATURES,
  entriesOf,
  GROUPS,
  isExpired,
  type ActiveGroup,
  type Link,
  type Pixel,
} from "../state.ts";
import { localTime } from "../zone.ts";
import { fold } from "../fold.ts";

/** Rows of a table; whoever has more searches. */
const MAX_ROWS = 100;

/**
 * @param form what the page's forms send
 * @param isVisit a trial is made a visit; else nothing changes
 */
export function overview(form: Form, isVisit: boolean, service: Service, setting: Setting): Reply {
  const asked = textAt(form, "q") ?? "";
  const trialForm = readTrialForm(form);
  // Before the lists: they show what a visit has changed.
  const trial = trialForm.link === "" ? null : runTrial(trialForm, isVisit, service);
  const { links, pixels } = search(asked, service);
  const suggestions = links.slice(0, MAX_ROWS).map((link) => shortUrlOf(link, service));
  const body = markup`<a class="skip" href="#links">To the links</a>
<main>
${facts(service, setting)}${trialSection(trialForm, trial, suggestions, asked, service, setting.port)}
<section id="links" aria-labelledby="links-title">
<h2 id="links-title">Links</h2>
${searchBox(asked)}
<p class="aside">Opening a short URL is a visit and counts a click. <em>Try</em> only looks.</p>
${table("links", links, service.store.links.size, asked, ["Short URL", "Goes to", "State", "Clicks", ""], (link) => linkRow(link, service))}</section>
<section aria-labelledby="pixels-title">
<h2 id="pixels-title">Pixels</h2>
${table("pixels", pixels, service.store.pixels.size, asked, ["Name", "Type", "Value", "Used by"], (pixel) => pixelRow(pixel, service))}</section>
${domainsAndSpaces(service)}</main>`;
  return page(200, "wide", "linkform sandbox", body);
}

function searchBox(asked: string): Markup {
  return markup`<form action="/#links" method="get" role="search" class="search">
<label for="q">Search links and pixels</label>
<input id="q" name="q" type="search" value="${asked}" autocomplete="off" autocapitalize="none" spellcheck="false">
<button>Search</button>${asked === "" ? null : markup` <a href="/#links">Show all</a>`}
</form>`;
}

function table<Row>(
  kind: "links" | "pixels",
  rows: readonly Row[],
  total: number,
  asked: string,
  heads: readonly string[],
  show: (row: Row) => Markup,
): Content {
  if (total === 0)
    return markup`<p class="panel empty">No ${kind} yet. <code>linkform apply</code> makes those of your files.</p>\n`;
  if (rows.length === 0)
    return markup`<p class="panel empty">None of the ${figure(total)} ${kind} has “${words(asked)}”.</p>\n`;
  const more = rows.length - MAX_ROWS;
  const found =
    asked === "" ? null : markup`<p>${figure(rows.length)} of ${figure(total)} ${kind} with “${words(asked)}”.</p>\n`;
  return markup`${found}<table class="panel ${kind}">
<thead><tr>${heads.map((head) => (head === "" ? markup`<td></td>` : markup`<th scope="col">${head}</th>`))}</tr></thead>
<tbody>
${rows.slice(0, MAX_ROWS).map(show)}</tbody>
</table>
${more > 0 ? markup`<p class="more">${figure(more)} more ${kind} are not listed. Search to find them.</p>\n` : null}`;
}

/** How the sandbox was started. */
type Setting = Omit<AppOptions, "deletePath"> & { readonly port: number };

/** The key that a sandbox has unless it is given another; only this one is shown. */
export const DEFAULT_KEY = "sandbox-key";

/** Name, facts, and the two commands to begin with. */
function facts({ store, software }: Service, setting: Setting): Markup {
  const { rateLimit, rateWindow, apiKey, port } = setting;
  const { timezone, features } = store.account;
  const limits = Object.entries(features).filter(([name, value]) => value !== DEFAULT_FEATURES[name]);
  const rate = `${counted(rateLimit, "request")} ${rateWindow === 60_000 ? "a minute" : `in ${rateWindow / 1000} s`}`;
  const rows: readonly (readonly [string, Content])[] = [
    ["Imitates", `version ${software} of the service`],
    ["Time zone", words(timezone)],
    ["Rate limit", rateLimit === 0 ? "none" : rate],
    [
      "Holds",
      joined((["link", "pixel", "domain", "space"] as const).map((kind) => counted(store[`${kind}s`].size, kind))),
    ],
    ...(limits.length === 0
      ? []
      : [["Plan", limits.map(([name, value]) => `${name} ${value === 0 ? "off" : value}`).join(", ")] as const]),
  ];
  const key = apiKey === DEFAULT_KEY ? apiKey : "…";
  return markup`<header>
<h1>linkform sandbox</h1>
<p>A link-shortening service on your machine, to try and to test with. Nothing here is public.</p>
</header>
<div class="split">
<dl class="panel facts">
${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<div class="panel">
<p>In a folder with your files:</p>
<pre>export LINKFORM_API_KEY=${key}
linkform plan --base-url http://127.0.0.1:${port}</pre>
${key === apiKey ? null : markup`<p class="aside">The key is the one that this sandbox was started with.</p>`}</div>
</div>
`;
}

/** One row of the table: the pixel and who uses it. */
function pixelRow(pixel: Pixel, service: Service): Markup {
  const users = [...service.store.links.values()].filter((link) => link.pixels.includes(pixel.id));
  const used = users.map((link) => shortUrlOf(link, service));
  const show = (shortUrl: string): Markup => markup`<a href="${trialAddress(shortUrl)}">${words(shortUrl)}</a>`;
  return markup`<tr>
<td class="short">${words(pixel.name)}</td>
<td><span class="label">Type </span>${words(pixel.type)}</td>
<td class="goes"><span class="label">Value </span>${words(pixel.value)}</td>
<td>${used.length === 0 ? markup`<span class="aside">no link</span>` : markup`<span class="label">Used by </span><ul class="users">${firstOf(used, show)}</ul>`}</td>
</tr>
`;
}

/** Both with the ids that files may name. */
function domainsAndSpaces({ store }: Service): Markup {
  const links = [...store.links.values()];
  const row = (field: "domain" | "space", name: string, id: number, notes: readonly Content[]): Markup => {
    const count = links.filter((link) => link[field] === id).length;
    return markup`<li><strong>${words(name)}</strong> <span class="aside">id ${id}, ${counted(count, "link")}</span>${notes.map((note) => markup`<p class="aside">${note}</p>`)}</li>
`;
  };
  const domains = [...store.domains.values()].map(({ id, name, shared, index_page, not_found_page }) =>
    row("domain", name, id, [
      ...(shared ? ["shared by the whole service"] : []),
      ...(index_page ? [markup`front page ${address(index_page)}`] : []),
      ...(not_found_page ? [markup`unknown links go to ${address(not_found_page)}`] : []),
    ]),
  );
  const spaces = [...store.spaces.values()].map(({ id, name }) => row("space", name, id, []));
  return markup`<div class="split">
<section aria-labelledby="domains-title"><h2 id="domains-title">Domains</h2><ul class="panel rows">
${domains}</ul></section>
<section aria-labelledby="spaces-title"><h2 id="spaces-title">Spaces</h2><ul class="panel rows">
${spaces}</ul></section>
</div>
`;
}

/** What is shown of a group, of pixels or of links; the rest is counted. */
const MAX_ENTRIES = 5;

/** `go.example.com/spring`, as people type it. */
const shortUrlOf = (link: Link, { store }: Pick<Service, "store">): string =>
  `${store.domains.get(link.domain)?.name ?? ""}/${link.alias}`;

/** Leads to the try form with the link filled in; nothing is visited. */
function trialAddress(shortUrl: string): string {
  return `/?${new URLSearchParams({ link: shortUrl }).toString()}#try`;
}

/** The first few, and how many more there are. */
function firstOf<Item>(items: readonly Item[], show: (item: Item) => Content): Markup {
  const more = items.length - MAX_ENTRIES;
  return markup`${items.slice(0, MAX_ENTRIES).map((item) => markup`<li>${show(item)}</li>`)}${more > 0 ? markup`<li class="more">and ${figure(more)} more</li>` : null}`;
}

/** One row of the table. */
function linkRow(link: Link, service: Service): Markup {
  const { store } = service;
  const shortUrl = shortUrlOf(link, service);
  const space = link.space === null ? undefined : store.spaces.get(link.space)?.name;
  const pixels = link.pixels.flatMap((id) => store.pixels.get(id)?.name ?? []);
  return markup`<tr>
<td class="short"><a href="${visitAddress(link, service)}">${words(shortUrl)}</a>${link.title === null ? null : markup`<p class="aside">${words(link.title)}</p>`}
${space === undefined ? null : markup`<p class="aside">Space ${words(space)}</p>`}${pixels.length === 0 ? null : markup`<ul class="tags" aria-label="Pixels">${firstOf(pixels, words)}</ul>`}</td>
<td class="goes">${address(link.url)}${targets(link)}</td>
<td class="state">${state(link, service)}</td>
<td class="number"><span class="label">Clicks </span>${figure(link.clicks)}</td>
<td class="act"><a class="try" href="${trialAddress(shortUrl)}">Try<span class="hidden"> ${shortUrl}</span></a></td>
</tr>
`;
}

/** The link at work, on this machine. */
function visitAddress(link: Link, { store }: Service): string {
  const part = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
  return `/${part(store.domains.get(link.domain)?.name || "-")}/${part(link.alias)}`;
}

const LABELS: Readonly<Record<ActiveGroup, string>> = {
  country: "By country",
  platform: "By platform",
  language: "By language",
  continent: "By continent",
  browser: "By browser",
  device: "By device",
  rotation: "In turn",
};

function targets(link: Link): Content {
  const active = activeGroup(link);
  const idle = GROUPS.filter((group) => group !== active && entriesOf(link[group]).length > 0);
  const stored = idle.map((group) => `${LABELS[group].toLowerCase()} (${entriesOf(link[group]).length})`);
  return [
    active === null ? null : activeTargets(link, active),
    stored.length === 0 ? null : markup`<p class="aside">Stored, not active: ${stored.join(", ")}</p>`,
  ];
}

function activeTargets(link: Link, group: ActiveGroup): Markup {
  const entries = entriesOf(link[group]);
  if (entries.length === 0) return markup`<p class="aside">${LABELS[group]}, with no destinations</p>`;
  const turn = Math.min(link.last_rotation, entries.length) + 1;
  const note = group === "rotation" ? `, the one above last; next is ${turn} of ${entries.length + 1}` : "";
  const numbered = entries.map((entry, at) => ({ key: String(at + 1), ...entry }));
  return markup`<p class="aside">${LABELS[group]}${note}</p>
<ul class="targets">${firstOf(numbered, ({ key, value }) => markup`<b>${words(key)}</b> ${address(value)}`)}</ul>`;
}

function state(link: Link, service: Service): Content {
  const now = service.now();
  const { timezone } = service.store.account;
  const badges = [
    ...(isExpired(link, now, isSince(service.software, "49")) ? ["expired"] : []),
    ...(link.disabled === 1 ? ["disabled"] : []),
    ...(link.password === null ? [] : ["password"]),
    ...(link.sensitive === 1 ? ["warning"] : []),
  ];
  const shown = badges.some((badge) => badge !== "password" && badge !== "warning") ? badges : ["active", ...badges];
  const limit = link.expiration_clicks ?? 0;
  const ends = [
    ...(link.starts_at === undefined
      ? []
      : [`${link.starts_at <= now ? "Since" : "From"} ${localTime(link.starts_at, timezone)}`]),
    ...(link.ends_at === null
      ? []
      : [`${link.ends_at <= now ? "Ended" : "Until"} ${localTime(link.ends_at, timezone)}`]),
    ...(limit > 0 ? [`Up to ${counted(limit, "click")}`] : []),
  ];
  return [
    markup`<ul class="badges">${shown.map((badge) => markup`<li class="${badge}">${badge}</li>`)}</ul>`,
    ends.map((line) => markup`<p class="aside">${line}</p>`),
    link.expiration_url ? markup`<p class="aside">then ${address(link.expiration_url)}</p>` : null,
  ];
}

/**
 * What has the words in one of its texts, without regard to case and accents. Links are also found by their pixels and
 * space, but not by their passwords. The newest links come first.
 */
function search(
  asked: string,
  { store }: Service,
): { readonly links: readonly Link[]; readonly pixels: readonly Pixel[] } {
  const wanted = fold(asked.trim());
  const has = (texts: readonly (string | null | undefined)[]): boolean =>
    wanted === "" || texts.some((text) => typeof text === "string" && fold(text).includes(wanted));
  const links = [...store.links.values()].filter((link) =>
    has([
      `${store.domains.get(link.domain)?.name ?? ""}/${link.alias}`,
      link.url,
      link.title,
      link.expiration_url,
      link.space === null ? null : store.spaces.get(link.space)?.name,
      ...link.pixels.map((id) => store.pixels.get(id)?.name),
      ...[link.country, link.platform, link.language, link.rotation].flatMap((group) =>
        entriesOf(group).map(({ value }) => value),
      ),
    ]),
  );
  const pixels = [...store.pixels.values()].filter(({ name, type, value }) => has([name, type, value]));
  return { links: links.toSorted((a, b) => b.id - a.id), pixels };
}
