// The policies of a project as a rule: each key of a policy is a check of links.

import { hostMatcher, hostOf, parseHostPattern } from "../../domain/hosts.ts";
import { matchingGlobs } from "../../domain/glob.ts";
import { error, warning, type Diagnostic } from "../../domain/diagnostic.ts";
import type { FieldSpec } from "../../domain/field.ts";
import { fold } from "../../domain/fold.ts";
import { didYouMean, nearest } from "../../domain/nearest.ts";
import { placeIn, showPlace, type Place } from "../../domain/place.ts";
import { pixelNamesOf, type Declaration, type LinkPolicy, type Mention, type Waiver } from "../../domain/project.ts";
import { WAIVABLE_RULES } from "../../domain/rules.ts";
import {
  DESTINATION_FIELD,
  EXPIRATION_DATE,
  fieldAt,
  groupFields,
  KEY_FIELD,
  REFERENCE_FIELD,
  TARGETS,
} from "../../domain/table.ts";
import { UTM_KEYS, utmParametersIn, type UtmKey } from "../../domain/utm.ts";
import type { Value } from "../../domain/value.ts";
import { wordOf } from "../../domain/wire.ts";
import { FIRST_ZONE, LAST_ZONE } from "../../domain/zone.ts";
import { COMPARABLE, PERIOD, POLICY_NAME, REQUIRABLE } from "../policy-schema.ts";
import { checkShape } from "../shape.ts";
import { destinationsOf, type Destination } from "../utm.ts";
import { entriesOf, entry, formatInline, textOf, textsIn, type TreeNode } from "../yaml.ts";
import { todayIn, type Times } from "./blocks.ts";
import type { ProjectLabels } from "../keys.ts";
import { advice, type Rule } from "./context.ts";
import type { ReadProject } from "./lint.ts";
import { listText, plural } from "../../domain/words.ts";

interface CheckedLink {
  readonly link: Declaration;
  readonly destinations: readonly (Destination & { readonly host: string | null })[];
  /** Its fields whose values are not valid, so that it is unknown what they should be. */
  readonly broken: ReadonlySet<string>;
}

type Check = (checked: CheckedLink) => readonly Diagnostic[];

interface CheckContext {
  readonly name: string;
  readonly finding: (message: string, place: Place, hint: string) => Diagnostic;
  readonly labels: ProjectLabels;
  /** The latest current date (`2027-03-31`) in the zones that the files may mean; null if it is not known. */
  readonly today: string | null;
  /** Gets the mistakes in the policy. */
  readonly diagnostics: Diagnostic[];
}

type ReadCheck = (node: TreeNode, context: CheckContext) => Check | null | Promise<Check | null>;

/** The check of each key of a policy; null for what the schema has reported. */
const CHECKS: Readonly<Record<string, ReadCheck>> = {
  require: requireCheck,
  destinations: (node, context) => hostsCheck(node, context, false),
  blocked: (node, context) => hostsCheck(node, context, true),
  alias: aliasCheck,
  expires_within: expirationCheck,
  pixels: pixelsCheck,
};

interface ReadPolicy {
  readonly name: string;
  /** Undefined if it applies to all links. */
  readonly globs: readonly Mention[] | undefined;
  readonly checks: readonly Check[];
}

/** Reads the policies. Call `problems` after the rule has seen all links: it returns the mistakes in the policies. */
export async function readPolicies(
  { document, policy: { linkPolicies }, labels, isComplete, broken }: ReadProject,
  times: Times,
): Promise<{ readonly rule: Rule; readonly problems: () => Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const node = entry(document, "policies")?.value;
  const policies: ReadPolicy[] = [];
  for (const [name, policy] of linkPolicies) {
    if (!POLICY_NAME.test(name)) continue;
    const value = entry(node, name)?.value;
    const finding: CheckContext["finding"] = (message, place, hint) =>
      advice(`policy/${name}`, message, place, `${hint} ${about(name, policy)}`);
    const context = { name, finding, labels, today: todayIn(times, FIRST_ZONE), diagnostics };
    const checks: Check[] = [];
    for (const [key, read] of Object.entries(CHECKS)) {
      const written = entry(value, key)?.value;
      const check = written && (await read(written, context));
      if (check) checks.push(check);
    }
    const links = entry(value, "links")?.value;
    policies.push({ name, globs: links && textsIn(links), checks });
  }
  const matching = matchingGlobs(policies.flatMap(({ globs = [] }) => globs.map(({ text }) => text)));
  const matched = new Set<string>();
  const waivable = [...linkPolicies.keys(), ...WAIVABLE_RULES];
  // No waiver has expired if the date is not known.
  const today = todayIn(times, LAST_ZONE) ?? "";
  const rule: Rule = (link, lint) => {
    if (link.kind !== "link") return;
    for (const [name, waiver] of link.waivers) lint.diagnostics.push(...waiverProblems(name, waiver, waivable, today));
    if (policies.length === 0) return;
    const own = new Set(labels.domain.spellingsOf(link).flatMap(matching));
    for (const glob of own) matched.add(glob);
    const destinations = destinationsOf(link).map((one) => ({ ...one, host: hostOf(one.text) }));
    const checked = { link, destinations, broken: broken.get(link) ?? new Set<string>() };
    for (const { name, globs: wanted, checks } of policies) {
      const until = link.waivers.get(name)?.until;
      const isWaived = until !== undefined && until >= today;
      if (isWaived || wanted?.some(({ text }) => own.has(text)) === false) continue;
      for (const one of checks.flatMap((check) => check(checked))) lint.report(one);
    }
  };
  return { rule, problems: () => [...diagnostics, ...(isComplete ? idleGlobs(policies, matched) : [])] };
}

