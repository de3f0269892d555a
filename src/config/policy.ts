// Reads the keys of a project file that limit what linkform may do: scope, prune, brake, protect, allow, rules, policies.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import {
  DEFAULT_BRAKE,
  type Action,
  type BrakeSettings,
  type Limit,
  type LinkPolicy,
  type Mention,
  type Policy,
  type PruneMode,
  type Scope,
} from "../domain/project.ts";
import type { Labels, ProjectLabels } from "./keys.ts";
import { entriesOf, entry, isNull, numberOf, textOf, textsIn, type TreeEntry, type TreeNode } from "./yaml.ts";
import { RULE_LEVELS, type RuleLevel } from "../domain/rules.ts";

/** Ignores values that the schema has refused. */
export function readPolicy(document: TreeNode, labels: ProjectLabels, diagnostics: Diagnostic[]): Policy {
  const prune = entry(document, "prune")?.value;
  const scope = entry(document, "scope");
  const mode = PRUNE_MODES.find((known) => known === textOf(prune));
  if (mode === "scope" && !scope && prune) {
    const message =
      "`prune: scope` needs a `scope`. Without one, linkform would delete everything that is not declared.";
    const hint = "Add a scope, such as `scope: { domains: [go.example.com] }`, or write `prune: removed`.";
    diagnostics.push(error("prune-needs-scope", message, prune.place, hint));
  }
  const allow = entry(document, "allow")?.value;
  const allowed = new Set(textsIn(allow).map(({ text }) => text));
  return {
    scope: scope ? readScope(scope, labels) : null,
    prune: { mode: mode ?? "none", place: prune?.place ?? null },
    brake: readBrake(entry(document, "brake")?.value),
    protect: textsIn(entry(document, "protect")?.value),
    allow: allow ? { actions: ACTIONS.filter((one) => allowed.has(one)), place: allow.place } : null,
    rules: readRuleLevels(entry(document, "rules")?.value),
    linkPolicies: readLinkPolicies(entry(document, "policies")?.value),
    places: new Map(entriesOf(document).map(({ key, keyPlace }) => [key, keyPlace])),
  };
}

function readScope({ value, keyPlace }: TreeEntry, { domain, space }: ProjectLabels): Scope {
  const labelled = (node: TreeNode, known: Labels): Mention[] =>
    textsIn(node).map((mention) => ({ ...mention, text: known.labelOf(mention.text) }));
  const [domains, spaces, pixels] = ["domains", "spaces", "pixels"].map((key) => entry(value, key)?.value);
  return {
    domains: domains ? labelled(domains, domain) : null,
    spaces:
      spaces?.type === "list" ? spaces.items.flatMap((item) => (isNull(item) ? [null] : labelled(item, space))) : null,
    pixels: pixels ? textsIn(pixels) : null,
    place: keyPlace,
  };
}

function readBrake(node: TreeNode | undefined): BrakeSettings {
  const clicks = limitOf(entry(node, "clicks")?.value);
  return {
    deletes: limitOf(entry(node, "deletes")?.value) ?? DEFAULT_BRAKE.deletes,
    updates: limitOf(entry(node, "updates")?.value) ?? DEFAULT_BRAKE.updates,
    clicks: clicks !== null && "share" in clicks ? clicks.share : DEFAULT_BRAKE.clicks,
  };
}

function limitOf(node: TreeNode | undefined): Limit | null {
  const count = numberOf(node);
  if (count !== null) return { count };
  const percent = percentOf(textOf(node) ?? "");
  return percent === null ? null : { share: percent / 100 };
}

function readRuleLevels(node: TreeNode | undefined): Map<string, RuleLevel> {
  const levels = entriesOf(node).flatMap(({ key, value }) => {
    const level = RULE_LEVELS.find((word) => word === textOf(value));
    return level ? [[key, level] as const] : [];
  });
  return new Map(levels);
}

function readLinkPolicies(node: TreeNode | undefined): Map<string, LinkPolicy> {
  const policies = entriesOf(node).map(({ key: name, keyPlace: place, value }) => {
    const settings = new Map(entriesOf(value).map((one) => [one.key, showNode(one.value)]));
    settings.delete("reason");
    return [name, { place, settings, reason: textOf(entry(value, "reason")?.value) }] as const;
  });
  return new Map(policies);
}

/** A value as text. The order of a list has no meaning in a policy. */
function showNode(node: TreeNode): string {
  if (node.type === "scalar") return node.text.trim();
  if (node.type === "list") return `[${node.items.map(showNode).toSorted(compareText).join(", ")}]`;
  const entries = node.entries.map(({ key, value }) => `${key}: ${showNode(value)}`);
  return `{ ${entries.toSorted(compareText).join(", ")} }`;
}

/** In the order of messages. */
const PRUNE_MODES: readonly PruneMode[] = ["none", "removed", "scope"];
export const ACTIONS: readonly Action[] = ["create", "update", "replace", "delete"];

/** A percentage; null if it is not from 0% to 100%. */
export function percentOf(written: string): number | null {
  const percent = /^\d+(\.\d+)?%$/.test(written) ? Number(written.slice(0, -1)) : null;
  return percent === null || percent > 100 ? null : percent;
}
