// Changes to settings that limit what linkform may do, since the base: each is reported, because it decides what the next plans do.

import { SAFETY_CHANGED, warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import {
  DEFAULT_BRAKE,
  showKey,
  type BrakeSettings,
  type Declaration,
  type Label,
  type Limit,
  type Mention,
  type Project,
} from "../domain/project.ts";
import { RULES } from "../domain/rules.ts";
import { translator } from "./base-keys.ts";
import type { OpenedBase } from "./git.ts";
import { labelsOf } from "./labels.ts";
import { textIdentity } from "./rules.ts";

/** What the settings are compared with: a project of the base. */
interface SettingsBefore {
  readonly ref: string;
  readonly project: Project;
  /** The path of its project file in the repository, if that is not the present one. */
  readonly from: string | null;
}

/** The number of keys named in one finding. */
const MOST_NAMED = 20;

/**
 * A finding for each safety setting that differs from the base, in a fixed order. A project that is new there is compared with the one
 * whose place it takes, if there is one.
 */
export function safetySince({ ref, project: base, inherited }: OpenedBase, project: Project): Diagnostic[] {
  if (base !== null) return safetyChanges({ ref, project: base, from: null }, project);
  const [predecessor] = inherited;
  return predecessor === undefined
    ? []
    : safetyChanges({ ref, project: predecessor.project, from: predecessor.path }, project);
}

function safetyChanges(before: SettingsBefore, project: Project): Diagnostic[] {
  const { ref, from } = before;
  const top: Place = { file: project.file, line: 1, column: 1 };
  const moved =
    from === null
      ? []
      : [
          warning(
            SAFETY_CHANGED,
            `\`${project.file}\` is not a project file at \`${ref}\`: its settings are compared with \`${from}\` there.`,
            top,
            `What \`${from}\` protects stays protected until this is merged. Check that this project is meant to take its place.`,
          ),
        ];
  const then = new Map(settingsOf(before.project));
  const changed = settingsOf(project).flatMap(([path, after]) => {
    const was = then.get(path);
    if (was === undefined || was === after) return [];
    const [key = ""] = path.split(".");
    const message = `\`${path}\` changed: ${was} at \`${ref}\`, ${after} now.`;
    return [warning(SAFETY_CHANGED, message, project.policy.places.get(key) ?? top, HINT)];
  });
  return [...moved, ...changed, ...protectedLinks(before, project, top)];
}

const HINT = "This setting limits what linkform may do to live links and pixels. Check that the change is meant.";

/** Every setting as text, in the order in which changes are reported. Equal texts mean equal settings. */
function settingsOf({ policy, domains, spaces }: Project): [path: string, text: string][] {
  const { brake, scope, allow, prune, protect, rules } = policy;
  const levels = Object.entries(RULES).map(([code, { level }]): [string, string] => [
    `rules.${code}`,
    rules.get(code) ?? level,
  ]);
  return [
    ["protect", listText(textsOf(protect), "none")],
    ["prune", prune.mode],
    ["scope.domains", listText(scope?.domains?.map((one) => meaningOf(one, domains)) ?? null, "not limited")],
    ["scope.spaces", listText(scope?.spaces?.map((one) => meaningOf(one, spaces)) ?? null, "not limited")],
    ["scope.pixels", listText(scope?.pixels?.map(({ text }) => text) ?? null, "not limited")],
    ["allow", listText(allow?.actions ?? null, "all actions")],
    ...brakeTexts(brake),
    ...levels,
  ];
}

function textsOf(mentions: readonly Mention[]): readonly string[] | null {
  return mentions.length === 0 ? null : mentions.map(({ text }) => text);
}

function listText(texts: readonly string[] | null, none: string): string {
  return texts === null ? none : `[${[...new Set(texts)].toSorted().join(", ")}]`;
}

/** A domain or space with what its label stands for: a label can be given another meaning. */
function meaningOf(mention: Mention | null, labels: readonly Label[]): string {
  if (mention === null) return "null";
  const label = labels.find((one) => one.label === mention.text);
  const means = [label?.id ?? null, label?.name ?? null].filter((part) => part !== null && part !== mention.text);
  return means.length === 0 ? mention.text : `${mention.text} (${means.join(" ")})`;
}

function brakeTexts({ deletes, updates, clicks, from }: BrakeSettings): [string, string][] {
  return [
    ["brake.deletes.links", limitText(deletes.link)],
    ["brake.deletes.pixels", limitText(deletes.pixel)],
    ["brake.updates.links", limitText(updates.link)],
    ["brake.updates.pixels", limitText(updates.pixel)],
    ["brake.clicks", clicks === DEFAULT_BRAKE.clicks ? "not limited" : shareText(clicks ?? 1)],
    ["brake.from", String(from)],
  ];
}

function limitText(limit: Limit): string {
  return "count" in limit ? String(limit.count) : shareText(limit.share);
}

function shareText(share: number): string {
  return `${Number((share * 100).toFixed(6))}%`;
}

/** Links that had `protect: true` and don't, or the reverse: one finding for each. */
function protectedLinks({ ref, project: base, from }: SettingsBefore, project: Project, top: Place): Diagnostic[] {
  const labels = labelsOf(project.domains);
  const translate = translator(base, project);
  const links = project.declarations.filter(({ kind }) => kind === "link");
  const present = new Map(links.map((link) => [textIdentity(link, labels), link]));
  const renamed = new Map(
    links.flatMap((link) =>
      link.renamedFrom === null ? [] : [[textIdentity(link.renamedFrom, labels), link] as const],
    ),
  );
  const lost: { readonly key: string; readonly place: Place }[] = [];
  const gained: Declaration[] = [];
  for (const block of base.declarations) {
    if (block.kind !== "link") continue;
    const { key, identities } = translate(block);
    const now = identities.map((one) => present.get(one) ?? renamed.get(one)).find((one) => one !== undefined);
    // A new project may have only a part of the links.
    if (now === undefined && from !== null) continue;
    if (block.protect !== null && (now === undefined || now.protect === null))
      lost.push({ key: showKey(key), place: now?.place ?? top });
    if (block.protect === null && now !== undefined && now.protect !== null) gained.push(now);
  }
  const finding = (keys: readonly string[], place: Place | undefined, was: string, is: string): Diagnostic[] => {
    if (keys.length === 0) return [];
    const named = keys.slice(0, MOST_NAMED).map((key) => `\`${key}\``);
    const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : "";
    const count = keys.length === 1 ? "1 link" : `${keys.length} links`;
    const message = `\`protect\` changed for ${count}: ${was} at \`${ref}\`, ${is} now: ${named.join(", ")}${more}.`;
    return [warning(SAFETY_CHANGED, message, place ?? top, HINT)];
  };
  return [
    ...finding(
      lost.map(({ key }) => key),
      lost[0]?.place,
      "true",
      "not set",
    ),
    ...finding(gained.map(showKey), gained[0]?.place, "not set", "true"),
  ];
}
