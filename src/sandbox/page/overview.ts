// The page at `/`: the account, its links and pixels. Each short URL leads to a visit.
import type { Reply } from "../reply.ts";
import type { Service } from "../service.ts";
import { isExpired, isSet, type Link } from "../state.ts";
import { page } from "./layout.ts";
import { address, joined, markup, words, type Content, type Markup } from "./markup.ts";

/** The default key of a sandbox. Only this one is shown. */
export const DEFAULT_KEY = "sandbox-key";

const TITLE = "linkform sandbox";

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

/** @param rows a cell for each of the heads */
function table(kind: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  if (rows.length === 0) return markup`<p>No ${kind}</p>`;
  return markup`<table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;
}

function linkRow(link: Link, service: Service): readonly Content[] {
  const { domains, pixels } = service.store;
  const domain = domains.get(link.domain)?.name ?? "";
  const part = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
  const ended = [...(isExpired(link, service) ? ["expired"] : []), ...(link.disabled === 1 ? ["disabled"] : [])];
  const state = [...(ended.length === 0 ? ["active"] : ended), ...(isSet(link.password) ? ["password"] : [])];
  return [
    // The path on this sandbox that visits the link.
    markup`<a href="/${part(domain || "-")}/${part(link.alias)}">${words(`${domain}/${link.alias}`)}</a>`,
    address(link.url),
    state.join(", "),
    link.clicks.toLocaleString("en"),
    joined(link.pixels.flatMap((id) => pixels.get(id) ?? []).map(({ name }) => words(name))),
  ];
}
