// Checks every link against the policies of the project. This module and the matcher of patterns load only for projects that have policies.

import { matchingGlobs } from "../../domain/glob.ts";
import { error, warning, type Diagnostic } from "../../domain/diagnostic.ts";
import { hostOf } from "../../domain/hosts.ts";
import { nearest } from "../../domain/nearest.ts";
import { groupBy } from "../../domain/collections.ts";
import { showPlace } from "../../domain/place.ts";
import type { Declaration, LinkPolicy, Mention, Waiver } from "../../domain/project.ts";
import { WAIVABLE_RULES } from "../../domain/rules.ts";
import { FIRST_ZONE, LAST_ZONE, wallTimeOf } from "../../domain/zone.ts";
import { mergeFindings } from "../family-findings.ts";
import type { Labels } from "../keys.ts";
import { destinationsOf } from "../utm.ts";
import { textsIn, entry, type TreeNode } from "../yaml.ts";
import type { Times } from "./blocks.ts";
import { readChecks, type Check } from "./policy-checks.ts";
import { requirableFields } from "./requirable.ts";

export interface PolicyInput {
  /** The project file. */
  readonly document: TreeNode;
  readonly policies: ReadonlyMap<string, LinkPolicy>;
  readonly declarations: readonly Declaration[];
  /** Whether every declaration could be read. */
  readonly isComplete: boolean;
  readonly domains: Labels;
  readonly spaces: Labels;
  /** The fields of links whose values are not valid, which has been reported. */
  readonly broken: ReadonlyMap<Declaration, ReadonlySet<string>>;
}

interface ReadPolicy extends LinkPolicy {
  readonly name: string;
  /** The code of its findings. `rules` cannot set it. */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Null if it applies to all links. */
  readonly globs: readonly Mention[] | null;
  readonly checks: readonly Check[];
  /** Whether everything that the policy sets could be read. */
  readonly isComplete: boolean;
}

/** A waiver as it is written. The links of a family share one, which is needed if one of them needs it. */
interface WrittenWaiver extends Waiver {
  readonly name: string;
  readonly isNeeded: boolean;
}

/** The findings of all policies, mistakes in the policies, and findings about waivers. */
export function lintPolicies(input: PolicyInput, times: Times): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const policies = readPolicies(input, dateIn(times, FIRST_ZONE), diagnostics);
  const today = dateIn(times, LAST_ZONE);
  const matched = new Set<string>();
  const matching = matchingGlobs(policies.flatMap(({ globs }) => globs?.map(({ text }) => text) ?? []));
  const waivers = new Map<string, WrittenWaiver>();
  const found = input.declarations.flatMap((link) => {
    if (link.kind !== "link") return [];
    const globs = new Set(spellings(link, input.domains).flatMap(matching));
    for (const glob of globs) matched.add(glob);
    const destinations = destinationsOf(link).map((one) => ({ ...one, host: hostOf(one.text) }));
    const checked = { link, destinations, broken: input.broken.get(link) ?? new Set<string>() };
    const own: Diagnostic[] = [];
    const needed = new Set<string>();
    for (const policy of policies) {
      if (policy.globs !== null && !policy.globs.some(({ text }) => globs.has(text))) continue;
      const violations = policy.checks.flatMap((check) => check(checked));
      if (violations.length > 0) needed.add(policy.name);
      const waiver = link.waivers.get(policy.name);
      if (waiver !== undefined && !isExpired(waiver, today)) continue;
      for (const one of violations) own.push({ ...one, code: policy.code, severity: policy.severity });
    }
    for (const [name, waiver] of link.waivers) {
      const spot = showPlace(waiver.place);
      waivers.set(spot, { ...waiver, name, isNeeded: needed.has(name) || waivers.get(spot)?.isNeeded === true });
    }
    return [{ key: link.name, family: link.family, diagnostics: own }];
  });
  const merged = [...groupBy(found, (one) => one.family?.place ?? one).values()].flatMap(mergeFindings);
  const byCode = new Map(policies.map((policy) => [policy.code, policy]));
  return [
    ...(input.isComplete ? idleGlobs(policies, matched) : []),
    ...diagnostics,
    ...merged.map((one) => explained(one, byCode.get(one.code))),
    ...[...waivers.values()].flatMap((waiver) => waiverFindings(waiver, policies, today)),
  ];
}