function about(name: string, { reason, place }: LinkPolicy): string {
  const because = reason === null ? "" : `Reason: ${reason.replaceAll(/\s+/g, " ").replace(/(?<![.!?])$/, ".")} `;
  const waive = `add \`waive: { ${name}: { until: DATE, because: REASON } }\` to the link`;
  return `${because}The policy is at ${showPlace(place)}. To waive it, ${waive}.`;
}

function waiverProblems(name: string, { until, place }: Waiver, known: readonly string[], today: string): Diagnostic[] {
  if (!known.includes(name)) {
    const hint = didYouMean(nearest(name, known), `Allowed: ${known.join(", ")}.`);
    return [error("unknown-policy", `The project has no policy \`${name}\`.`, place, hint)];
  }
  if (until >= today) return [];
  const hint = "Remove the waiver if the link does not need it. Otherwise, fix the link, or agree on a later date.";
  return [error("waiver-expired", `The waiver of \`${name}\` expired on ${until}.`, place, hint)];
}

function idleGlobs(policies: readonly ReadPolicy[], matched: ReadonlySet<string>): Diagnostic[] {
  return policies.flatMap(({ name, globs = [] }) =>
    globs.flatMap(({ text, place }) => {
      if (matched.has(text)) return [];
      const message = `Policy \`${name}\` does not apply to any link: \`${text}\` matches no declared link.`;
      const hint = "Match links by domain and alias. `*` matches any characters: `go.example.com/qr-*`.";
      return [warning("policy-matches-nothing", message, place, hint)];
    }),
  );
}

/** A list of fields, or a map from fields to allowed values. */
function requireCheck(node: TreeNode, context: CheckContext): Check {
  const named = textsIn(node).flatMap(({ text }) => (REQUIRABLE.includes(text) ? fieldCheck(text, [], context) : []));
  const compared = entriesOf(node).flatMap(({ key: path, value }) => {
    const form = COMPARABLE.get(path);
    if (!form || checkShape(value, form).length > 0) return [];
    const allowed = textsIn(value).map(({ text }) => canonical(path, text, context.labels));
    return fieldCheck(path, allowed, context);
  });
  const checks = [...named, ...compared];
  return (checked) => checks.flatMap((check) => check(checked));
}

/** Any value is allowed if none is listed. */
function fieldCheck(path: string, allowed: readonly string[], { name, finding, labels }: CheckContext): Check {
  const wanted = listed(allowed, "or");
  const required = `Policy \`${name}\` requires \`${path}\`${allowed.length === 0 ? "" : ` to be ${wanted}`}.`;
  const hint =
    allowed.length === 0
      ? `Add \`${path}\` to the link${ONLY_IN_LINKS.includes(path) ? "" : " or to `defaults`"}.`
      : allowed.length === 1
        ? `Write \`${path}: ${formatInline(allowed[0])}\`.`
        : `Allowed: ${listed(allowed)}.`;
  return ({ link, broken }) => {
    // The field, or a field of this group, has a value that is not valid.
    if ([...broken].some((one) => one === path || one.startsWith(`${path}.`))) return [];
    const found = settingOf(path, link, labels);
    if (found === null) return [finding(required, link.place, hint)];
    const wrong = allowed.length === 0 ? undefined : found.values.find((one) => !allowed.includes(one));
    if (wrong === undefined) return [];
    return [finding(`\`${path}\` is \`${wrong}\`, but policy \`${name}\` requires ${wanted}.`, found.place, hint)];
  };
}

const ONLY_IN_LINKS = ["note", "protect"];

function canonical(path: string, text: string, labels: ProjectLabels): string {
  const spec = fieldAt("link", path);
  if (spec?.kind === "reference") return labels[spec.to].labelOf(text);
  return spec?.kind === "word" ? (wordOf(spec, text) ?? text) : text;
}

/** The place of a value, and its texts, if they can be compared. */
interface Setting {
  readonly place: Place;
  readonly values: readonly string[];
}

/** What a link or its defaults set; null if they do not set it. A group is set if any of its fields is. */
function settingOf(path: string, link: Declaration, labels: ProjectLabels): Setting | null {
  const { fields, place, note, protect, owners, reviewBy } = link;
  if (path === "owner") return owners.length === 0 ? null : { place, values: owners };
  const utm = UTM_KEYS.find((key) => path === `utm.${key}`);
  if (utm) return utmIn(link, utm);
  const unsent = new Map([
    ["note", note?.place],
    ["protect", protect],
    ["review_by", reviewBy?.place],
  ]).get(path);
  if (unsent) return { place: unsent, values: [] };
  for (const spec of [fieldAt("link", path) ?? groupFields(path)].flat()) {
    const declared = fields.get(spec.path);
    if (declared && isSet(spec, declared.value))
      return { place: declared.place, values: [canonical(path, String(declared.value), labels)] };
  }
  return null;
}

