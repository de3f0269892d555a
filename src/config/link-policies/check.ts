// Checks every link against the policies of the project. This module and the matcher of patterns load only for projects that have policies.

import { matchingGlobs } from "../../domain/glob.ts";
import { error, warning, type Diagnostic } from "../../domain/diagnostic.ts";
import { hostOf } from "../../domain/hosts.ts";
import { nearest } from "../../domain/nearest.ts";
import { groupBy } from "../../domain/collections.ts";
import { showPlace, type Place } from "../../domain/place.ts";
import type { Declaration, Mention, Waiver } from "../../domain/project.ts";
import { FIRST_ZONE, LAST_ZONE, wallTimeOf } from "../../domain/zone.ts";
import { combinationText } from "../family-findings.ts";
import type { Labels } from "../keys.ts";
import type { Times } from "../lint/blocks.ts";
import { textsIn } from "../texts.ts";
import { entry, textOf, type TreeNode } from "../yaml.ts";
import { policyCode } from "./keys.ts";
import { destinationsOf } from "../utm.ts";
import { readChecks, type Check, type Violation } from "./checks.ts";
import { requirableFields } from "./fields.ts";

interface PolicyInput {
  /** The project file. */
  readonly document: TreeNode;
  readonly declarations: readonly Declaration[];
  /** Whether every declaration could be read. */
  readonly isComplete: boolean;
  readonly domains: Labels;
  readonly spaces: Labels;
  /** The fields of links whose values are not valid, which has been reported. */
  readonly broken: ReadonlyMap<Declaration, ReadonlySet<string>>;
}

interface ReadPolicy {
  readonly name: string;
  readonly place: Place;
  readonly severity: "error" | "warning";
  readonly reason: string | null;
  /** Null if it applies to all links. */
  readonly globs: readonly Mention[] | null;
  readonly checks: readonly Check[];
  /** Whether everything that the policy sets could be read. */
  readonly isComplete: boolean;
}

/** A link that breaks a policy. */
interface BrokenPolicy {
  readonly policy: ReadPolicy;
  readonly violation: Violation;
  readonly link: Declaration;
}

/** A waiver as it is written. The links of a family share one, which is needed if one of them needs it. */
interface WrittenWaiver {
  readonly name: string;
  readonly waiver: Waiver;
  readonly isNeeded: boolean;
}

/** The findings of all policies, mistakes in the policies, and findings about waivers. */
export function checkLinkPolicies(input: PolicyInput, times: Times): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const dates = datesIn(times);
  const policies = readPolicies(input, dates.latest, diagnostics);
  const matched = new Set<string>();
  const matching = matchingGlobs(policies.flatMap(({ globs }) => globs?.map(({ text }) => text) ?? []));
  const broken: BrokenPolicy[] = [];
  const waivers = new Map<string, WrittenWaiver>();
  for (const link of input.declarations) {
    if (link.kind !== "link") continue;
    const found = new Set(spellings(link, input.domains).flatMap(matching));
    for (const glob of found) matched.add(glob);
    const checked = {
      declaration: link,
      destinations: destinationsOf(link).map((one) => ({ ...one, host: hostOf(one.text) })),
      broken: input.broken.get(link) ?? new Set<string>(),
    };
    const needed = new Set<string>();
    for (const policy of policies) {
      if (policy.globs !== null && !policy.globs.some(({ text }) => found.has(text))) continue;
      const violations = policy.checks.flatMap((check) => check(checked));
      if (violations.length > 0) needed.add(policy.name);
      if (isWaived(link.waivers.get(policy.name), dates.earliest)) continue;
      for (const violation of violations) broken.push({ policy, violation, link });
    }
    for (const [name, waiver] of link.waivers) {
      const spot = showPlace(waiver.place);
      waivers.set(spot, { name, waiver, isNeeded: needed.has(name) || waivers.get(spot)?.isNeeded === true });
    }
  }
  return [
    ...(input.isComplete ? idleGlobs(policies, matched) : []),
    ...diagnostics,
    ...findingsOf(broken, input.declarations),
    ...[...waivers.values()].flatMap((waiver) => waiverFindings(waiver, policies, dates.earliest)),
  ];
}

/** The current date, in the zone of the files or, without one, in the zones where a day begins last and first. */
function datesIn({ now, zone, accountZone }: Times): {
  readonly earliest: string | null;
  readonly latest: string | null;
} {
  const dateIn = (other: string): string | null =>
    now === null ? null : wallTimeOf(now, zone ?? accountZone ?? other).slice(0, "2027-03-31".length);
  return { earliest: dateIn(LAST_ZONE), latest: dateIn(FIRST_ZONE) };
}

