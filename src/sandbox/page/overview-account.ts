// The parts of the page at `/` that say what this sandbox is, and which domains, spaces and pixels it holds.
import { type Content, type Markup, address, counted, markup, words } from "./markup.ts";
import { firstOf, shortUrlOf, trialAddress } from "./overview-links.ts";
import type { Service } from "../service.ts";
import { DEFAULT_FEATURES, type Link, type Pixel } from "../state.ts";

/** How the sandbox was started. */
export interface Setting {
  readonly apiKey: string;
  /** Requests a window; 0: no limit. */
  readonly rateLimit: number;
  /** ms */
  readonly rateWindow: number;
  readonly port: number;
}

/** The key that a sandbox has unless it is given another; only this one is shown. */
export const DEFAULT_KEY = "sandbox-key";

/** Name, facts, and the two commands to begin with. */
export function facts({ store, software }: Service, setting: Setting): Markup {
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
      [store.links, store.pixels, store.domains, store.spaces].map(({ size }, at) => [
        at === 0 ? "" : ", ",
        counted(size, KINDS[at] ?? ""),
      ]),
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

const KINDS = ["link", "pixel", "domain", "space"] as const;

/** One row of the table: the pixel and who uses it. */
export function pixelRow(pixel: Pixel, users: readonly Link[], service: Service): Markup {
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

/** Which links use a pixel, by its id. */
export function usersOfPixels({ store }: Service): ReadonlyMap<number, readonly Link[]> {
  const users = new Map<number, Link[]>();
  for (const link of store.links.values()) {
    for (const id of link.pixels) {
      const known = users.get(id);
      if (known === undefined) users.set(id, [link]);
      else known.push(link);
    }
  }
  return users;
}

/** Both with the ids that files may name. */
export function domainsAndSpaces({ store }: Service): Markup {
  const links = [...store.links.values()];
  const tally = (key: (link: Link) => number | null): ReadonlyMap<number | null, number> => {
    const counts = new Map<number | null, number>();
    for (const link of links) counts.set(key(link), (counts.get(key(link)) ?? 0) + 1);
    return counts;
  };
  const [onDomain, inSpace] = [tally((link) => link.domain), tally((link) => link.space)];
  const row = (name: string, id: number, count: number, notes: readonly Content[]): Markup =>
    markup`<li><strong>${words(name)}</strong> <span class="aside">id ${id}, ${counted(count, "link")}</span>${notes.map((note) => markup`<p class="aside">${note}</p>`)}</li>
`;
  const domains = [...store.domains.values()].map(({ id, name, shared, index_page, not_found_page }) =>
    row(name, id, onDomain.get(id) ?? 0, [
      ...(shared ? ["shared by the whole service"] : []),
      ...(index_page ? [markup`front page ${address(index_page)}`] : []),
      ...(not_found_page ? [markup`unknown links go to ${address(not_found_page)}`] : []),
    ]),
  );
  const spaces = [...store.spaces.values()].map(({ id, name }) => row(name, id, inSpace.get(id) ?? 0, []));
  return markup`<div class="split">
<section aria-labelledby="domains-title"><h2 id="domains-title">Domains</h2><ul class="panel rows">
${domains}</ul></section>
<section aria-labelledby="spaces-title"><h2 id="spaces-title">Spaces</h2><ul class="panel rows">
${spaces}</ul></section>
</div>
`;
}
