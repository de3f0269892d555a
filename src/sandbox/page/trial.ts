// The form that tries a link as a visitor from somewhere else, and the result in sentences and as a curl command.
import { COUNTRIES, LANGUAGES, PLATFORMS } from "../codes.ts";
import { textAt, type Form } from "../forms.ts";
import { isSince, type Service } from "../service.ts";
import type { Link } from "../state.ts";
import { decide, readShortUrl, type Choice, type Outcome, type ShortUrl } from "../visit/decide.ts";
import { visit } from "../visit/visit.ts";
import {
  consentOf,
  CONTINENT_HEADER,
  COUNTRY_HEADER,
  OTHER_AGENT,
  SAMPLE_AGENTS,
  SAMPLE_BROWSERS,
  SAMPLE_DEVICES,
  WARNED_FIELD,
  type Visitor,
} from "../visit/visitor.ts";
import { localTime } from "../zone.ts";
import { address, counted, joined, markup, words, type Content, type Markup } from "./markup.ts";

/** What the form holds. Null: any other, or unknown. */
export interface TrialForm extends Omit<Visitor, "password"> {
  /** A short URL, with or without a scheme and a query; an alias alone will do. */
  readonly link: string;
  /** The visitor knows the link's password. */
  readonly isTrusted: boolean;
}

/** What came of a trial. */
interface Trial extends Explanation {
  /** Null: the text names no domain of the account. */
  readonly shortUrl: ShortUrl | null;
  readonly query: string;
  /** What the trial has left behind, as a sentence. */
  readonly count: string;
}

export function readTrialForm(form: Form): TrialForm {
  return {
    link: textAt(form, "link") ?? "",
    country: textAt(form, "country"),
    language: textAt(form, "language"),
    platform: textAt(form, "platform"),
    continent: textAt(form, "continent"),
    browser: textAt(form, "browser"),
    device: textAt(form, "device"),
    isCrawler: form.has("crawler"),
    isTrusted: form.has("trusted"),
    isWarned: form.has("warned"),
    consent: consentOf(textAt(form, "consent")),
  };
}

/** @param makeVisit false: nothing changes */
export function runTrial(form: TrialForm, makeVisit: boolean, service: Service): Trial {
  const { shortUrl, query } = readTyped(form.link, service);
  const { store } = service;
  if (shortUrl?.link) {
    const { link } = shortUrl;
    const visitor = { ...form, password: form.isTrusted ? link.password : null };
    const outcome = (makeVisit ? visit : decide)(link, visitor, query, service);
    const after = makeVisit ? store.links.get(link.id) : undefined;
    const count = after === undefined ? NOTHING : countSentence(outcome, form.isCrawler, after.clicks);
    return { ...explainOutcome(outcome, link, store.account.timezone), shortUrl, query, count };
  }
  return { ...explainMissing(form.link, shortUrl), shortUrl, query: "", count: NOTHING };
}

const NOTHING = "The visit was not counted, and nothing changed.";

function explainMissing(typed: string, shortUrl: ShortUrl | null): Explanation {
  if (shortUrl === null)
    return result(404, "Not Found", null, markup`No domain of this account has the link ${words(typed)}.`);
  const { domain, alias } = shortUrl;
  if (alias === "") {
    return domain.index_page
      ? result(301, null, domain.index_page, "This is the front page of the domain. The domain redirects it.")
      : result(200, "this page", null, "This is the front page of the domain. The domain does not redirect it.");
  }
  const why = markup`${words(domain.name)} has no link ${words(alias)}.`;
  return domain.not_found_page
    ? result(301, null, domain.not_found_page, why, "The domain redirects unknown links.")
    : result(404, "Not Found", null, why);
}

