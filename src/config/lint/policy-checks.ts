// What a policy checks: one row for each key that it can set, which makes a function from a link to its violations.

import { EXPIRATION_DATE, KEY_FIELD, REFERENCE_FIELD } from "../../domain/table.ts";
import { error, type Diagnostic } from "../../domain/diagnostic.ts";
import { fold } from "../../domain/fold.ts";
import { hostMatcher, parseHostPattern } from "../../domain/hosts.ts";
import { nearest, nearestOrLonger } from "../../domain/nearest.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import type { Declaration, Mention } from "../../domain/project.ts";
import { PERIOD } from "../policies.ts";
import { parsePattern } from "../pattern.ts";
import type { Destination } from "../utm.ts";
import { textsIn, entry, formatInline, textOf, type TreeNode } from "../yaml.ts";
import type { RequirableField } from "./requirable.ts";

/** How a link breaks a policy. The message ends without the reason of the policy. */
interface Violation {
  readonly place: Place;
  readonly message: string;
  /** What to do, in one sentence. */
  readonly hint: string;
}

/** A link, where it leads, and its fields whose values are not valid, so that it is unknown what they should be. */
export interface CheckedLink {
  readonly link: Declaration;
  readonly destinations: readonly (Destination & { readonly host: string | null })[];
  readonly broken: ReadonlySet<string>;
}

export type Check = (checked: CheckedLink) => readonly Violation[];

/** What the checks of a policy need. */
interface CheckContext {
  /** The name of the policy. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, RequirableField>;
  /** The latest current date (`2027-03-31`) in the zones that the files may mean; null if it is not known. */
  readonly today: string | null;
  /** Gets the mistakes in the policy. */
  readonly diagnostics: Diagnostic[];
}

const CHECKS: Readonly<Record<string, (node: TreeNode, context: CheckContext) => Check[]>> = {
  require: requireChecks,
  destinations: (node, context) => hostsCheck(node, context, false),
  blocked: (node, context) => hostsCheck(node, context, true),
  alias: aliasCheck,
  expires_within: expirationCheck,
  pixels: pixelsCheck,
};

/** The checks of a policy. Reports mistakes in it, and leaves out what it cannot read. */
export function readChecks(policy: TreeNode, context: CheckContext): Check[] {
  return Object.entries(CHECKS).flatMap(([key, read]) => {
    const node = entry(policy, key)?.value;
    return node === undefined ? [] : read(node, context);
  });
}

/** A list of fields, or a map from fields to allowed values. */
function requireChecks(node: TreeNode, context: CheckContext): Check[] {
  if (node.type === "list") return textsIn(node).flatMap(({ text, place }) => requireCheck(text, place, null, context));
  if (node.type === "scalar") return [];
  return node.entries.flatMap(({ key, keyPlace, value }) => requireCheck(key, keyPlace, textsIn(value), context));
}

/** `values` is null if any value is allowed. */
function requireCheck(path: string, place: Place, values: readonly Mention[] | null, context: CheckContext): Check[] {
  const { name, fields, diagnostics } = context;
  const field = fields.get(path);
  if (field === undefined) {
    const meant = nearestOrLonger(path, [...fields.keys()]);
    const hint =
      meant === null
        ? "Write the name of a field, such as `space` or `expiration.date`."
        : `Did you mean \`${meant}\`?`;
    diagnostics.push(error("unknown-field", `\`${path}\` is not a field of a link.`, place, hint));
    return [];
  }
  if (values !== null && values.length > 0 && field.textOf === null) {
    const message = `The values of \`${path}\` cannot be compared with a list.`;
    const hint = `To require that the field is set, write \`require: [${path}]\`. For pixels, use \`pixels\` of the policy.`;
    diagnostics.push(error("wrong-require", message, place, hint));
    return [];
  }
  const allowed = values === null ? null : allowedValues(path, field, values, diagnostics);
  // The schema has reported values that are not texts.
  if (allowed?.length === 0) return [];
  const check = allowed === null ? setCheck(name, path, field) : valueCheck(name, path, field, allowed);
  // The field, or a field of this group, has a value that is not valid.
  return [
    (checked) => ([...checked.broken].some((one) => one === path || one.startsWith(`${path}.`)) ? [] : check(checked)),
  ];
}

/** The values that the field can have, as comparable texts. */
function allowedValues(
  path: string,
  { textOf: comparable, words }: RequirableField,
  values: readonly Mention[],
  diagnostics: Diagnostic[],
): string[] {
  return values.flatMap(({ text, place }) => {
    const value = comparable?.(text.trim()) ?? text;
    if (words === null || words.includes(value)) return [value];
    const meant = nearest(value, words);
    const hint = meant === null ? `Values: ${listed(words)}.` : `Did you mean \`${meant}\`?`;
    diagnostics.push(error("wrong-require", `\`${text}\` is not a value of \`${path}\`.`, place, hint));
    return [];
  });
}

function setCheck(name: string, path: string, { read, isOnlyInLinks }: RequirableField): Check {
  const message = `Policy \`${name}\` requires \`${path}\`.`;
  const hint = `Add \`${path}\` to the link${isOnlyInLinks === true ? "" : " or to `defaults`"}.`;
  return ({ link }) => (read(link) === null ? [{ place: link.place, message, hint }] : []);
}

