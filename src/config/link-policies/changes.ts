// What changed in policies and waivers since the base. Both can weaken what a project requires of its links.

import { SAFETY_CHANGED, warning, type Diagnostic } from "../../domain/diagnostic.ts";
import { groupBy } from "../../domain/collections.ts";
import type { Place } from "../../domain/place.ts";
import { showKey, type Declaration, type LinkPolicy, type Project } from "../../domain/project.ts";

/** A finding for each setting of a policy that differs from the base, and for each policy that was added or removed. */
export function policyChanges(ref: string, base: Project, project: Project): Diagnostic[] {
  const before = base.policy.linkPolicies;
  const after = project.policy.linkPolicies;
  const top: Place = { file: project.file, line: 1, column: 1 };
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const was = before.get(name);
    const now = after.get(name);
    const found = (message: string): Diagnostic => warning(SAFETY_CHANGED, message, now?.place ?? top, CHECK_POLICY);
    if (was === undefined) return [found(`Policy \`${name}\` was added since \`${ref}\`.`)];
    if (now === undefined) return [found(`Policy \`${name}\` was removed since \`${ref}\`.`)];
    return settingChanges(was, now).map(({ key, from, to }) =>
      found(`\`policies.${name}.${key}\` changed from ${from} to ${to} since \`${ref}\`.`),
    );
  });
}

const CHECK_POLICY = "Policies limit what links can be. Check that the change is intended.";
const CHECK_WAIVER = "These links no longer have to follow the policy. Check that the waivers are intended.";

function settingChanges(was: LinkPolicy, now: LinkPolicy): { key: string; from: string; to: string }[] {
  const keys = new Set([...was.settings.keys(), ...now.settings.keys()]);
  return [...keys].flatMap((key) => {
    const from = was.settings.get(key) ?? unset(key);
    const to = now.settings.get(key) ?? unset(key);
    return from === to ? [] : [{ key, from: brief(from), to: brief(to) }];
  });
}

/** The default of a key that is not set. */
function unset(key: string): string {
  return key === "severity" ? "error" : key === "links" ? "all links" : "not set";
}

const LONGEST = 200;

/** How many links a finding lists. */
const MAX_LISTED_LINKS = 20;

/** The first of these texts, and the number of the others. */
export function someOf(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED_LINKS;
  return `${texts.slice(0, MAX_LISTED_LINKS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}

/** A link, and what it was at the base. */
export interface ComparedLink {
  readonly before: Declaration | null;
  readonly now: Declaration;
}

/** A finding for each policy that has new waivers, or waivers that end later than at the base. */
export function waiverChanges(ref: string, links: Iterable<ComparedLink>): Diagnostic[] {
  const added = [...links].flatMap(({ before, now: link }) =>
    [...link.waivers].flatMap(([policy, waiver]) => {
      const was = before?.waivers.get(policy);
      return was !== undefined && was.until >= waiver.until ? [] : [{ policy, link, waiver }];
    }),
  );
  return [...groupBy(added, ({ policy }) => policy)].map(([policy, waivers]) => {
    const listed = someOf(
      waivers.map(({ link, waiver: { until, because } }) => `\`${showKey(link)}\` until ${until} (${brief(because)})`),
    );
    const count = waivers.length === 1 ? "1 waiver" : `${waivers.length} waivers`;
    const change = waivers.length === 1 ? "is new or longer" : "are new or longer";
    const message = `${count} of policy \`${policy}\` ${change} since \`${ref}\`: ${listed}.`;
    return warning(SAFETY_CHANGED, message, waivers[0]?.waiver.place ?? null, CHECK_WAIVER);
  });
}
