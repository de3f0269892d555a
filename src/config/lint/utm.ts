// Rules about the UTM parameters that a link ends up with: those in its URLs together with those of `utm`.

import { nearestOrLonger, SearchBudget } from "../../domain/nearest.ts";
import type { Place } from "../../domain/place.ts";
import type { Declaration, Declared } from "../../domain/project.ts";
import { UTM_KEYS, utmParameter, utmParametersIn, type UtmKey, type UtmVocabulary } from "../../domain/utm.ts";
import { destinationsOf, readUtm, type Destination } from "../utm.ts";
import { entry, type TreeNode } from "../yaml.ts";
import { isWord, missingParameters } from "./address.ts";
import type { LintContext, LintFinding } from "./context.ts";

export function lintUtm(
  documents: readonly TreeNode[],
  declarations: readonly Declaration[],
  vocabulary: UtmVocabulary,
  context: LintContext,
): void {
  const check = checker(vocabulary);
  // Defaults that no link uses are checked, too. Values that links use are reported once: findings at one place are merged.
  for (const document of documents) {
    const defaults = entry(entry(document, "defaults")?.value, "link")?.value;
    if (defaults !== undefined) lintDeclared(readUtm([defaults]), check, context);
  }
  for (const { kind, fields, utm, place } of declarations) {
    if (kind !== "link") continue;
    lintDeclared(utm, check, context);
    for (const destination of destinationsOf({ fields })) {
      if (vocabulary.size > 0) lintParameters(destination, utm, check, context);
      lintMissing(destination, utm.size === 0 ? null : place, context);
    }
  }
}

/** Compares a value with the vocabulary; null if it is allowed. */
type Check = (key: UtmKey, value: string) => Pick<LintFinding, "rule" | "hint"> | null;

function checker(vocabulary: UtmVocabulary): Check {
  const sets = new Map(
    [...vocabulary].map(([key, allowed]) => [key, "values" in allowed ? new Set(allowed.values) : null]),
  );
  const known = new Map<string, string | null>();
  const budget = new SearchBudget();
  const suggest = (key: UtmKey, value: string, values: readonly string[]): string | null => {
    const id = `${key} ${value}`;
    if (!known.has(id) && budget.take(values.length)) known.set(id, nearestOrLonger(value, values));
    return known.get(id) ?? null;
  };
  return (key, value) => {
    const allowed = vocabulary.get(key);
    if (allowed === undefined) return null;
    if (!("values" in allowed))
      return allowed.matches(value) ? null : { rule: "utm-value", hint: `It must match \`${allowed.pattern}\`.` };
    if (sets.get(key)?.has(value) === true) return null;
    const meant = suggest(key, value, allowed.values);
    return { rule: "utm-value", hint: meant === null ? allowedHint(allowed.values) : `Did you mean \`${meant}\`?` };
  };
}

const MOST_NAMED = 10;

function allowedHint(values: readonly string[]): string {
  const more = values.length - MOST_NAMED;
  return `Allowed: ${values.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

function lintDeclared(utm: ReadonlyMap<UtmKey, Declared>, check: Check, context: LintContext): void {
  for (const [key, { value, place }] of utm) {
    const text = String(value);
    const refused = check(key, text);
    if (refused !== null) {
      const message = `\`${text}\` is not an allowed value of \`utm.${key}\`.`;
      context.report(place, { ...refused, message });
    }
    const small = text.toLowerCase();
    if (!isWord(utmParameter(key)) || text === small) continue;
    const message = `\`utm.${key}\` has capital letters. Reports count \`${text}\` and \`${small}\` separately.`;
    context.report(place, { rule: "utm-case", message, hint: `Write it in lowercase: \`${small}\`.` });
  }
}

/** Parameters that are written in a URL are checked here; those of `utm`, where they are declared. */
function lintParameters(
  { text, place, name }: Destination,
  utm: ReadonlyMap<UtmKey, Declared>,
  check: Check,
  context: LintContext,
): void {
  for (const { key, value, written } of utmParametersIn(text)) {
    const refused = utm.has(key) ? null : check(key, value);
    const message = `${atStart(name)} has \`${written}\`, but \`${value}\` is not an allowed value of \`utm.${key}\`.`;
    if (refused !== null) context.report(place, { ...refused, message, mark: written });
  }
}

/** `link` is the place of a link with `utm`, whose default may be used by other links. Null without `utm`. */
function lintMissing({ text, place, name }: Destination, link: Place | null, context: LintContext): void {
  const missing = missingParameters(text);
  if (missing.length === 0) return;
  const keys = UTM_KEYS.filter((key) => missing.includes(utmParameter(key))).map((key) => `\`${key}\``);
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