/** A UTM value, whether it is in `utm` or a parameter of the URL. */
function utmIn({ fields, utm }: Declaration, key: UtmKey): Setting | null {
  const declared = fields.get(DESTINATION_FIELD);
  const url = typeof declared?.value === "string" ? declared.value : "";
  const values = utmParametersIn(url).flatMap((one) => (one.key === key && one.value !== "" ? [one.value] : []));
  const place = utm.get(key)?.place ?? declared?.place;
  return values.length === 0 || !place ? null : { place, values };
}

/** `none` and an empty list do not set a field. A flag is set by both of its values. */
function isSet(spec: FieldSpec, value: Value): boolean {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return false;
  if (spec.kind === "secret") return value === true;
  return spec.path !== TARGETS.active.path || value !== TARGETS.active.default;
}

function listed(texts: readonly string[], last: "and" | "or" = "and"): string {
  const quoted = texts.map((text) => `\`${text}\``);
  return listText(quoted, last, 5);
}

/** A list of hosts: with `isBlocked`, the only ones that are refused, otherwise the only ones that are allowed. */
function hostsCheck(node: TreeNode, { name, finding }: CheckContext, isBlocked: boolean): Check | null {
  const hosts = textsIn(node).flatMap(({ text }) => parseHostPattern(text) ?? []);
  if (hosts.length === 0) return null;
  const matches = hostMatcher(hosts);
  const hint = isBlocked ? "Choose another destination." : `Allowed: ${listed(hosts)}.`;
  const refuses = isBlocked ? "blocks" : "does not allow";
  return ({ destinations }) =>
    destinations.flatMap(({ path, host, place }) => {
      if (host === null) {
        const message = `\`${path}\` has no host, but policy \`${name}\` allows only some hosts.`;
        return isBlocked ? [] : [finding(message, place, hint)];
      }
      if (matches(host) !== isBlocked) return [];
      const message = `\`${path}\` leads to \`${host}\`, which policy \`${name}\` ${refuses}.`;
      return [finding(message, placeIn(place, host, "first"), hint)];
    });
}

async function aliasCheck(node: TreeNode, { name, finding, diagnostics }: CheckContext): Promise<Check | null> {
  if (textOf(node) === null) return null;
  const pattern = (await import("../pattern.ts")).readPattern(node, diagnostics);
  if (pattern === null) return null;
  const message = `The ${KEY_FIELD.link} does not match \`${pattern.pattern}\`, which policy \`${name}\` requires.`;
  return ({ link: { name: alias, place } }) =>
    pattern.matches(alias) ? [] : [finding(message, placeIn(place, alias, "last"), "Choose another alias.")];
}

/** Dates are compared by day. A date in the past is allowed: the link has expired. */
function expirationCheck(node: TreeNode, { name, finding, today }: CheckContext): Check | null {
  const days = Number(PERIOD.exec(textOf(node) ?? "")?.[1]);
  if (Number.isNaN(days)) return null;
  const { path } = EXPIRATION_DATE;
  const period = plural(days, "day");
  const last = today === null ? null : addDays(today, days);
  const until = last === null ? "Choose an earlier date." : `Choose a date until ${last}.`;
  return ({ link: { fields, place }, broken }) => {
    const date = fields.get(path);
    if (broken.has(path)) return [];
    if (typeof date?.value !== "string") {
      const message = `Policy \`${name}\` requires \`${path}\`, at most ${period} from today.`;
      return [finding(message, date?.place ?? place, "Add `expiration: { date: … }` to the link.")];
    }
    if (last === null || date.value.slice(0, last.length) <= last) return [];
    const message = `\`${path}\` is later than policy \`${name}\` allows: at most ${period} from today.`;
    return [finding(message, date.place, until)];
  };
}

const DAY = 86_400_000;

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, date.length);
}

function pixelsCheck(node: TreeNode, { name, finding }: CheckContext): Check {
  const pixels = textsIn(node).map(({ text }) => text);
  return ({ link: { fields, place }, broken }) => {
    if (broken.has(REFERENCE_FIELD.pixel)) return [];
    const used = new Set(pixelNamesOf({ fields }).map(fold));
    const missing = pixels.filter((pixel) => !used.has(fold(pixel)));
    if (missing.length === 0) return [];
    const [pixel, it] = missing.length === 1 ? ["pixel", "it"] : ["pixels", "them"];
    const message = `Policy \`${name}\` requires the ${pixel} ${listed(missing)}.`;
    const hint = `Add ${it} to \`pixels\` of the link or of \`defaults\`.`;
    return [finding(message, fields.get(REFERENCE_FIELD.pixel)?.place ?? place, hint)];
  };
}
