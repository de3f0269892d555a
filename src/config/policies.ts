// Reads the key `policies` of a project file and the key `waive` of a link.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import type { LinkPolicy, Waiver } from "../domain/project.ts";
import { dateIn, entry, textOf, type TreeNode } from "./yaml.ts";

/** The policies of a project file, by name. */
export function readLinkPolicies(document: TreeNode): Map<string, LinkPolicy> {
  const node = entry(document, "policies")?.value;
  const policies = new Map<string, LinkPolicy>();
  for (const { key, keyPlace, value } of node?.type === "map" ? node.entries : []) {
    const keys = value.type === "map" ? value.entries : [];
    const settings = keys.flatMap((one) => (one.key === "reason" ? [] : [[one.key, showNode(one.value)] as const]));
    policies.set(key, {
      place: keyPlace,
      settings: new Map(settings),
      reason: textOf(entry(value, "reason")?.value),
    });
  }
  return policies;
}

/** A value as text. The order of a list has no meaning in a policy. */
function showNode(node: TreeNode): string {
  if (node.type === "scalar") return node.text.trim();
  if (node.type === "list") return `[${node.items.map(showNode).toSorted(compareText).join(", ")}]`;
  const entries = node.entries.map(({ key, value }) => `${key}: ${showNode(value)}`);
  return `{ ${entries.toSorted(compareText).join(", ")} }`;
}

const NO_WAIVERS: ReadonlyMap<string, Waiver> = new Map();

/** The waivers of a link, by the name of their policy. */
export function readWaivers(link: TreeNode, diagnostics: Diagnostic[]): ReadonlyMap<string, Waiver> {
  const node = entry(link, "waive")?.value;
  if (node === undefined) return NO_WAIVERS;
  const waivers = new Map<string, Waiver>();
  for (const { key, keyPlace, value } of node?.type === "map" ? node.entries : []) {
    const until = dateIn(entry(value, "until")?.value, diagnostics);
    const because = textOf(entry(value, "because")?.value);
    // The schema has reported a waiver without these keys.
    if (until !== null && because !== null) waivers.set(key, { until: until.text, because, place: keyPlace });
  }
  return waivers;
}

/** The form of `expires_within`. */
export const PERIOD: RegExp = /^([1-9]\d{0,3}) days?$/;
