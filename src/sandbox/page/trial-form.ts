// The part of the page at `/` that lets a link be tried as a visitor from somewhere else.
import { COUNTRIES, LANGUAGES, PLATFORMS } from "../codes.ts";
import { curlCommand } from "./curl.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { headline, tell, tellCount } from "./trial-text.ts";
import type { Software } from "../service.ts";
import { SAMPLE_BROWSERS, SAMPLE_DEVICES } from "../visit/user-agent.ts";
import type { Trial, TrialForm } from "./trial.ts";

export interface TrialView {
  readonly form: TrialForm;
  readonly software: Software;
  /** Null: nothing has been tried yet. */
  readonly trial: Trial | null;
  /** Short URLs to choose from. */
  readonly suggestions: readonly string[];
  /** What the list below is searched for; it stays. */
  readonly search: string;
  readonly zone: string;
  readonly port: number;
}

type Option = readonly [value: string, label: string];

function named(codes: readonly string[], type: "region" | "language"): readonly Option[] {
  const names = new Intl.DisplayNames("en", { type });
  const options = codes.map((code): Option => [code, `${names.of(code) ?? code} (${code})`]);
  return options.toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
}

const COUNTRY_OPTIONS = named(COUNTRIES, "region");
const LANGUAGE_OPTIONS = named(LANGUAGES, "language");
const PLATFORM_OPTIONS = PLATFORMS.map((name): Option => [name, name]);
const CONTINENT_OPTIONS: readonly Option[] = [
  ["AF", "Africa (AF)"],
  ["AN", "Antarctica (AN)"],
  ["AS", "Asia (AS)"],
  ["EU", "Europe (EU)"],
  ["NA", "North America (NA)"],
  ["OC", "Oceania (OC)"],
  ["SA", "South America (SA)"],
];

const BROWSER_OPTIONS = Object.keys(SAMPLE_BROWSERS).map((name): Option => [name, name]);
const DEVICE_OPTIONS = Object.keys(SAMPLE_DEVICES).map((name): Option => [name, name]);
const CONSENT_OPTIONS: readonly Option[] = [
  ["accepted", "accepted"],
  ["refused", "refused"],
];

function choice(
  name: "country" | "language" | "platform" | "continent" | "browser" | "device" | "consent",
  label: string,
  options: readonly Option[],
  chosen: string,
  none = "any other",
): Markup {
  const items = options.map(
    ([value, text]) => markup`<option value="${value}"${value === chosen ? markup` selected` : null}>${text}</option>`,
  );
  return markup`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">${none}</option>${items}</select></div>
`;
}

function tick(name: string, label: string, isTicked: boolean): Markup {
  return markup`<label class="tick"><input type="checkbox" name="${name}" value="1"${isTicked ? markup` checked` : null}> ${label}</label>
`;
}

/** Looking is a GET and changes nothing; a visit that counts is a POST. */
export function trialSection(view: TrialView): Markup {
  const { form, suggestions, search } = view;
  const isNew = view.software === "49";
  const more = isNew
    ? markup`${choice("continent", "Continent", CONTINENT_OPTIONS, form.continent)}${choice("browser", "Browser", BROWSER_OPTIONS, form.browser)}${choice("device", "Device", DEVICE_OPTIONS, form.device)}`
    : null;
  return markup`<section id="try" aria-labelledby="try-title">
<h2 id="try-title">Try a link as a visitor</h2>
<form action="/#try" method="get" class="panel">
<div class="fields">
<div class="field wide"><label for="link">Short URL</label>
<input id="link" name="link" list="suggestions" value="${form.link}" placeholder="${suggestions[0] ?? "go.example.com/hello"}" required autocomplete="off" autocapitalize="none" spellcheck="false">
<datalist id="suggestions">${suggestions.map((text) => markup`<option value="${text}"></option>`)}</datalist></div>
${choice("country", "Country", COUNTRY_OPTIONS, form.country)}${choice("language", "Language", LANGUAGE_OPTIONS, form.language)}${choice("platform", "Platform", PLATFORM_OPTIONS, form.platform)}${more}${choice("consent", "Tracking", CONSENT_OPTIONS, form.consent ?? "", "not answered yet")}</div>
<div class="ticks">
${tick("trusted", "knows the password", form.isTrusted)}${isNew ? tick("warned", "confirmed the warning", form.isWarned) : null}${tick("crawler", "is a crawler", form.isCrawler)}</div>
${search === "" ? null : markup`<input type="hidden" name="q" value="${search}">`}
<div class="buttons"><button>See what happens</button>
<button class="quiet" formmethod="post">Visit, and count the click</button></div>
</form>
${view.trial === null ? null : result(view, view.trial)}
</section>
`;
}

function result({ form, zone, port }: TrialView, trial: Trial): Markup {
  const told = tell(trial, form, zone);
  const query = trial.kind === "visit" ? trial.query : "";
  const command: Content =
    trial.kind === "elsewhere"
      ? null
      : markup`<details><summary>The same with curl, which is a visit</summary>
<pre>${curlCommand(trial.shortUrl, query, form, port)}</pre></details>
`;
  return markup`<div class="panel result" role="status">
<p class="headline">${headline(told)}</p>
<ul class="why">${told.why.map((sentence) => markup`<li>${sentence}</li>`)}</ul>
<p class="count">${tellCount(trial, form)}</p>
${command}</div>
`;
}
