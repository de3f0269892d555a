// Rules about the UTM parameters that a destination ends up with: those of its URL, and those that `utm` adds.

import { nearest, nearestOrLonger, SearchBudget } from "../../domain/nearest.ts";
import type { Place } from "../../domain/place.ts";
import { KEY_OF, queryParameters, utmParameter, type UtmKey, type UtmVocabulary } from "../../domain/utm.ts";
import { destinationsOf, UTM_PATHS, type Destination } from "../utm.ts";
import type { LintContext, LintFinding, Rule } from "./context.ts";

/** A parameter of a URL; `known` is the known parameter that it is or resembles. */
interface Parameter {
  readonly written: string;
  readonly value: string;
  readonly known: string | null;
}

export function utmRule(vocabulary: UtmVocabulary): Rule {
  const check = checker(vocabulary);
  return (link, context) => {
    const inUtm = new Set<string>();
    for (const [key, { value, place }] of link.utm) {
      inUtm.add(utmParameter(key));
      for (const finding of valueFindings(utmParameter(key), String(value), check)) context.report(place, finding);
    }
    for (const destination of destinationsOf(link)) {
      // Apps define the parameters of their own schemes.
      if (!/utm/i.test(destination.text) || !/^https?:/i.test(destination.text)) continue;
      const [, query = "", fragment = ""] = /^[^?#]*(?:\?([^#]*))?(#.*)?$/s.exec(destination.text) ?? [];
      const given = queryParameters(query).flatMap(([name, value]) => readParameter(name, value));
      // The values of `utm` are checked where they are declared.
      const added = UTM_PATHS.includes(destination.path) ? inUtm : new Set<string>();
      const inUrl = given.filter(({ written }) => !added.has(written));
      // The correct parameter that `utm` adds does not repeat a misspelled one.
      const exact = given.filter(({ written, known }) => written === known || !added.has(known ?? ""));
      const name = atStart(destination.name);
      const findings = [
        ...inUrl.flatMap((one) => parameterFindings(one, name, check)),
        ...repeatedParameters(exact, name),
        ...fragmentParameters(fragment, name),
      ];
      for (const finding of findings) context.report(destination.place, finding);
      lintMissing(given, destination, added.size === 0 ? null : link.place, context);
    }
  };
}

/** Compares a value with the vocabulary; null if it is allowed. */
type Check = (key: UtmKey, value: string) => Pick<LintFinding, "rule" | "hint"> | null;

function checker(vocabulary: UtmVocabulary): Check {
  const known = new Map<string, string | null>();
  const budget = new SearchBudget();
  const suggest = (key: UtmKey, value: string, values: readonly string[]): string | null => {
    const id = `${key} ${value}`;
    if (!known.has(id) && budget.take(values.length)) known.set(id, nearestOrLonger(value, values));
    return known.get(id) ?? null;
  };
  return (key, value) => {
    const allowed = vocabulary.get(key);
    if (allowed === undefined || allowed.matches(value)) return null;
    if ("pattern" in allowed) return { rule: "utm-value", hint: `It must match \`${allowed.pattern}\`.` };
    const meant = suggest(key, value, allowed.values);
    return { rule: "utm-value", hint: meant === null ? allowedHint(allowed.values) : `Did you mean \`${meant}\`?` };
  };
}

const MOST_NAMED = 10;

function allowedHint(values: readonly string[]): string {
  const more = values.length - MOST_NAMED;
  return `Allowed: ${values.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Reports need all of these. */
const REQUIRED: readonly string[] = ["utm_source", "utm_medium", "utm_campaign"];

/** Analytics tools treat words with different case as different. */
const WORDS: readonly string[] = [
  ...REQUIRED,
  "utm_term",
  "utm_content",
  "utm_source_platform",
  "utm_creative_format",
  "utm_marketing_tactic",
];

/** The parameters of Google Analytics 4. The case of an id is part of the id. */
const NAMES: readonly string[] = [...WORDS, "utm_id"];
const PREFIX = "utm_";

/** Names without the prefix, which would make all names similar. */
const TAILS: readonly string[] = NAMES.map((name) => name.slice(PREFIX.length));

/** `amp;` remains if `&amp;` was copied from HTML, which the rule `address-typo` reports. */
function readParameter(inUrl: string, value: string): Parameter[] {
  const written = inUrl.replace(/^(?:amp;)+/, "");
  if (NAMES.includes(written)) return [{ written, value, known: written }];
  const [, bar, tail] = /^utm([_-]?)(.*)$/is.exec(written) ?? [];
  const meant = tail === undefined ? null : nearest(tail, TAILS);
  if (meant === null) return bar === "_" ? [{ written, value, known: null }] : [];
  return [{ written, value, known: `${PREFIX}${meant}` }];
}

function parameterFindings({ written, value, known }: Parameter, name: string, check: Check): LintFinding[] {
  const mark = `${written}=${value}`;
  const ofValue = valueFindings(known, value, check).map((finding) => ({ ...finding, mark }));
  if (written === known) return ofValue;
  const message = `${name} has \`${written}\`, which is not a known UTM parameter.`;
  const hint = known === null ? `Known parameters: ${NAMES.join(", ")}.` : `Did you mean \`${known}\`?`;
  return [{ rule: "utm-unknown", message, hint, mark: written }, ...ofValue];
}

function valueFindings(parameter: string | null, value: string, check: Check): LintFinding[] {
  const key = KEY_OF.get(parameter ?? "");
  const refused = key === undefined ? null : check(key, value);
  const small = value.toLowerCase();
  const findings: LintFinding[] = [];
  if (refused !== null)
    findings.push({ ...refused, message: `\`${value}\` is not an allowed value of \`utm.${key}\`.` });
  if (parameter !== null && WORDS.includes(parameter) && value !== small) {
    const message = `\`${parameter}\` has capital letters. Reports count \`${value}\` and \`${small}\` separately.`;
    findings.push({ rule: "utm-case", message, hint: `Write it in lowercase: \`${small}\`.` });
  }
  return findings;
}

function repeatedParameters(given: readonly Parameter[], name: string): LintFinding[] {
  const names = given.flatMap(({ known }) => known ?? []);
  const repeated = new Set(names.filter((one, at) => names.indexOf(one) < at));
  return [...repeated].map((one) => {
    const message = `${name} has \`${one}\` more than once. Analytics tools use only one of the values.`;
    return { rule: "utm-twice", message, hint: "Keep one of the values.", mark: `${one}=` };
  });
}

function fragmentParameters(fragment: string, name: string): LintFinding[] {
  const found = utmInFragment(fragment);
  if (found === undefined) return [];
  const message = `${name} has \`${found}\` after the \`#\`, where analytics tools ignore it.`;
  return [{ rule: "utm-fragment", message, hint: "Put the parameters before the `#`.", mark: fragment }];
}

/** The first UTM parameter after the `#`. */
export function utmInFragment(fragment: string): string | undefined {
  return /[#&?](utm_[a-z_]+)=/i.exec(fragment)?.[1];
}

/** `link` is the place of a link whose `utm` the destination gets, which is reported as a whole: other links may use its defaults. */
function lintMissing(
  given: readonly Parameter[],
  { place, name }: Destination,
  link: Place | null,
  context: LintContext,
): void {
  const missing = REQUIRED.filter((one) => !given.some(({ known, value }) => known === one && value !== ""));
  if (missing.length === 0 || given.every(({ known }) => known === null)) return;
  const keys = missing.map((one) => `\`${one.slice(PREFIX.length)}\``);
  context.report(link ?? place, {
    rule: "utm-incomplete",
    message: `${link === null ? atStart(name) : "This link"} has UTM parameters, but not all that reports need. Missing: ${missing.join(", ")}.`,
    hint:
      link === null
        ? "Set all three: utm_source, utm_medium and utm_campaign."
        : `Add ${keys.join(" and ")} to \`utm\`.`,
  });
}

/** The name of a destination at the start of a sentence. */
export function atStart(name: string): string {
  return name.replace(/^an/, "An");
}
