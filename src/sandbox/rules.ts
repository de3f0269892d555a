// Rules for the fields of a form, with the messages that the service gives for them.
import type { Form } from "./forms.ts";
import type { Errors } from "./reply.ts";
import type { Features } from "./state.ts";

/** A message when the value is refused. `label` is what the message calls the field. */
export type Check = (value: string, label: string) => string | undefined;

export interface Rule {
  readonly field: string;
  /** Default: the field's name with spaces. */
  readonly label?: string;
  /** `always`: absent is refused; `ifSent`: only empty is. */
  readonly required?: "always" | "ifSent";
  /** Absent or empty is refused because this other field, by its label, is there. */
  readonly requiredWith?: string | undefined;
  /** The plan's feature that the field belongs to. */
  readonly feature?: string;
  /** For a field sent in brackets: a message when what is in them is refused; text passes. */
  readonly brackets?: (value: Form) => string | undefined;
  /** The first one that speaks wins; none is asked about an empty value. */
  readonly checks?: readonly Check[];
}

/** One message for each field that breaks its rule, in the order of the rules. @param features the plan's */
export function validate(form: Form, rules: readonly Rule[], features: Features): Errors {
  const problems = rules.map((rule) => [rule.field, problemOf(form, rule, features)] as const);
  return Object.fromEntries(
    problems.flatMap(([field, problem]) => (problem === undefined ? [] : [[field, [problem]]])),
  );
}

/** The first of the messages, if there is one. */
export function firstProblem(value: string, label: string, checks: readonly Check[]): string | undefined {
  return checks.map((check) => check(value, label)).find((problem) => problem !== undefined);
}

function problemOf(form: Form, rule: Rule, features: Features): string | undefined {
  const { field, label = field.replaceAll("_", " "), required, requiredWith, feature, brackets, checks = [] } = rule;
  const value = form.get(field);
  const sent = value !== undefined;
  // Even a default, sent explicitly, is refused on a limited plan (observed.md, "Writing").
  if (sent && feature !== undefined && features[feature] === 0) return "You don't have access to this feature.";
  if (value === undefined || value === null) {
    if (requiredWith !== undefined) return `The ${label} field is required when ${requiredWith} is present.`;
    return required === "always" || (required === "ifSent" && sent) ? `The ${label} field is required.` : undefined;
  }
  if (brackets !== undefined) return typeof value === "string" ? undefined : brackets(value);
  return typeof value === "string" ? firstProblem(value, label, checks) : `The ${label} must be a string.`;
}

/** Counted in characters, not bytes or UTF-16 units. */
export const atMost =
  (characters: number): Check =>
  (value, label) =>
    [...value].length > characters ? `The ${label} may not be greater than ${characters} characters.` : undefined;

/** Letters and digits of any script. */
export const dashed: Check = (value, label) =>
  /^[\p{L}\p{M}\p{N}_-]+$/u.test(value)
    ? undefined
    : `The ${label} may only contain letters, numbers, dashes and underscores.`;

/** From `min` to `max`, both included; no leading zeros. */
export const wholeNumber =
  (min: number, max: number): Check =>
  (value, label) => {
    if (!/^[+-]?(0|[1-9]\d*)$/.test(value)) return `The ${label} must be an integer.`;
    if (Number(value) < min) return `The ${label} must be at least ${min}.`;
    return Number(value) > max ? `The ${label} may not be greater than ${max}.` : undefined;
  };

/** The words true and false are refused. */
export const trueOrFalse: Check = (value, label) =>
  value === "0" || value === "1" ? undefined : `The ${label} field must be true or false.`;

/** One of a closed list; the message names neither. */
export const known =
  (values: readonly string[], message: string): Check =>
  (value) =>
    values.includes(value) ? undefined : message;

/** YYYY-MM-DD, and a day that there is. */
export const dateFormat: Check = (value, label) => {
  const day = /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  const real = day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
  return real ? undefined : `The ${label} does not match the format Y-m-d.`;
};

/** HH:MM, 00:00 to 23:59. */
export const timeFormat: Check = (value, label) =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : `The ${label} does not match the format H:i.`;

const URL =
  /^[a-z][a-z0-9+.-]*:\/\/([\p{L}\p{M}\p{N}._~!$&'()*+,;=:%-]*@)?([\p{L}\p{M}\p{N}._~-]+|\[[0-9a-f:.]+\])(:\d+)?([/?#]([\p{L}\p{M}\p{N}\p{So}._~!$&'()*+,;=:@/?#[\]-]|%[0-9a-f]{2})*)?$/iu;

/** Any `scheme://host…` up to 2,048 characters; no spaces, `{}`, `|` or broken percent signs (observed.md, "Writing"). */
export const webAddress: Check = (value, label) => {
  const length = [...value].length;
  if (length > 2048) return `The ${label} may not be greater than 2048 characters.`;
  return URL.test(value) ? undefined : `The ${label} format is invalid.`;
};
