// A plan as data: the changes, why each is made, and what visitors notice. Nothing in here is text for people.

import type { Diagnostic } from "./diagnostic.ts";
import type { UnreadableField } from "./live.ts";
import type { Place } from "./place.ts";
import type { Declared, SecretSource } from "./project.ts";
import { ENDING_FLAGS, fieldAt, GROUPS, type ResourceKind } from "./table.ts";
import type { Value, Values } from "./value.ts";
import type { Software } from "./software.ts";

/** A declared link or pixel whose references and dates are settled: the form that is compared. */
export interface Desired {
  readonly kind: ResourceKind;
  /** As people write it, with the domain's shown name. */
  readonly key: string;
  /** Equal for two objects exactly if the service takes them for one. */
  readonly identity: string;
  /** Canonical values by path; what the files are silent about is not in here. */
  readonly values: Values;
  /** The fields that the files give, as they stand there. */
  readonly declared: ReadonlyMap<string, Declared>;
  readonly secrets: ReadonlyMap<string, SecretSource>;
  readonly unspecified: "reset" | "keep";
  readonly place: Place;
  /** Where the block says `protect: true`. */
  readonly protect: Place | null;
  /** Identity and shown key of the row this one takes over. */
  readonly renamedFrom: { readonly identity: string; readonly key: string; readonly place: Place } | null;
  /** Where renames tie it to other declarations: the identity of the first of them, and how many of them come before it. */
  readonly chain: { readonly first: string; readonly at: number } | null;
  /** The id of the live row that is meant, or null for none yet. Left out: the key tells. */
  readonly liveId?: number | null;
}

/** A live link or pixel in canonical form; a field that is unknown is not in `values`. */
export interface Live {
  readonly kind: ResourceKind;
  readonly id: number;
  readonly key: string;
  readonly identity: string;
  readonly values: Values;
  readonly clicks: number | null;
  /** When the service last wrote the row, as a canonical instant; null where it does not say. */
  readonly updatedAt: string | null;
}

/** A row that was read, of which some field has no meaning: nothing is planned for it. */
export interface UnreadableLive {
  /** As far as it can be read. */
  readonly live: Live;
  /** Null where part of the key can't be read. */
  readonly key: string | null;
  readonly fields: readonly UnreadableField[];
}

/** One field that changes. `before` is undefined where the service does not say what is live, or nothing is live yet. */
export interface FieldChange {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value;
}

/**
 * Where a change comes from, if there is a base to tell: the files have changed since, or they asked for it then and it has
 * not been applied, or live was changed by hand, or the files and live have both changed.
 */
export type Origin = "declared here" | "pending" | "drift" | "both";

/** What asks for a change. */
export type Reason = "declared" | "changed" | "renamed" | "moved" | "tombstone" | "removed" | "undeclared";

interface ChangeBase {
  readonly kind: ResourceKind;
  readonly key: string;
  /** The key the row has until now, where that changes. */
  readonly previousKey: string | null;
  readonly fields: readonly FieldChange[];
  /** The short URL stops working: delete, rename (but not of case only), replace, disable, or expire with this change. */
  readonly breaksUrl: boolean;
  readonly source: Place;
  /** Null where no base was given. */
  readonly origin: Origin | null;
}

/** A row that is not there is stored. */
export interface Create extends ChangeBase {
  readonly action: "create";
  readonly reason: "declared";
  readonly desired: Desired;
}

/** A row is changed where it stands: id and clicks stay. */
export interface Update extends ChangeBase {
  readonly action: "update";
  readonly reason: "changed" | "renamed";
  /** It breaks the short URL, or would if somebody opened the link again. The row is read before this is sent. */
  readonly isGuarded: boolean;
  readonly desired: Desired;
  readonly live: Live;
}

/** A rename across domains: the new row is stored, then the old one deleted. Its id and clicks are lost. */
export interface Replace extends ChangeBase {
  readonly action: "replace";
  /** What the new row is stored with; `fields` is what differs from the old one. */
  readonly stored: readonly FieldChange[];
  readonly reason: "moved";
  readonly desired: Desired;
  readonly live: Live;
}

/**
 * A row is deleted because a tombstone asks for it; because the one that replaces it is there already; because its
 * declaration was removed since the base; or because it lies in the scope and is not declared.
 */
export interface Delete extends ChangeBase {
  readonly action: "delete";
  readonly reason: "tombstone" | "moved" | "removed" | "undeclared";
  /** The key of what replaces it and is there already; null for any other reason. */
  readonly movedTo: string | null;
  readonly live: Live;
}

export type Change = Create | Update | Replace | Delete;

/** The id of the live row that a change is about; null for a create, which has none yet. */
export function rowIdOf(change: Change): number | null {
  return change.action === "create" ? null : change.live.id;
}

/**
 * The identity of a change, by which plans, documents and outcomes are joined: the row, and the key only where there is no row
 * yet. Two rows can share a key.
 */
export function changeIdentity({
  action,
  kind,
  key,
  id,
}: Pick<Change, "action" | "kind" | "key"> & { readonly id: number | null }): string {
  return JSON.stringify([action, kind, id ?? key]);
}

/** Changes of a plan by their identity. */
export function changesByIdentity(changes: readonly Change[]): ReadonlyMap<string, Change> {
  return new Map(changes.map((change) => [changeIdentity({ ...change, id: rowIdOf(change) }), change]));
}

