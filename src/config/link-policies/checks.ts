// What a policy checks: each key that it sets becomes a function from a link to its violations.

import { EXPIRATION_DATE, KEY_FIELD, REFERENCE_FIELD } from "../../domain/table.ts";
import { error, type Diagnostic } from "../../domain/diagnostic.ts";
import { fold } from "../../domain/fold.ts";
import { hostMatcher, hostOf, parseHostPattern } from "../../domain/hosts.ts";
import { nearestOrLonger } from "../../domain/nearest.ts";
import { placeIn, type Place } from "../../domain/place.ts";
import type { Declaration, Mention } from "../../domain/project.ts";
import { parsePattern } from "../pattern.ts";
import { textsIn } from "../texts.ts";
import type { Destination } from "../utm.ts";
import { entry, formatInline, textOf, type TreeNode } from "../yaml.ts";
import { PERIOD } from "./keys.ts";
import type { RequirableField } from "./fields.ts";

/** How a link breaks a policy. The message ends without the reason of the policy. */
export interface Violation {
  readonly place: Place;
  readonly message: string;
  /** What to do, in one sentence. */
  readonly hint: string;
}

export type Check = (link: PolicyLink) => readonly Violation[];

/** A link, and the hosts that it leads to. */
export interface PolicyLink {
  readonly declaration: Declaration;
  readonly destinations: readonly (Destination & { readonly host: string | null })[];
  /** Fields whose values are not valid, so it is unknown what they should be. */
  readonly broken: ReadonlySet<string>;
}

/** What the checks of all policies need. */
export interface CheckContext {
  readonly fields: ReadonlyMap<string, RequirableField>;
  /** The latest current date (`2027-03-31`) in the zones that the files may mean; null if it is not known. */
  readonly today: string | null;
  readonly diagnostics: Diagnostic[];
}

/** The checks of a policy. Reports mistakes in it, and leaves out what it cannot read. */
export function readChecks(name: string, policy: TreeNode, context: CheckContext): Check[] {
  const { diagnostics } = context;
  const of = (key: string, read: (node: TreeNode) => Check | null): Check[] => {
    const node = entry(policy, key)?.value;
    const check = node === undefined ? null : read(node);
    return check === null ? [] : [check];
  };
  return [
    ...requirements(entry(policy, "require")?.value).flatMap((one) => requireCheck(name, one, context) ?? []),
    ...of("destinations", (node) => hostsCheck(name, readHosts(node, diagnostics), false)),
    ...of("blocked", (node) => hostsCheck(name, readHosts(node, diagnostics), true)),
    ...of("alias", (node) => aliasCheck(name, node, diagnostics)),
    ...of("expires_within", (node) => expirationCheck(name, node, context)),
    ...of("pixels", (node) =>
      pixelsCheck(
        name,
        textsIn(node).map(({ text }) => text),
      ),
    ),
  ];
}

interface Requirement {
  readonly path: string;
  readonly place: Place;
  /** Null if any value is allowed. */
  readonly values: readonly Mention[] | null;
}

function requirements(node: TreeNode | undefined): Requirement[] {
  if (node?.type === "list") return textsIn(node).map(({ text, place }) => ({ path: text, place, values: null }));
  if (node?.type !== "map") return [];
  return node.entries.map(({ key, keyPlace, value }) => ({ path: key, place: keyPlace, values: textsIn(value) }));
}

function requireCheck(name: string, { path, place, values }: Requirement, context: CheckContext): Check | null {
  const { fields, diagnostics } = context;
  const field = fields.get(path);
  if (field === undefined) {
    const meant = nearestOrLonger(path, [...fields.keys()]);
    const hint =
      meant === null
        ? "Write the name of a field, such as `space` or `expiration.date`."
        : `Did you mean \`${meant}\`?`;
    diagnostics.push(error("unknown-field", `\`${path}\` is not a field of a link.`, place, hint));
    return null;
  }
  const known =
    (check: Check): Check =>
    (link) =>
      isBroken(link, path) ? [] : check(link);
  // The schema has reported values that are not texts.
  if (values?.length === 0) return null;
  if (values === null) return known(setCheck(name, path, field));
  if (field.allowed === null) {
    const message = `The values of \`${path}\` cannot be compared with a list.`;
    const hint =
      path === REFERENCE_FIELD.pixel
        ? "Use `pixels` of the policy."
        : `To require that the field is set, write \`require: [${path}]\`.`;
    diagnostics.push(error("wrong-require", message, place, hint));
    return null;
  }
  const allowed: string[] = [];
  for (const { text, place: at } of values) {
    const read = field.allowed(text);
    if ("value" in read) allowed.push(read.value);
    else {
      const hint = read.meant === null ? `Values: ${listed(read.words)}.` : `Did you mean \`${read.meant}\`?`;
      diagnostics.push(error("wrong-require", `\`${text}\` is not a value of \`${path}\`.`, at, hint));
    }
  }
  return allowed.length === 0 ? null : known(valueCheck(name, path, field, allowed));
}

/** Whether a field, or a field of this group, has a value that is not valid. */
function isBroken({ broken }: PolicyLink, path: string): boolean {
  return broken.has(path) || [...broken].some((field) => field.startsWith(`${path}.`));
}