function valueCheck(name: string, path: string, { read }: RequirableField, allowed: readonly string[]): Check {
  const known = new Set(allowed);
  const wanted = listed(allowed, "or");
  const hint =
    allowed.length === 1 ? `Write \`${path}: ${formatInline(allowed[0])}\`.` : `Allowed: ${listed(allowed)}.`;
  return ({ link }) => {
    const found = read(link);
    if (found === null)
      return [{ place: link.place, message: `Policy \`${name}\` requires \`${path}\` to be ${wanted}.`, hint }];
    const wrong = found.values.find((value) => !known.has(value));
    if (wrong === undefined && found.values.length > 0) return [];
    const message = `\`${path}\` is \`${wrong ?? ""}\`, but policy \`${name}\` requires ${wanted}.`;
    return [{ place: found.place, message, hint }];
  };
}

const MOST_LISTED = 5;

/** `a, b and 3 more`. */
function listed(texts: readonly string[], last = "and"): string {
  const shown = texts.slice(0, MOST_LISTED).map((text) => `\`${text}\``);
  const more = texts.length - shown.length;
  if (more > 0) return `${shown.join(", ")} ${last} ${more} more`;
  const end = shown.pop() ?? "";
  return shown.length === 0 ? end : `${shown.join(", ")} ${last} ${end}`;
}

/** A list of hosts: with `isBlocked`, the only ones that are refused, otherwise the only ones that are allowed. */
function hostsCheck(node: TreeNode, { name, diagnostics }: CheckContext, isBlocked: boolean): Check[] {
  const hosts = textsIn(node).flatMap(({ text, place }) => {
    const host = parseHostPattern(text);
    if (host !== null) return [host];
    const hint = "Write a host such as example.com. `*.example.com` matches all hosts below it.";
    diagnostics.push(error("wrong-host", `\`${text}\` is not a host.`, place, hint));
    return [];
  });
  if (hosts.length === 0) return [];
  const matches = hostMatcher(hosts);
  const hint = isBlocked ? "Choose another destination." : `Allowed: ${listed(hosts)}.`;
  const refuses = isBlocked ? `policy \`${name}\` blocks` : `policy \`${name}\` does not allow`;
  const check: Check = ({ destinations }) =>
    destinations.flatMap(({ path, host, place }) => {
      if (host === null) {
        const message = `\`${path}\` has no host, but policy \`${name}\` allows only some hosts.`;
        return isBlocked ? [] : [{ place, message, hint }];
      }
      if (matches(host) !== isBlocked) return [];
      const message = `\`${path}\` leads to \`${host}\`, which ${refuses}.`;
      return [{ place: placeIn(place, host, "first"), message, hint }];
    });
  return [check];
}

function aliasCheck(node: TreeNode, { name, diagnostics }: CheckContext): Check[] {
  const text = textOf(node);
  if (text === null) return [];
  const pattern = parsePattern(text);
  if ("problem" in pattern) {
    const hint = "Write a regular expression in RE2 syntax, such as `[a-z0-9-]+`.";
    diagnostics.push(error("wrong-pattern", pattern.problem, node.place, hint));
    return [];
  }
  const message = `The ${KEY_FIELD.link} does not match \`${text}\`, which policy \`${name}\` requires.`;
  const hint = "Choose another alias.";
  return [
    ({ link }) =>
      pattern.matches(link.name) ? [] : [{ place: placeIn(link.place, link.name, "last"), message, hint }],
  ];
}

/** Dates are compared by day. A date in the past is allowed: the link has expired. */
function expirationCheck(node: TreeNode, { name, today }: CheckContext): Check[] {
  const days = Number(PERIOD.exec(textOf(node) ?? "")?.[1]);
  // The schema has reported other texts.
  if (Number.isNaN(days)) return [];
  const { path } = EXPIRATION_DATE;
  const period = days === 1 ? "1 day" : `${days} days`;
  const last = today === null ? null : addDays(today, days);
  const until = last === null ? "Choose an earlier date." : `Choose a date until ${last}.`;
  const check: Check = ({ link: { fields, place }, broken }) => {
    const date = fields.get(path);
    if (broken.has(path)) return [];
    if (typeof date?.value !== "string") {
      const message = `Policy \`${name}\` requires \`${path}\`, at most ${period} from today.`;
      return [{ place: date?.place ?? place, message, hint: "Add `expiration: { date: … }` to the link." }];
    }
    if (last === null || date.value.slice(0, last.length) <= last) return [];
    const message = `\`${path}\` is later than policy \`${name}\` allows: at most ${period} from today.`;
    return [{ place: date.place, message, hint: until }];
  };
  return [check];
}

const DAY = 86_400_000;

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, date.length);
}

function pixelsCheck(node: TreeNode, { name }: CheckContext): Check[] {
  const pixels = textsIn(node).map(({ text }) => text);
  const check: Check = ({ link: { fields, place }, broken }) => {
    if (broken.has(REFERENCE_FIELD.pixel)) return [];
    const declared = fields.get(REFERENCE_FIELD.pixel);
    const value = declared?.value;
    const used = new Set(Array.isArray(value) ? value.map((pixel) => fold(String(pixel))) : []);
    const missing = pixels.filter((pixel) => !used.has(fold(pixel)));
    if (missing.length === 0) return [];
    const [pixel, it] = missing.length === 1 ? ["pixel", "it"] : ["pixels", "them"];
    const message = `Policy \`${name}\` requires the ${pixel} ${listed(missing)}.`;
    const hint = `Add ${it} to \`pixels\` of the link or of \`defaults\`.`;
    return [{ place: declared?.place ?? place, message, hint }];
  };
  return [check];
}