/** The ids that names stand for when they are sent. */
export interface References {
  readonly domains: ReadonlyMap<string, number>;
  readonly spaces: ReadonlyMap<string, number>;
  /** By folded name; pixels that the plan creates are not in here yet. */
  readonly pixels: ReadonlyMap<string, number>;
}

/** Time zones by IANA name. */
export interface Zones {
  /** The one that dates in the files mean, and in which people see them. */
  readonly files: string;
  /** The one in which the service takes dates; null where no date is at stake and nobody asked. */
  readonly account: string | null;
}

export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly unchanged: number;
  /** Null where that is not known. */
  readonly unmanaged: number | null;
  /** How many changes come from where; null where no base was given. */
  readonly origins: Readonly<Record<Origin, number>> | null;
}

/** What a brake counts. */
export type Counted = "deletes" | "updates" | "clicks";

/** A limit that these changes exceed: nothing of the plan is applied. */
export interface TrippedBrake {
  readonly limits: Counted;
  readonly kind: ResourceKind;
  /** Objects, or clicks that would be lost; null where the service does not say how many clicks. */
  readonly count: number | null;
  /** The most that is allowed. */
  readonly limit: number;
  /** Objects, or clicks, that the limit is a share of. */
  readonly atStake: number;
  /** The limit as a project file says it: `30%`, `5`. */
  readonly setting: string;
  /** What would let this run through: the number for its `--allow-…` flag, and the setting for the project file. */
  readonly flag: number;
  readonly key: string;
  readonly changes: readonly Change[];
}

/** Declared at the base and no longer, still live, and not to be deleted. */
export interface Orphan {
  readonly live: Live;
  /** Where it was declared, in the files of the base. */
  readonly place: Place;
  /** A link that is to be created with the same destination: most likely it was meant to be a rename. */
  readonly successor: Create | null;
}

/** A change that the files ask for and that is left out of the plan. */
export interface Withheld {
  readonly change: Change;
  /** The flag or key that leaves it out, or the change that is left out and that it waits for. */
  readonly because: "target" | "exclude" | "allow" | Change;
}

/** The state of the files that the plan was held against. */
export interface Base {
  readonly ref: string;
  /** The commit's full name. */
  readonly commit: string;
}

/** What `plan` shows and `apply` does. */
export interface Plan {
  /** False where an error kept anything from being planned: then there are no changes. */
  readonly complete: boolean;
  /** In the order in which they are shown; `apply` takes them by level. */
  readonly changes: readonly Change[];
  readonly base: Base | null;
  /** The version of the service; null where no answer shows it and no file declares it. */
  readonly software: Software | null;
  /** The live objects that the plan is about: declared, tombstoned, or to be pruned. */
  readonly atStake: Readonly<Record<ResourceKind, readonly Live[]>>;
  readonly brakes: readonly TrippedBrake[];
  readonly orphans: readonly Orphan[];
  readonly withheld: readonly Withheld[];
  /** Rows that stay live although the files ask to prune or rename them: whether they may go is not certain. */
  readonly keptLive: readonly Live[];
  /** `prune: removed` without a base: what was removed from the files is not known. */
  readonly isPruneBlind: boolean;
  readonly summary: Summary;
  readonly unmanaged: readonly Live[];
  readonly unreadable: readonly UnreadableLive[];
  /** Those of `unmanaged` that lie outside the scope: other files may declare them, these may not. */
  readonly outsideScope: ReadonlySet<Live>;
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of fields, as `link url`, that the service did not return, so that nothing is known of them. */
  readonly unknown: readonly string[];
  /** How many declared secrets were compared by presence only. */
  readonly secretsCompared: number;
  /** Secrets that must be had before the first write, sorted by name. */
  readonly secretsNeeded: readonly SecretSource[];
  readonly requests: { readonly read: number; readonly apply: number; readonly verify: number };
  readonly references: References;
  /** What people type for a domain, by how it is shown. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly zones: Zones;
}

/** How a change ends a short URL; null where it ends none. */
export function endingOf(change: Change): "delete" | "replace" | "rename" | "disable" | "expire" | null {
  if (!change.breaksUrl || change.action === "create") return null;
  if (change.action !== "update") return change.action;
  if (change.reason === "renamed") return "rename";
  const isDisabled = change.fields.some(({ path, after }) => ENDING_FLAGS.includes(path) && after === true);
  const isLimited = change.fields.some(({ path }) => fieldAt(change.kind, path)?.opens?.when === "expired");
  return isLimited && !isDisabled ? "expire" : "disable";
}

/**
 * Whether the visitors of a link that is live will notice: its short URL stops answering as it did, or something that
 * they meet changes. Nobody has met a new link yet, nor what a target group says that is not in force.
 */
export function isNoticed(change: Change): boolean {
  if (change.breaksUrl) return true;
  return change.action === "update" && change.fields.some(({ path }) => isMet(change, path));
}

function isMet(change: Update, path: string): boolean {
  if (fieldAt(change.kind, path)?.visitors !== true) return false;
  const [group = "", member = ""] = path.split(".");
  const active = GROUPS[group]?.active ?? null;
  if (active === null || path === active) return true;
  const { live, desired } = change;
  const before = live.values.get(active);
  return [before, desired.values.get(active) ?? before].some((word) => word === undefined || word === member);
}