function setCheck(name: string, path: string, field: RequirableField): Check {
  const message = `Policy \`${name}\` requires \`${path}\`.`;
  const hint = field.hasDefaults ? `Add \`${path}\` to the link or to \`defaults\`.` : `Add \`${path}\` to the link.`;
  return ({ declaration }) => (field.read(declaration) === null ? [{ place: declaration.place, message, hint }] : []);
}

function valueCheck(name: string, path: string, field: RequirableField, allowed: readonly string[]): Check {
  const known = new Set(allowed);
  const wanted = listed(allowed, "or");
  const hint =
    allowed.length === 1 ? `Write \`${path}: ${formatInline(allowed[0])}\`.` : `Allowed: ${listed(allowed)}.`;
  return ({ declaration }) => {
    const found = field.read(declaration);
    if (found === null)
      return [{ place: declaration.place, message: `Policy \`${name}\` requires \`${path}\` to be ${wanted}.`, hint }];
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

/** The hosts of a list, in the form in which they are compared. */
function readHosts(node: TreeNode, diagnostics: Diagnostic[]): string[] {
  return textsIn(node).flatMap(({ text, place }) => {
    const host = parseHostPattern(text);
    if (host !== null) return [host];
    const bare = hostOf(text.includes("://") ? text : `https://${text}`);
    const hint =
      bare === null || text.includes("*")
        ? "Write a host such as example.com. `*.example.com` matches all hosts below it."
        : `Write only the host: \`${bare}\`.`;
    diagnostics.push(error("wrong-host", `\`${text}\` is not a host.`, place, hint));
    return [];
  });
}

/** `isBlocked`: the hosts are the only ones that are refused, not the only ones that are allowed. */
function hostsCheck(name: string, hosts: readonly string[], isBlocked: boolean): Check | null {
  if (hosts.length === 0) return null;
  const matches = hostMatcher(hosts);
  const hint = isBlocked ? "Choose another destination." : `Allowed: ${listed(hosts)}.`;
  const refuses = isBlocked ? `policy \`${name}\` blocks` : `policy \`${name}\` does not allow`;
  return ({ destinations }) =>
    destinations.flatMap(({ path, host, place }) => {
      if (host === null) {
        const message = `\`${path}\` has no host, but policy \`${name}\` allows only some hosts.`;
        return isBlocked ? [] : [{ place, message, hint }];
      }
      if (matches(host) !== isBlocked) return [];
      const message = `\`${path}\` leads to \`${host}\`, which ${refuses}.`;
      return [{ place: placeIn(place, host, "first"), message, hint }];
    });
}

function aliasCheck(name: string, node: TreeNode, diagnostics: Diagnostic[]): Check | null {
  const text = textOf(node);
  if (text === null) return null;
  const pattern = parsePattern(text);
  if ("problem" in pattern) {
    const hint = "Write a regular expression in RE2 syntax, such as `[a-z0-9-]+`.";
    diagnostics.push(error("wrong-pattern", pattern.problem, node.place, hint));
    return null;
  }
  const message = `The ${KEY_FIELD.link} does not match \`${text}\`, which policy \`${name}\` requires.`;
  const hint = "Choose another alias.";
  return ({ declaration }) =>
    pattern.matches(declaration.name)
      ? []
      : [{ place: placeIn(declaration.place, declaration.name, "last"), message, hint }];
}

/** Dates are compared by day. A date in the past is allowed: the link has expired. */
function expirationCheck(name: string, node: TreeNode, { today }: CheckContext): Check | null {
  const days = Number(PERIOD.exec(textOf(node) ?? "")?.[1]);
  // The schema has reported other texts.
  if (Number.isNaN(days)) return null;
  const { path } = EXPIRATION_DATE;
  const period = days === 1 ? "1 day" : `${days} days`;
  const last = today === null ? null : addDays(today, days);
  const until = last === null ? "Choose an earlier date." : `Choose a date until ${last}.`;
  return ({ declaration, broken }) => {
    const date = declaration.fields.get(path);
    if (broken.has(path)) return [];
    if (typeof date?.value !== "string") {
      const message = `Policy \`${name}\` requires \`${path}\`, at most ${period} from today.`;
      return [{ place: date?.place ?? declaration.place, message, hint: "Add `expiration: { date: … }` to the link." }];
    }
    if (last === null || date.value.slice(0, last.length) <= last) return [];
    const message = `\`${path}\` is later than policy \`${name}\` allows: at most ${period} from today.`;
    return [{ place: date.place, message, hint: until }];
  };
}

const DAY = 86_400_000;

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, date.length);
}

function pixelsCheck(name: string, pixels: readonly string[]): Check {
  return ({ declaration, broken }) => {
    if (broken.has(REFERENCE_FIELD.pixel)) return [];
    const declared = declaration.fields.get(REFERENCE_FIELD.pixel);
    const value = declared?.value;
    const used = new Set(Array.isArray(value) ? value.map((pixel) => fold(String(pixel))) : []);
    const missing = pixels.filter((pixel) => !used.has(fold(pixel)));
    if (missing.length === 0) return [];
    const message = `Policy \`${name}\` requires the ${missing.length === 1 ? "pixel" : "pixels"} ${listed(missing)}.`;
    const hint = `Add ${missing.length === 1 ? "it" : "them"} to \`pixels\` of the link or of \`defaults\`.`;
    return [{ place: declared?.place ?? declaration.place, message, hint }];
  };
}
