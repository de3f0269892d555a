// A plan as data: the changes, why each is made, and what visitors notice. Nothing in here is text for people.

import type { Diagnostic } from "./diagnostic.ts";
import type { LiveRecord, UnreadableField } from "./live.ts";
import type { Place } from "./place.ts";
import type { BrakeSettings, Declaration, SecretSource } from "./project.ts";
import { ENDING_FLAGS, fieldAt, GROUPS, type PerKind, type ResourceKind } from "./table.ts";
import type { Value, Values } from "./value.ts";
import type { Software } from "./software.ts";
import { plural } from "./words.ts";

/** A declared link or pixel whose references and dates are resolved: the form that is compared. */
export interface Desired extends Omit<Declaration, "domain" | "name" | "renamedFrom" | "waivers"> {
  /** As users write it, with the shown name of the domain. */
  readonly key: string;
  /** Equal for two objects exactly if they are one object to the service. */
  readonly identity: string;
  readonly values: Values;
  /** Identity and shown key of the record that gets this key. */
  readonly renamedFrom: { readonly identity: string; readonly key: string; readonly place: Place } | null;
}

/** A live link or pixel in canonical form; a field that is unknown is not in `values`. */
export interface Live extends Pick<LiveRecord, "kind" | "id" | "clicks" | "updatedAt"> {
  readonly key: string;
  readonly identity: string;
  readonly values: Values;
}

/** A live object with an invalid field, as far as it can be read. Nothing is planned for it. */
export interface UnreadableLive extends Live {
  /** Whether its whole key is valid. */
  readonly hasKey: boolean;
  readonly fields: readonly UnreadableField[];
}

/** One field that changes. `before` is undefined if the service does not return the field, or the object is new. */
export interface FieldChange {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value;
}

/**
 * Where a change comes from, compared with the base: from these files, from files that were not applied yet, from a manual change, or
 * from both these files and a manual change.
 */
export type Origin = "declared here" | "pending" | "drift" | "both";

/** Why a change is planned. */
export type Reason = "declared" | "changed" | "renamed" | "moved" | "tombstone" | "removed" | "undeclared";

interface ChangeBase {
  readonly kind: ResourceKind;
  readonly key: string;
  readonly previousKey: string | null;
  readonly fields: readonly FieldChange[];
  /** The short URL stops working: delete, rename (except for case only), replace, disable, or expire. */
  readonly breaksUrl: boolean;
  readonly source: Place;
  /** Null without a base. */
  readonly origin: Origin | null;
  /** It changes a live object that the base does not declare. Null without a base, and for generated input that no commit has. */
  readonly takesOver: boolean | null;
}

export interface Create extends ChangeBase {
  readonly action: "create";
  readonly reason: "declared";
  readonly desired: Desired;
}

/** A live object keeps its id and clicks. */
export interface Update extends ChangeBase {
  readonly action: "update";
  readonly reason: "changed" | "renamed";
  /** It breaks the short URL, or would if somebody enabled the link again. The record is read before the request. */
  readonly isGuarded: boolean;
  readonly desired: Desired;
  readonly live: Live;
}

/** A rename across domains: the new link is stored, then the old one is deleted. Its id and clicks are lost. */
export interface Replace extends ChangeBase {
  readonly action: "replace";
  /** The fields of the new link; `fields` has the differences from the old one. */
  readonly stored: readonly FieldChange[];
  readonly reason: "moved";
  readonly desired: Desired;
  readonly live: Live;
}

/**
 * A live object is deleted because a tombstone names it, its replacement is live already, its declaration was removed since the base,
 * or it is undeclared in the scope.
 */
export interface Delete extends ChangeBase {
  readonly action: "delete";
  readonly reason: "tombstone" | "moved" | "removed" | "undeclared";
  /** The key of the live link that replaces it; null for any other reason. */
  readonly movedTo: string | null;
  readonly live: Live;
}

export type Change = Create | Update | Replace | Delete;

export const PAST_TENSE = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;

/** `takes over an existing link (1,412 clicks)`. */
export function takeoverText(kind: ResourceKind, clicks: number | null): string {
  return `takes over an existing ${kind}${clicks === null ? "" : ` (${plural(clicks, "click")})`}`;
}

export type WrittenChange = Exclude<Change, Delete>;

/** The id of the changed live object; null for a create. */
export function recordIdOf(change: Change): number | null {
  return change.action === "create" ? null : change.live.id;
}

/** The ids that are sent for names. */
export interface References {
  readonly domains: ReadonlyMap<string, number>;
  readonly spaces: ReadonlyMap<string, number>;
  /** By folded name, without pixels that the plan creates. */
  readonly pixels: ReadonlyMap<string, number>;
  /** Pixels that files declare under another name after a pull, by the name before it. */
  readonly renamedPixels?: ReadonlyMap<string, string>;
}

/** Time zones by IANA name. */
export interface Zones {
  /** The zone of dates in the files and in reports. */
  readonly files: string;
  /** The zone in which the service reads dates; null if no date needs it. */
  readonly account: string | null;
}

export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly unchanged: number;
  /** Null if unknown. */
  readonly unmanaged: number | null;
  /** The unchanged objects that the base does not declare; null without a base. */
  readonly nowManaged: Readonly<Record<ResourceKind, number>> | null;
  /** The number of changes of each origin; null without a base. */
  readonly origins: Readonly<Record<Origin, number>> | null;
}