function readTyped(typed: string, { store }: Service): { readonly shortUrl: ShortUrl | null; readonly query: string } {
  // As a request would have it: a character a byte.
  const bytes = Buffer.from(typed.replaceAll(" ", "%20")).toString("latin1");
  const [, path = "", query = ""] = /^(?:https?:\/\/)?([^?#]*)(?:\?([^#]*))?/is.exec(bytes) ?? [];
  const hosts = path.includes("/") ? [] : [...store.domains.values()].map(({ name }) => name);
  const byAlias = hosts.map((host) => readShortUrl(host, `/${path}`, store)).find((found) => found?.link);
  return { shortUrl: byAlias ?? readShortUrl("", `/${path}`, store), query };
}

type Option = readonly [value: string, label: string];

function named(codes: readonly string[], type: "region" | "language"): readonly Option[] {
  const displayed = new Intl.DisplayNames("en", { type });
  const options = codes.map((code): Option => [code, `${displayed.of(code) ?? code} (${code})`]);
  return options.toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
}

const asOptions = (names: readonly string[]): readonly Option[] => names.map((name) => [name, name]);

const COUNTRY_OPTIONS = named(COUNTRIES, "region");
const LANGUAGE_OPTIONS = named(LANGUAGES, "language");
const CONTINENT_OPTIONS: readonly Option[] = [
  ["AF", "Africa (AF)"],
  ["AN", "Antarctica (AN)"],
  ["AS", "Asia (AS)"],
  ["EU", "Europe (EU)"],
  ["NA", "North America (NA)"],
  ["OC", "Oceania (OC)"],
  ["SA", "South America (SA)"],
];

function select(
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | null,
  none = "any other",
): Markup {
  const items = options.map(
    ([value, shown]) =>
      markup`<option value="${value}"${value === chosen ? markup` selected` : null}>${shown}</option>`,
  );
  return markup`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">${none}</option>${items}</select></div>
`;
}

function checkbox(name: string, label: string, isChecked: boolean): Markup {
  return markup`<label class="tick"><input type="checkbox" name="${name}" value="1"${isChecked ? markup` checked` : null}> ${label}</label>
`;
}

/**
 * Looking is a GET and changes nothing; a visit that counts is a POST.
 * @param trial null: nothing has been tried yet
 * @param suggestions short URLs to choose from
 * @param search what the list below is searched for; it stays
 */
export function trialSection(
  form: TrialForm,
  trial: Trial | null,
  suggestions: readonly string[],
  search: string,
  service: Service,
  port: number,
): Markup {
  const isNew = isSince(service.software, "49");
  const more = isNew
    ? [
        select("continent", "Continent", CONTINENT_OPTIONS, form.continent),
        select("browser", "Browser", asOptions(Object.keys(SAMPLE_BROWSERS)), form.browser),
        select("device", "Device", asOptions(Object.keys(SAMPLE_DEVICES)), form.device),
      ]
    : null;
  return markup`<section id="try" aria-labelledby="try-title">
<h2 id="try-title">Try a link as a visitor</h2>
<form action="/#try" method="get" class="panel">
<div class="fields">
<div class="field wide"><label for="link">Short URL</label>
<input id="link" name="link" list="suggestions" value="${form.link}" placeholder="${suggestions[0] ?? "go.example.com/hello"}" required autocomplete="off" autocapitalize="none" spellcheck="false">
<datalist id="suggestions">${suggestions.map((shortUrl) => markup`<option value="${shortUrl}"></option>`)}</datalist></div>
${select("country", "Country", COUNTRY_OPTIONS, form.country)}${select("language", "Language", LANGUAGE_OPTIONS, form.language)}${select("platform", "Platform", asOptions(PLATFORMS), form.platform)}${more}${select("consent", "Tracking", asOptions(["accepted", "refused"]), form.consent, "not answered yet")}</div>
<div class="ticks">
${checkbox("trusted", "entered the password", form.isTrusted)}${isNew ? checkbox("warned", "confirmed the warning", form.isWarned) : null}${checkbox("crawler", "is a crawler", form.isCrawler)}</div>
${search === "" ? null : markup`<input type="hidden" name="q" value="${search}">`}
<div class="buttons"><button>See what happens</button>
<button class="quiet" formmethod="post">Visit, and count the click</button></div>
</form>
${trial === null ? null : resultPanel(trial, form, port)}
</section>
`;
}

function resultPanel(trial: Trial, form: TrialForm, port: number): Markup {
  const { status, page, to, why, count, shortUrl, query } = trial;
  const shown = page === null ? null : markup` <span class="page">${page}</span>`;
  const target = to === null ? null : markup` <span class="arrow" aria-label="leads to">→</span> ${address(to)}`;
  const command: Content =
    shortUrl === null
      ? null
      : markup`<details><summary>The same with curl, which is a visit</summary>
<pre>${curlCommand(shortUrl, query, form, port)}</pre></details>
`;
  return markup`<div class="panel result" role="status">
<p class="headline"><span class="status">${status}</span>${shown}${target}</p>
<ul class="why">${why.map((sentence) => markup`<li>${sentence}</li>`)}</ul>
<p class="count">${count}</p>
${command}</div>
`;
}

interface Explanation {
  readonly status: number;
  /** The page that is shown, first or instead. */
  readonly page: string | null;
  /** Where the visitor ends up. */
  readonly to: string | null;
  readonly why: readonly Content[];
}

function result(status: number, page: string | null, to: string | null, ...why: Content[]): Explanation {
  return { status, page, to, why };
}

/** @param zone the account's, for times */
function explainOutcome(outcome: Outcome, link: Link, zone: string): Explanation {
  const pixels = "pixels" in outcome ? joined(outcome.pixels.map(({ name }) => words(name))) : null;
  switch (outcome.kind) {
    case "expired": {
      const since =
        link.ends_at === null
          ? `after ${counted(link.clicks, "click")}`
          : `it ends on ${localTime(link.ends_at, zone)} and has ${counted(link.clicks, "click")}`;
      const why = `The link has expired (${since}).`;
      return outcome.to === null
        ? result(200, "Link expired", null, why)
        : result(301, null, outcome.to, why, "It has an expiration URL.");
    }
    case "disabled":
      return result(200, "Link disabled", null, "The link is disabled.");
    case "password":
      return result(200, "Password needed", null, "Visitors must first enter the password.");
    case "warning":
      return result(200, "Sensitive content", null, "A page first warns about sensitive content.");
    case "consent": {
      const asks = markup`A page asks whether the pixels (${pixels}) may be loaded.`;
      const accepted = markup`Visitors who accept go to ${address(outcome.accepted)}, the link's own destination, without targeting and without the query.`;
      const { refused } = outcome;
      if (refused.kind === "broken")
        return result(200, "consent page", null, asks, accepted, `For visitors who refuse: ${BROKEN}`);
      return result(
        200,
        "consent page",
        refused.to,
        asks,
        "Visitors who refuse are redirected.",
        whyChosen(refused.choice),
        accepted,
      );
    }
    case "tracked":
      return result(
        200,
        "pixel page",
        outcome.to,
        markup`A page loads the pixels (${pixels}) and then goes to the link's own destination, without targeting and without the query.`,
      );
    case "broken":
      return result(500, "Server Error", null, BROKEN);
    case "sent on":
      return result(301, null, outcome.to, whyChosen(outcome.choice));
    default:
      return outcome satisfies never;
  }
}

const BROKEN = "The rotation has an empty entry, so every visit fails.";

const OWN = "so the visitor goes to the link's own destination";

function whyChosen(choice: Choice): string {
  switch (choice.by) {
    case "none":
      return "No targeting is active, so every visitor goes to the link's own destination.";
    case "crawler":
      return "Crawlers always go to the link's own destination.";
    case "match":
      return `The link is targeted by ${choice.group}, and ${choice.key} has a destination.`;
    case "no match":
      return choice.key === null
        ? `The link is targeted by ${choice.group}, and no key matches this visitor, ${OWN}.`
        : `The link is targeted by ${choice.group}, and ${choice.key} is not one of its keys, ${OWN}.`;
    case "unused":
      return "The link has a rotation, but this version sends every visitor to the link's own destination.";
    case "slot":
      return choice.slot === choice.slots
        ? `The destinations take turns. This is turn ${choice.slot} of ${choice.slots}, the link's own destination.`
        : `The destinations take turns. This is turn ${choice.slot} of ${choice.slots}.`;
    default:
      return choice satisfies never;
  }
}

function countSentence({ kind }: Outcome, isCrawler: boolean, clicks: number): string {
  if (kind !== "sent on" && kind !== "tracked")
    return "The visit was not counted. Only visits that are redirected count.";
  if (isCrawler) return "The visit was not counted, because crawlers do not count.";
  return `The visit was counted. The link now has ${counted(clicks, "click")}.`;
}

/**
 * One command for a POSIX shell. With `isCrawler` curl comes as itself.
 * @param port the sandbox's
 * @param query as it goes on the wire, without `?`
 */
function curlCommand({ domain, alias }: ShortUrl, query: string, form: TrialForm, port: number): string {
  const path = encodeURIComponent(Buffer.from(alias).toString());
  const headers = [
    ["Host", domain.name],
    [COUNTRY_HEADER, form.country],
    [CONTINENT_HEADER, form.continent],
    ["Accept-Language", form.language],
    ["User-Agent", form.isCrawler ? null : agentOf(form)],
  ].filter(([, value]) => value !== null);
  return [
    "curl -i",
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(form.isTrusted ? ["-d password=…"] : []),
    ...(form.isWarned ? [`-d ${WARNED_FIELD}=1`] : []),
    ...(form.consent === null ? [] : [`-d consent=${form.consent}`]),
    quoted(`http://127.0.0.1:${port}/${path}${query === "" ? "" : `?${query}`}`),
  ].join(" \\\n  ");
}

/** One user agent shows only one of these. */
function agentOf({ platform, browser, device }: TrialForm): string {
  return SAMPLE_AGENTS[platform ?? ""] ?? SAMPLE_BROWSERS[browser ?? ""] ?? SAMPLE_DEVICES[device ?? ""] ?? OTHER_AGENT;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