/** The current date, in the zone of the files or, without one, in `other`. */
function dateIn({ now, zone, accountZone }: Times, other: string): string | null {
  return now === null ? null : wallTimeOf(now, zone ?? accountZone ?? other).slice(0, "2027-03-31".length);
}

function readPolicies(
  { document, policies, domains, spaces }: PolicyInput,
  today: string | null,
  diagnostics: Diagnostic[],
): ReadPolicy[] {
  const node = entry(document, "policies")?.value;
  const fields = requirableFields({ domain: domains, space: spaces });
  return [...policies].map(([name, policy]): ReadPolicy => {
    const value = entry(node, name)?.value;
    const links = entry(value, "links")?.value;
    const before = diagnostics.length;
    const checks = value === undefined ? [] : readChecks(value, { name, fields, today, diagnostics });
    const globs = links === undefined ? null : textsIn(links);
    const severity = policy.settings.get("severity") === "warning" ? "warning" : "error";
    const isComplete = diagnostics.length === before;
    return { ...policy, name, code: `policy/${name}`, severity, globs, checks, isComplete };
  });
}

/** A key with the label, the name and the id of its domain. */
function spellings({ domain, name }: Declaration, domains: Labels): string[] {
  if (domain === null) return [name];
  const label = domains.find(domain);
  const texts = [domain, label?.name, label?.id?.toString()].filter((text) => typeof text === "string");
  return [...new Set(texts)].map((text) => `${text}/${name}`);
}

/** Adds the reason and the place of the policy to a finding. */
function explained(finding: Diagnostic, policy: ReadPolicy | undefined): Diagnostic {
  if (policy === undefined) return finding;
  const { name, reason, place } = policy;
  const because = reason === null ? "" : ` Reason: ${sentence(reason)}`;
  const waive = `add \`waive: { ${name}: { until: DATE, because: REASON } }\` to the link`;
  const hint = `${finding.hint} The policy is at ${showPlace(place)}. To waive it, ${waive}.`;
  return { ...finding, message: `${finding.message}${because}`, hint };
}

function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function isExpired({ until }: Pick<Waiver, "until">, today: string | null): boolean {
  return today !== null && until < today;
}

function waiverFindings(
  { name, until, place, isNeeded }: WrittenWaiver,
  policies: readonly ReadPolicy[],
  today: string | null,
): Diagnostic[] {
  const policy = policies.find((one) => one.name === name);
  const isRule = WAIVABLE_RULES.some((rule) => rule === name);
  if (policy === undefined && !isRule) {
    const names = policies.map((one) => one.name);
    const meant = nearest(name, [...names, ...WAIVABLE_RULES]);
    const others =
      names.length === 0 ? "Remove the waiver. The project has no policies." : `Policies: ${names.join(", ")}.`;
    const hint = meant === null ? others : `Did you mean \`${meant}\`?`;
    return [error("unknown-policy", `The project has no policy \`${name}\`.`, place, hint)];
  }
  if (isExpired({ until }, today)) {
    const message = `The waiver of \`${name}\` expired on ${until}.`;
    const hint =
      isNeeded || isRule
        ? "Fix the link, or agree on a later date."
        : "Remove the waiver. The link follows the policy.";
    return [error("waiver-expired", message, place, hint)];
  }
  // Only `check` knows whether a destination is dead.
  if (isNeeded || isRule || policy?.isComplete !== true) return [];
  const message = `The waiver of policy \`${name}\` is not needed: the link follows the policy.`;
  return [warning("waiver-unused", message, place, "Remove the waiver.")];
}

/** A warning for each glob that matches no link. */
function idleGlobs(policies: readonly ReadPolicy[], matched: ReadonlySet<string>): Diagnostic[] {
  return policies.flatMap(({ name, globs }) =>
    (globs ?? []).flatMap(({ text, place }) => {
      if (matched.has(text)) return [];
      const message = `Policy \`${name}\` does not apply to any link: \`${text}\` matches no declared link.`;
      const hint = "Match links by domain and alias. `*` matches any characters: `go.example.com/qr-*`.";
      return [warning("policy-matches-nothing", message, place, hint)];
    }),
  );
}
