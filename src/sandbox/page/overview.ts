// The page at `/`: what the account holds, who uses which pixel, and a link tried as a visitor.
import { type Form, text } from "../forms.ts";
import { page } from "./layout.ts";
import { figure, type Content, type Markup, markup, words } from "./markup.ts";
import { domainsAndSpaces, facts, pixelRow, type Setting, usersOfPixels } from "./overview-account.ts";
import { linkRow, shortUrlOf } from "./overview-links.ts";
import { search } from "./overview-search.ts";
import type { Reply } from "../reply.ts";
import type { Service } from "../service.ts";
import { trialSection } from "./trial-form.ts";
import { readTrialForm, runTrial } from "./trial.ts";

/** Rows of a table; whoever has more searches. */
const MAX_ROWS = 100;

export interface OverviewRequest {
  /** What the page's forms send. */
  readonly form: Form;
  /** A trial is made a visit. */
  readonly isVisit: boolean;
}

/** Changes nothing, unless a visit is asked for. */
export function overview({ form, isVisit }: OverviewRequest, service: Service, setting: Setting): Reply {
  const asked = text(form, "q") ?? "";
  const trialForm = readTrialForm(form);
  // Before the lists: they show what a visit has changed.
  const trial = trialForm.link === "" ? null : runTrial(trialForm, isVisit, service);
  const { links, pixels } = search(asked, service);
  const users = usersOfPixels(service);
  const suggestions = links.slice(0, MAX_ROWS).map((link) => shortUrlOf(link, service));
  const { timezone: zone } = service.store.account;
  const body = markup`<a class="skip" href="#links">To the links</a>
<main>
${facts(service, setting)}${trialSection({ form: trialForm, software: service.software, trial, suggestions, search: asked, zone, port: setting.port })}
<section id="links" aria-labelledby="links-title">
<h2 id="links-title">Links</h2>
${searchBox(asked)}
<p class="aside">Opening a short URL is a visit and counts a click. <em>Try</em> only looks.</p>
${table("links", links, service.store.links.size, asked, ["Short URL", "Goes to", "State", "Clicks", ""], (link) => linkRow(link, service))}</section>
<section aria-labelledby="pixels-title">
<h2 id="pixels-title">Pixels</h2>
${table("pixels", pixels, service.store.pixels.size, asked, ["Name", "Type", "Value", "Used by"], (pixel) => pixelRow(pixel, users.get(pixel.id) ?? [], service))}</section>
${domainsAndSpaces(service)}</main>`;
  return page(200, { title: "linkform sandbox", look: "wide", body });
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
