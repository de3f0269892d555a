// What changed since the base: keys that are no longer declared, and safety settings.

import { info, SAFETY_CHANGED, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../domain/collections.ts";
import { fold } from "../domain/fold.ts";
import { comparePlaces, showPlace, startOf, type Place } from "../domain/place.ts";
import {
  namedKeys,
  showKey,
  showLimit,
  type Declaration,
  type Label,
  type Mention,
  type Project,
  type WrittenKey,
} from "../domain/project.ts";
import { plural, someOf } from "../domain/words.ts";
import type { OpenedBase } from "./base.ts";
import { Labels } from "./keys.ts";
import { isRuleCode, RULES } from "../domain/rules.ts";
import { formatInline } from "./yaml.ts";

/**
 * Shows the findings that the base does not have; without a base, all but those of lint rules and policies. Errors and safety settings are
 * always shown. A finding is the same if its code, message and source line are, wherever the line is now.
 */
export function newFindings(
  base: Pick<OpenedBase, "ref" | "findings"> | null,
  found: readonly Diagnostic[],
): Record<"shown" | "hidden", readonly Diagnostic[]> {
  const before = groupBy(base?.findings ?? [], findingIdentity);
  const isShown = (one: Diagnostic): boolean => {
    if (one.severity === "error" || one.code === SAFETY_CHANGED) return true;
    const isAdvice = isRuleCode(one.code) || one.code.startsWith("policy/");
    return base === null ? !isAdvice : before.get(findingIdentity(one))?.pop() === undefined;
  };
  const all = groupBy(found, isShown);
  return { shown: all.get(true) ?? [], hidden: all.get(false) ?? [] };
}

function findingIdentity({ code, severity, message, place }: Diagnostic): string {
  return JSON.stringify([code, severity, message, place?.source?.line(place.line)?.trim()]);
}

/** Whether a tag that no flag named has commits that the work tree does not have. What they add looks like what the files removed. */
export function isUnclear({ isAhead, impliedDays }: OpenedBase): boolean {
  return isAhead && impliedDays !== undefined;
}

/** `apply` refuses a base with errors, unless it is the tag that is used without `--base`. */
export function baseProblems(base: OpenedBase): Diagnostic[] {
  const { ref, isAhead, problem, isPartial, impliedDays } = base;
  const isNamed = impliedDays === undefined;
  const found: Diagnostic[] = [];
  if (isAhead) {
    const [effect, hint] = isUnclear(base)
      ? [
          "Removed links and pixels are not listed, because those that these commits add look the same.",
          `Update your branch. To get the tag of the last deploy, run \`git fetch --force origin tag ${ref}\`.`,
        ]
      : [
          "Links and pixels that they add look like removed ones.",
          `Merge it first, or compare with the merge base: \`--base $(git merge-base ${ref} HEAD)\`.`,
        ];
    const lacks = `\`${ref}\` has commits that this work tree does not have.`;
    found.push(warning("base-ahead", `${lacks} ${effect}`, null, hint));
  }
  if (problem !== null) {
    const read = "The comparison uses what linkform can read there.";
    const hint = isNamed ? `${read} \`linkform apply\` refuses this base.` : read;
    found.push(warning(problem.code, problem.message, null, hint));
  }
  if (isPartial) {
    const message = `Deletes are unknown: linkform cannot read all keys at \`${ref}\`, so it cannot detect everything that was removed since then.`;
    const hint = "Merge the fix of these files first. Until then, plans are not saved.";
    found.push(warning("base-partial", message, null, isNamed ? hint : null));
  }
  return found;
}

/** A declaration of the base. */
interface Former {
  readonly block: Declaration;
  /** With the current labels. */
  readonly key: WrittenKey;
  /** The block that declares it now, also under a new key. */
  readonly now: Declaration | undefined;
  /** Whether the files declare it, have a tombstone for it, or rename it. */
  readonly isNamed: boolean;
}

/** The current files may have other labels. */
function findFormer(base: Project, project: Project): Former[] {
  const [labelsThen, labels] = [new Labels(base.domains), new Labels(project.domains)];
  const [then, today] = [domainIdentifier(labelsThen, labels), domainIdentifier(labels, labelsThen)];
  const identify = ({ kind, domain, name }: WrittenKey, of: typeof today): string =>
    JSON.stringify([kind, domain && of(domain), fold(name)]);
  const present = new Map([
    ...project.declarations.map((one) => [identify(one.renamedFrom ?? one, today), one] as const),
    ...project.declarations.map((one) => [identify(one, today), one] as const),
  ]);
  const keys = namedKeys(project);
  const named = new Set(keys.map((key) => identify(key, today)));
  const texts = new Set([...project.domains.map(({ label }) => label), ...keys.flatMap(({ domain }) => domain ?? [])]);
  const known = new Map([...texts].toReversed().map((text) => [today(text), text]));
  const domainNow = (text: string): string => {
    const { id, name } = labelsThen.meaningOf(text);
    // A name that is now a label would mean the domain of that label.
    const free = [name, id].find((one) => one !== null && labels.find(one) === undefined);
    return known.get(then(text)) ?? free ?? text;
  };
  return base.declarations.map((block) => {
    const identity = identify(block, then);
    const key = { ...block, domain: block.domain && domainNow(block.domain) };
    return { block, key, now: present.get(identity), isNamed: named.has(identity) };
  });
}

/** The links and pixels that the base declares and the project no longer names. The files have no place for them. */
export function findOrphans(opened: OpenedBase, project: Project): Diagnostic[] {
  if (isUnclear(opened)) return [];
  const { ref, project: base } = opened;
  if (base === null) {
    const message = `\`${project.file}\` does not exist at \`${ref}\`, so the base declares nothing.`;
    return [info("base-new", message, null)];
  }
  const orphans = findFormer(base, project).filter(({ isNamed }) => !isNamed);
  const { mode } = project.policy.prune;
  const named = opened.impliedDays === undefined ? "" : ` with \`--base ${ref}\``;
  const effect =
    mode === "none"
      ? "`prune` is `none`, so linkform does not delete it."
      : `\`prune: ${mode}\` will delete it${mode === "scope" ? " if it is in the scope" : named}, unless it is protected.`;
  return orphans
    .toSorted((a, b) => comparePlaces(a.block.place, b.block.place))
    .map(({ block, key }) => {
      const shown = showKey(key);
      const was = `\`${shown}\` was declared at ${showPlace(block.place)} in \`${ref}\`, but the files no longer name it.`;
      const renamed = `If it was renamed, write \`renamed_from: ${formatInline(shown)}\` in the new block.`;
      const deleted = `To delete it, write \`absent: { ${key.kind}s: ${formatInline([shown])} }\`.`;
      const hint = `${renamed} ${mode === "none" ? deleted : "To keep it, declare it again."}`;
      return info("orphan", `${was} ${effect}`, null, hint);
    });
}

/** Returns equal texts for the same domain in both projects: its id if the labels of one of them have it, else its name. */
function domainIdentifier(own: Labels, other: Labels): (text: string) => string {
  const others = other.all.map(({ label }) => other.meaningOf(label));
  return (text) => {
    const { id, name } = own.meaningOf(text);
    return id ?? others.find((one) => one.name === name && one.id !== null)?.id ?? name ?? text;
  };
}

interface SafetyChange {
  /** A sentence, to which `since` the base and the links are added. */
  readonly what: string;
  readonly links?: readonly string[];
  /** Left out: the start of the project file. */
  readonly place?: Place | null | undefined;
  readonly hint: string;
}

const MAX_LISTED_LINKS = 20;

/** The safety settings that differ from the base, in a fixed order. A new project is compared with the one that it replaces. */
export function safetySince({ ref, project: base, inherited }: OpenedBase, project: Project): Diagnostic[] {
  const [predecessor] = base === null ? inherited : [];
  const before = base ?? predecessor?.project;
  if (before === undefined) return [];
  const top = startOf(project.file);
  const former = findFormer(before, project).filter(({ block }) => block.kind === "link");
  // A new project may replace only a part of its predecessor, so links that it lacks have not lost their protection.
  const kept = predecessor === undefined ? former : former.filter(({ now }) => now !== undefined);
  const findings = [
    ...settingChanges(before, project),
    ...policyChanges(before.policy.linkPolicies, project.policy.linkPolicies),
    ...protectionChanges(kept),
    ...waiverChanges(former, project),
  ].map(({ what, links = [], place = top, hint }) => {
    const listed = links.length === 0 ? "" : `: ${someOf(links, MAX_LISTED_LINKS)}`;
    return warning(SAFETY_CHANGED, `${what} since \`${ref}\`${listed}.`, place, hint);
  });
  if (predecessor === undefined) return findings;
  const { path } = predecessor;
  const message = `This project file is new since \`${ref}\`. Its settings are compared with the settings in \`${path}\` at \`${ref}\`.`;
  const hint = `Check that this project is meant to replace \`${path}\`. Links that \`${path}\` protects stay protected until this is merged.`;
  return [warning(SAFETY_CHANGED, message, top, hint), ...findings];
}

const CHECK_SETTING =
  "This setting limits what linkform can do to live links and pixels. Check that the change is intended.";
const CHECK_POLICY = "Policies limit what links can be. Check that the change is intended.";
const CHECK_WAIVER =
  "Until that date, a link does not have to follow the policy or rule. Check that the waivers are intended.";

function settingChanges(before: Project, project: Project): SafetyChange[] {
  const was = new Map(settingsOf(before));
  return settingsOf(project).flatMap(([path, text]) => {
    const what = `\`${path}\` changed from ${was.get(path)} to ${text}`;
    const place = project.policy.places.get(path.split(".")[0] ?? "");
    return was.get(path) === text ? [] : [{ what, place, hint: CHECK_SETTING }];
  });
}

/** In the order of the findings. Equal texts are equal settings. */
function settingsOf({ policy, domains, spaces }: Project): (readonly [path: string, text: string])[] {
  const { brake, scope, allow, prune, protect, rules } = policy;
  const list = (all: readonly (Mention | null)[] | null | undefined, labels: readonly Label[] = []): string =>
    all ? `[${[...new Set(all.map((one) => showLabel(one, labels)))].toSorted().join(", ")}]` : "not limited";
  return [
    ["protect", protect.length === 0 ? "none" : list(protect)],
    ["prune", prune.mode],
    ["scope.domains", list(scope?.domains, domains)],
    ["scope.spaces", list(scope?.spaces, spaces)],
    ["scope.pixels", list(scope?.pixels)],
    ["allow", allow === null ? "all actions" : `[${allow.actions.toSorted().join(", ")}]`],
    ["brake.deletes", showLimit(brake.deletes)],
    ["brake.updates", showLimit(brake.updates)],
    ["brake.clicks", brake.clicks === null ? "not limited" : showLimit({ share: brake.clicks })],
    ...Object.entries(RULES).map(([code, { level }]) => [`rules.${code}`, rules.get(code) ?? level] as const),
  ];
}

/** With the id and name that a label stands for, because these can change, too. */
function showLabel(mention: Mention | null, labels: readonly Label[]): string {
  if (mention === null) return "null";
  const label = labels.find((one) => one.label === mention.text);
  const target = [label?.id ?? null, label?.name ?? null].filter((part) => part !== null && part !== mention.text);
  return target.length === 0 ? mention.text : `${mention.text} (${target.join(" ")})`;
}

type Policies = Project["policy"]["linkPolicies"];

function policyChanges(before: Policies, after: Policies): SafetyChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, now] = [before.get(name), after.get(name)];
    const change = (what: string): SafetyChange => ({ what, place: now?.place, hint: CHECK_POLICY });
    if (was === undefined) return [change(`Policy \`${name}\` was added`)];
    if (now === undefined) return [change(`Policy \`${name}\` was removed`)];
    return [...new Set([...was.settings.keys(), ...now.settings.keys()])].flatMap((key) => {
      const [from = "not set", to = "not set"] = [was, now].map(({ settings }) => settings.get(key) ?? UNSET[key]);
      return from === to ? [] : change(`\`policies.${name}.${key}\` changed from ${brief(from)} to ${brief(to)}`);
    });
  });
}

