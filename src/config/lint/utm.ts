// Rules about the UTM parameters that a destination ends up with: those of its URL, and those that `utm` adds.

import { someOf } from "../../domain/words.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { didYouMean, nearest, nearestOrLonger, SearchBudget } from "../../domain/nearest.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import { KEY_OF, queryParameters, utmParameter, type UtmKey, type UtmVocabulary } from "../../domain/utm.ts";
import { destinationsOf, UTM_PATHS } from "../utm.ts";
import { advice, type Rule } from "./context.ts";

interface Parameter {
  readonly written: string;
  readonly value: string;
  /** The known parameter that it is or resembles. */
  readonly known: string | null;
}

export function utmRule(vocabulary: UtmVocabulary): Rule {
  const hintFor = vocabularyHints(vocabulary);
  return (link, context) => {
    const inUtm = new Set([...link.utm.keys()].map(utmParameter));
    const findings = [...link.utm].flatMap(([key, { value, place }]) =>
      valueFindings(utmParameter(key), String(value), place, hintFor),
    );
    for (const destination of destinationsOf(link)) {
      const { text, path, place } = destination;
      // Apps define the parameters of their own schemes.
      if (!/utm/i.test(text) || !/^https?:/i.test(text)) continue;
      const [, query = "", fragment = ""] = /^[^?#]*(?:\?([^#]*))?(#.*)?$/s.exec(text) ?? [];
      const given = queryParameters(query).flatMap(([name, value]) => readParameter(name, value));
      // The values of `utm` are checked where they are declared.
      const added = UTM_PATHS.includes(path) ? inUtm : new Set<string>();
      const inUrl = given.filter(({ written }) => !added.has(written));
      // The correct parameter that `utm` adds does not repeat a misspelled one.
      const exact = given.filter(({ written, known }) => written === known || !added.has(known ?? ""));
      const name = atStart(destination.name);
      findings.push(
        ...inUrl.flatMap((one) => parameterFindings(one, name, place, hintFor)),
        ...repeatedParameters(exact, name, place),
        ...fragmentParameters(fragment, name, place),
        ...missingParameters(given, name, place, added.size === 0 ? null : link.place),
      );
    }
    for (const one of findings) context.report(one);
  };
}

/** What to write instead of a value that the vocabulary does not have; null if the value is allowed. */
type HintFor = (key: UtmKey, value: string) => string | null;

function vocabularyHints(vocabulary: UtmVocabulary): HintFor {
  const known = new Map<string, string | null>();
  const budget = new SearchBudget();
  return (key, value) => {
    const allowed = vocabulary.get(key);
    if (!allowed || allowed.matches(value)) return null;
    if ("pattern" in allowed) return `It must match \`${allowed.pattern}\`.`;
    const { values } = allowed;
    const id = `${key} ${value}`;
    if (!known.has(id) && budget.take(values.length)) known.set(id, nearestOrLonger(value, values));
    return didYouMean(known.get(id) ?? null, `Allowed: ${someOf(values, 10)}.`);
  };
}

/** Reports need all of these. */
const REQUIRED = ["utm_source", "utm_medium", "utm_campaign"];

/** Analytics tools treat words with different case as different. */
const WORDS = [
  ...REQUIRED,
  "utm_term",
  "utm_content",
  "utm_source_platform",
  "utm_creative_format",
  "utm_marketing_tactic",
];

/** The parameters of Google Analytics 4. The case of an id is part of the id. */
const NAMES = [...WORDS, "utm_id"];
const PREFIX = "utm_";

/** Names without the prefix, which would make all names similar. */
const TAILS = NAMES.map((name) => name.slice(PREFIX.length));

/** `amp;` remains if `&amp;` was copied from HTML, which the rule `address-typo` reports. */
function readParameter(inUrl: string, value: string): Parameter[] {
  const written = inUrl.replace(/^(?:amp;)+/, "");
  if (NAMES.includes(written)) return [{ written, value, known: written }];
  const [, bar, tail] = /^utm([_-]?)(.*)$/is.exec(written) ?? [];
  const meant = tail === undefined ? null : nearest(tail, TAILS);
  if (meant === null) return bar === "_" ? [{ written, value, known: null }] : [];
  return [{ written, value, known: `${PREFIX}${meant}` }];
}

function parameterFindings(
  { written, value, known }: Parameter,
  name: string,
  place: Place,
  hintFor: HintFor,
): Diagnostic[] {
  const ofValue = valueFindings(known, value, placeIn(place, `${written}=${value}`, "last"), hintFor);
  if (written === known) return ofValue;
  const message = `${name} has \`${written}\`, which is not a known UTM parameter.`;
  const hint = didYouMean(known, `Known parameters: ${NAMES.join(", ")}.`);
  return [advice("utm-unknown", message, placeIn(place, written, "last"), hint), ...ofValue];
}

function valueFindings(parameter: string | null, value: string, place: Place, hintFor: HintFor): Diagnostic[] {
  const key = KEY_OF.get(parameter ?? "");
  const hint = key === undefined ? null : hintFor(key, value);
  const small = value.toLowerCase();
  const refused = `\`${value}\` is not an allowed value of \`utm.${key}\`.`;
  const findings = hint === null ? [] : [advice("utm-value", refused, place, hint)];
  if (parameter !== null && WORDS.includes(parameter) && value !== small) {
    const message = `\`${parameter}\` has capital letters. Reports count \`${value}\` and \`${small}\` separately.`;
    findings.push(advice("utm-case", message, place, `Write it in lowercase: \`${small}\`.`));
  }
  return findings;
}

function repeatedParameters(given: readonly Parameter[], name: string, place: Place): Diagnostic[] {
  const names = given.flatMap(({ known }) => known ?? []);
  return [...new Set(names.filter((one, at) => names.indexOf(one) < at))].map((one) => {
    const message = `${name} has \`${one}\` more than once. Analytics tools use only one of the values.`;
    return advice("utm-twice", message, placeIn(place, `${one}=`, "last"), "Keep one of the values.");
  });
}

function fragmentParameters(fragment: string, name: string, place: Place): Diagnostic[] {
  const found = utmInFragment(fragment);
  if (found === undefined) return [];
  const message = `${name} has \`${found}\` after the \`#\`, where analytics tools ignore it.`;
  return [advice("utm-fragment", message, placeIn(place, fragment, "last"), "Put the parameters before the `#`.")];
}

/** The first UTM parameter after the `#`. */
export function utmInFragment(fragment: string): string | undefined {
  return /[#&?](utm_[a-z_]+)=/i.exec(fragment)?.[1];
}

/** `link` is the place of a link whose `utm` the destination gets, which is reported as a whole: other links may use its defaults. */
function missingParameters(given: readonly Parameter[], name: string, place: Place, link: Place | null): Diagnostic[] {
  const missing = REQUIRED.filter((one) => !given.some(({ known, value }) => known === one && value !== ""));
  if (missing.length === 0 || given.every(({ known }) => known === null)) return [];
  const keys = missing.map((one) => `\`${one.slice(PREFIX.length)}\``).join(" and ");
  const message = `${link === null ? name : "This link"} has UTM parameters, but not all that reports need. Missing: ${missing.join(", ")}.`;
  const hint = link ? `Add ${keys} to \`utm\`.` : "Set all three: utm_source, utm_medium and utm_campaign.";
  return [advice("utm-incomplete", message, link ?? place, hint)];
}

/** A name at the start of a sentence. */
export function atStart(name: string): string {
  return name.replace(/^an/, "An");
}
