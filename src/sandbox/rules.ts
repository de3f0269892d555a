// Rules for the fields of a form, with the service's messages.
import { isIPv6 } from "node:net";
import { textAt, type Form, type Value } from "./forms.ts";
import type { Errors } from "./reply.ts";
import type { Dialect, Phrase } from "./service.ts";
import type { Features } from "./state.ts";

/** A message, or a phrase of the framework. */
export type Problem = string | { readonly phrase: Phrase; readonly limit?: number | string };

export type Check = (value: string) => Problem | undefined;

export interface Rule {
  /** By its name in the state. */
  readonly field: string;
  /** `always`: absent is refused; `ifSent`: only empty is. */
  readonly required?: "always" | "ifSent";
  readonly requiredWith?: string;
  readonly feature?: string;
  /** A value that is accepted without the feature, besides an empty one. */
  readonly withoutFeature?: string;
  /** For a field sent in brackets: the problem if its content is refused. Text passes. */
  readonly brackets?: (value: Form) => Problem | undefined;
  /** The first problem wins. An empty value is not checked. */
  readonly checks?: readonly Check[];
}

/** One message for each field that breaks its rule, by its wire name, in the order of the rules. */
export function validate(form: Form, rules: readonly Rule[], features: Features, dialect: Dialect): Errors {
  const errors: Errors = {};
  for (const rule of rules) {
    const problem = problemOf(form, rule, features, dialect);
    const wire = dialect.sent[rule.field] ?? rule.field;
    if (problem !== undefined) errors[wire] = [messageOf(problem, labelOf(rule.field, dialect), dialect)];
  }
  return errors;
}

export function messageOf(problem: Problem, label: string, { phrases }: Dialect): string {
  if (typeof problem === "string") return problem;
  const { phrase, limit = "" } = problem;
  return phrases[phrase].replace(":attribute", () => label).replace(":limit", () => String(limit));
}

function labelOf(field: string, { labels, sent }: Dialect): string {
  return labels[field] ?? (sent[field] ?? field).replaceAll("_", " ");
}

function problemOf(form: Form, rule: Rule, features: Features, dialect: Dialect): Problem | undefined {
  const { field, required, requiredWith, feature, brackets, checks = [] } = rule;
  const label = labelOf(field, dialect);
  const value = form.get(field);
  // A limited plan refuses even a default that is sent, but not an empty value (docs/service.md, "Limited plans").
  if (feature !== undefined && features[feature] === 0 && hasText(value) && value !== rule.withoutFeature) {
    return "You don't have access to this feature.";
  }
  if (value === undefined || value === null) {
    if (requiredWith !== undefined && textAt(form, requiredWith) !== null) {
      return `The ${label} field is required when ${labelOf(requiredWith, dialect)} is present.`;
    }
    const isMissing = required === "always" || (required === "ifSent" && value === null);
    return isMissing ? `The ${label} field is required.` : undefined;
  }
  if (brackets !== undefined) return typeof value === "string" ? undefined : brackets(value);
  if (typeof value !== "string") return { phrase: "string" };
  return checks.map((check) => check(value)).find((problem) => problem !== undefined);
}

function hasText(value: Value | undefined): boolean {
  return value instanceof Map ? [...value.values()].some(hasText) : typeof value === "string";
}

/** Whether the plan allows one more row; a limit of -1 is none. */
export const below =
  (count: number, problem: string, limit: number = -1): Check =>
  () =>
    limit >= 0 && count >= limit ? problem : undefined;

/** Counted in characters, not bytes or UTF-16 units. */
export const atMost =
  (characters: number): Check =>
  (value) =>
    [...value].length > characters ? { phrase: "maxCharacters", limit: characters } : undefined;

/** Letters and digits of any script. */
export const dashed: Check = (value) => (/^[\p{L}\p{M}\p{N}_-]+$/u.test(value) ? undefined : { phrase: "dashed" });

/** From `min` to `max`, both included; no leading zeros. */
export const wholeNumber =
  (min: number, max: number): Check =>
  (value) => {
    if (!/^[+-]?(0|[1-9]\d*)$/.test(value)) return { phrase: "integer" };
    if (Number(value) < min) return { phrase: "min", limit: min };
    return Number(value) > max ? { phrase: "max", limit: max } : undefined;
  };

/** The words true and false are refused. */
export const trueOrFalse: Check = (value) => (value === "0" || value === "1" ? undefined : { phrase: "boolean" });

/** One of a closed list. The message does not name the list. */
export const known =
  (values: readonly string[], message: string): Check =>
  (value) =>
    values.includes(value) ? undefined : message;

/** YYYY-MM-DD, and a real date. */
export const dateFormat: Check = (value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value) ? undefined : { phrase: "dateFormat", limit: "Y-m-d" };

/** @param date YYYY-MM-DD */
export function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/** HH:MM, 00:00 to 23:59. */
export const timeFormat: Check = (value) =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : { phrase: "dateFormat", limit: "H:i" };

/** A percent escape, or one of these characters. */
const each = (characters: string): string => `(?:[\\p{L}\\p{N}${characters}]|%[0-9a-fA-F]{2})`;
const USER = `${each("_.-")}+`;
const HOST = "[\\p{L}\\p{N}\\p{S}_.-]+[\\p{L}\\p{N}]\\.?";
const TAIL = ["/", "?", "#"].map((mark) => {
  const extra = { "/": "", "?": "?[\\]", "#": "?" }[mark];
  return `(?:[${mark}]${each(`._~!$&'()*+,;=:@/${extra}-`)}*)?`;
});
const URL = new RegExp(
  `^[a-zA-Z][a-zA-Z0-9+.-]*://(?:${USER}(?::${USER})?@)?(?:${HOST}|\\[(?<v6>[^\\]]*)\\])(?::\\d+)?${TAIL.join("")}$`,
  "u",
);

/** docs/service.md, "Addresses". */
export const webAddress: Check = (value) => {
  if ([...value].length > 2048) return { phrase: "maxCharacters", limit: 2048 };
  const { v6 } = URL.exec(value)?.groups ?? { v6: "" };
  return v6 === undefined || (isIPv6(v6) && !v6.includes("%")) ? undefined : { phrase: "url" };
};