function readPolicies(
  { document, domains, spaces }: PolicyInput,
  today: string | null,
  diagnostics: Diagnostic[],
): ReadPolicy[] {
  const node = entry(document, "policies")?.value;
  const fields = requirableFields({ domain: domains, space: spaces });
  return (node?.type === "map" ? node.entries : []).map(({ key, keyPlace, value }): ReadPolicy => {
    const mistakes: Diagnostic[] = [];
    const links = entry(value, "links");
    const checks = readChecks(key, value, { fields, today, diagnostics: mistakes });
    for (const mistake of mistakes) diagnostics.push(mistake);
    return {
      name: key,
      place: keyPlace,
      severity: textOf(entry(value, "severity")?.value) === "warning" ? "warning" : "error",
      reason: textOf(entry(value, "reason")?.value),
      globs: links === undefined ? null : textsIn(links.value),
      checks,
      isComplete: mistakes.length === 0,
    };
  });
}

/** A key with the label, the name and the id of its domain. */
function spellings({ domain, name }: Declaration, domains: Labels): string[] {
  if (domain === null) return [name];
  const label = domains.find(domain);
  const texts = [domain, label?.name, label?.id?.toString()].filter((text) => typeof text === "string");
  return [...new Set(texts)].map((text) => `${text}/${name}`);
}

/** Links of a family share their values, so one finding stands for all links that break a policy in the same way. */
function findingsOf(broken: readonly BrokenPolicy[], declarations: readonly Declaration[]): Diagnostic[] {
  const sizes = new Map<string, number>();
  for (const { family } of declarations)
    if (family !== undefined) sizes.set(showPlace(family.place), (sizes.get(showPlace(family.place)) ?? 0) + 1);
  const groups = groupBy(broken, (one) => {
    const { policy, violation, link } = one;
    return link.family === undefined
      ? one
      : JSON.stringify([policy.name, violation.message, showPlace(violation.place)]);
  });
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { family } = first.link;
    const isAboutAll = family === undefined || others.length + 1 === sizes.get(showPlace(family.place));
    return [findingOf(first, isAboutAll ? "" : combinationText(family, others.length))];
  });
}

/** `combination` is added to the first sentence. */
function findingOf({ policy, violation }: BrokenPolicy, combination: string): Diagnostic {
  const { name, place, severity, reason } = policy;
  const because = reason === null ? "" : ` Reason: ${sentence(reason)}`;
  const waive = `add \`waive: { ${name}: { until: DATE, because: REASON } }\` to the link`;
  return {
    code: policyCode(name),
    severity,
    message: `${violation.message.replace(/\.$/, "")}${combination}.${because}`,
    place: violation.place,
    hint: `${violation.hint} The policy is at ${showPlace(place)}. To waive it, ${waive}.`,
  };
}

function sentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Whether a waiver counts today. */
function isWaived(waiver: Waiver | undefined, today: string | null): boolean {
  return waiver !== undefined && !isExpired(waiver, today);
}

function isExpired({ until }: Waiver, today: string | null): boolean {
  return today !== null && until < today;
}

function waiverFindings(
  { name, waiver, isNeeded }: WrittenWaiver,
  policies: readonly ReadPolicy[],
  today: string | null,
): Diagnostic[] {
  const policy = policies.find((one) => one.name === name);
  if (policy === undefined) return [unknownPolicy(name, waiver, policies)];
  if (isExpired(waiver, today)) {
    const message = `The waiver of policy \`${name}\` expired on ${waiver.until}.`;
    const hint = isNeeded
      ? "Fix the link, or agree on a later date."
      : "Remove the waiver. The link follows the policy.";
    return [error("waiver-expired", message, waiver.place, hint)];
  }
  if (isNeeded || !policy.isComplete) return [];
  const message = `The waiver of policy \`${name}\` is not needed: the link follows the policy.`;
  return [warning("waiver-unused", message, waiver.place, "Remove the waiver.")];
}

function unknownPolicy(name: string, { place }: Waiver, policies: readonly ReadPolicy[]): Diagnostic {
  const names = policies.map((policy) => policy.name);
  const meant = nearest(name, names);
  const hint =
    meant !== null
      ? `Did you mean \`${meant}\`?`
      : names.length === 0
        ? "Remove the waiver. The project has no policies."
        : `Policies: ${names.join(", ")}.`;
  return error("unknown-policy", `The project has no policy \`${name}\`.`, place, hint);
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