/** The defaults of keys of policies. */
const UNSET: Readonly<Record<string, string>> = { severity: "error", links: "all links" };

function brief(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(/^(.{200}).+/, "$1…");
}

/** Each policy that has new waivers, or waivers that end later than at the base. */
function waiverChanges(former: readonly Former[], { declarations }: Project): SafetyChange[] {
  const before = groupBy(former, ({ now }) => now);
  const added = declarations.flatMap((link) =>
    [...link.waivers].flatMap(([policy, waiver]) => {
      const isOld = before.get(link)?.some(({ block }) => (block.waivers.get(policy)?.until ?? "") >= waiver.until);
      return isOld === true ? [] : [{ policy, link, ...waiver }];
    }),
  );
  return [...groupBy(added, ({ policy }) => policy)].map(([policy, waivers]) => ({
    what: `${plural(waivers.length, "waiver")} of \`${policy}\` ${waivers.length === 1 ? "is" : "are"} new or longer`,
    links: waivers.map(({ link, until, because }) => `\`${showKey(link)}\` until ${until} (${brief(because)})`),
    place: waivers[0]?.place,
    hint: CHECK_WAIVER,
  }));
}

/** First the links that lost protection. */
function protectionChanges(former: readonly Former[]): SafetyChange[] {
  const isProtected = (one: Declaration | undefined): boolean => (one?.protect ?? null) !== null;
  return [false, true].flatMap((isAdded) => {
    const links = former.filter(({ block, now }) => isProtected(block) !== isAdded && isProtected(now) === isAdded);
    const [first] = links;
    if (first === undefined) return [];
    const what = `\`protect: true\` was ${isAdded ? "added to" : "removed from"} ${plural(links.length, "link")}`;
    const named = links.map(({ key, now }) => `\`${showKey(now ?? key)}\``);
    // A link that is gone has no place in the files.
    return [{ what, links: named, place: first.now?.place ?? null, hint: CHECK_SETTING }];
  });
}