/** The quantities that the brake limits. */
export type Counted = "deletes" | "updates" | "clicks";

/** A limit that the plan exceeds. Nothing of the plan is applied. */
export interface TrippedBrake {
  readonly limits: Counted;
  readonly kind: ResourceKind;
  /** Objects, or lost clicks; null if the service does not return the clicks. */
  readonly count: number | null;
  readonly limit: number;
  /** Objects, or clicks, that the limit is a share of. */
  readonly atStake: number;
  /** As a project file has it: `30%`, `5`. */
  readonly setting: string;
  /** The number for the `--allow-…` flag that allows this run. */
  readonly flag: number;
  /** The setting for the project file that allows it; null for deletes of a project file that the base does not have. */
  readonly key: string | null;
  readonly changes: readonly Change[];
  /** The number of projects of the run that are counted together; undefined for one. */
  readonly projects?: number;
  /** The clicks of unchanged links are not counted, because `--changed` does not read them. */
  readonly isPartial?: true;
}

/** A live object that was declared at the base, but is no longer, and is not deleted. */
export interface Orphan {
  readonly live: Live;
  /** Where it was declared, in the files of the base. */
  readonly place: Place;
  /** A new link with the same destination. Most likely a rename was meant. */
  readonly successor: Create | null;
}

/** A declared change that is left out of the plan. */
export interface Withheld {
  readonly change: Change;
  /** The flag or key that leaves it out, or a withheld change that it depends on. */
  readonly because: "target" | "exclude" | "allow" | Change;
}

/** The commit that the plan was compared with. */
export interface Base {
  readonly ref: string;
  /** The commit's full name. */
  readonly commit: string;
  /** Only for the tag that is used without `--base`: the age of its commit in days. Such a base never prunes. */
  readonly impliedDays?: number;
}

export interface Plan {
  /** False if an error prevented planning. Then there are no changes. */
  readonly complete: boolean;
  /** In the order in which they are shown; `apply` takes them by level. */
  readonly changes: readonly Change[];
  readonly base: Base | null;
  /** The version of the service; null if no response shows it and no file declares it. */
  readonly software: Software | null;
  /** The live objects that the plan is about: declared, tombstoned, or to be pruned. */
  readonly atStake: PerKind<readonly Live[]>;
  readonly brakes: readonly TrippedBrake[];
  readonly brakeSettings: BrakeSettings;
  /** The base does not have the project file. */
  readonly isNewProject: boolean;
  readonly orphans: readonly Orphan[];
  readonly withheld: readonly Withheld[];
  /** Objects that stay live although the files ask to prune or rename them, because it is not certain that this is safe. */
  readonly keptLive: readonly Live[];
  /** `prune: removed` without a base, so that removed declarations are unknown. */
  readonly isPruneBlind: boolean;
  readonly summary: Summary;
  /** With `--changed`, the number of declared objects that are not compared; null if all are. */
  readonly notCompared: PerKind<number> | null;
  readonly unmanaged: readonly Live[];
  readonly unreadable: readonly UnreadableLive[];
  /** Unmanaged objects. These files may not declare them. */
  readonly outsideScope: ReadonlySet<Live>;
  readonly diagnostics: readonly Diagnostic[];
  /** Findings in the files that only JSON shows. */
  readonly hiddenFindings?: readonly Diagnostic[];
  /** Fields, such as `link url`, that the service did not return. */
  readonly unknown: readonly string[];
  /** How many declared secrets were compared by presence only. */
  readonly secretsCompared: number;
  /** Secrets that are needed before the first write, sorted by name. */
  readonly secretsNeeded: readonly SecretSource[];
  /** Those of them that are files, or variables that are not set; left out if it is not known. */
  readonly secretsUnset?: readonly SecretSource[];
  readonly requests: { readonly read: number; readonly apply: number; readonly verify: number };
  readonly references: References;
  /** The host name of each domain, by its shown name. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly zones: Zones;
}

/** Whether one of these changed fields disables a link. */
export function isDisabling(fields: readonly { readonly path: string; readonly after?: unknown }[]): boolean {
  return fields.some(({ path, after }) => ENDING_FLAGS.includes(path) && after === true);
}

/** How a change breaks a short URL; null if it does not. */
export function endingOf(change: Change): "delete" | "replace" | "rename" | "disable" | "expire" | null {
  if (!change.breaksUrl || change.action === "create") return null;
  if (change.action !== "update") return change.action;
  if (change.reason === "renamed") return "rename";
  const isLimited = change.fields.some(({ path }) => fieldAt(change.kind, path)?.opens?.when === "expired");
  return isLimited && !isDisabling(change.fields) ? "expire" : "disable";
}

/**
 * Whether visitors notice a change: a short URL stops working, or a field changes that they see. New links and inactive target groups
 * have no visitors.
 */
export function isNoticed(change: Change): boolean {
  if (change.breaksUrl) return true;
  return change.action === "update" && change.fields.some(({ path }) => visitorsNotice(change, path));
}

function visitorsNotice(change: Update, path: string): boolean {
  if (fieldAt(change.kind, path)?.visitors !== true) return false;
  const [group = "", member = ""] = path.split(".");
  const active = GROUPS[group]?.active ?? null;
  if (active === null || path === active) return true;
  const { live, desired } = change;
  const before = live.values.get(active);
  return [before, desired.values.get(active) ?? before].some((word) => word === undefined || word === member);
}
