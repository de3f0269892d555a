// The part of the page at `/` that lists links, with their state and where they lead.
import { type ActiveGroup, activeGroup, entriesOf, isExpired } from "../visit/link-state.ts";
import { address, counted, figure, type Content, type Markup, markup, words } from "./markup.ts";
import type { Service } from "../service.ts";
import type { Link } from "../state.ts";
import { GROUPS } from "../targets.ts";
import { localTime } from "../zone.ts";

/** What is shown of a group, of pixels or of links; the rest is counted. */
const MAX_ENTRIES = 5;

/** `go.example.com/spring`, as people type it. */
export const shortUrlOf = (link: Link, { store }: Pick<Service, "store">): string =>
  `${store.domains.get(link.domain)?.name ?? ""}/${link.alias}`;

/** Leads to the try form with the link filled in; nothing is visited. */
export function trialAddress(shortUrl: string): string {
  return `/?${new URLSearchParams({ link: shortUrl }).toString()}#try`;
}

/** The first few, and how many more there are. */
export function firstOf<Item>(items: readonly Item[], show: (item: Item) => Content): Markup {
  const more = items.length - MAX_ENTRIES;
  return markup`${items.slice(0, MAX_ENTRIES).map((item) => markup`<li>${show(item)}</li>`)}${more > 0 ? markup`<li class="more">and ${figure(more)} more</li>` : null}`;
}

/** One row of the table. */
export function linkRow(link: Link, service: Service): Markup {
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
    ...(isExpired(link, now, service.software === "49") ? ["expired"] : []),
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
