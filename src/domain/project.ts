// What the files declare and allow, once they have been read and checked: still in the files' own words.

import { fold } from "./fold.ts";
import type { Place } from "./place.ts";
import { REFERENCE_FIELD, type ResourceKind } from "./table.ts";
import { textsOf, type Value } from "./value.ts";
import type { Software } from "./software.ts";
import type { RuleLevel } from "./rules.ts";
import type { UtmKey, UtmVocabulary } from "./utm.ts";

/** A declared value of a field. `null` in a file is the field's default. */
export interface Declared {
  /**
   * Canonical except for two kinds, which depend on the account: a reference is as written, and an instant is wall time in the
   * files' zone (`2027-03-31T23:59`).
   */
  readonly value: Value;
  readonly place: Place;
  /** For a list or map: the place of each item or value, in the order of `value`. A name that is repeated has its first place. */
  readonly parts?: readonly Place[];
  /** The value without the UTM parameters that `utm` appends; undefined if it appends none. */
  readonly written?: Value;
}

/** Where a secret comes from when it must be sent. `name` is a variable, or a path inside the project folder. */
export interface SecretSource {
  readonly from: "env" | "file";
  readonly name: string;
  readonly place: Place;
}

/** A key as a file spells it. `domain` is a label, name or id, and null for pixels. */
export interface WrittenKey {
  readonly kind: ResourceKind;
  readonly domain: string | null;
  /** The alias, or the pixel's name. */
  readonly name: string;
  readonly place: Place;
}

export type Combination = readonly (readonly [dimension: string, value: string])[];

export interface FamilyLink {
  /** The alias of the family as written, with its placeholders. */
  readonly pattern: string;
  readonly combination: Combination;
  readonly place: Place;
}

export interface Declaration extends WrittenKey {
  /** Undefined if a block declares it alone. */
  readonly family?: FamilyLink;
  readonly fields: ReadonlyMap<string, Declared>;
  readonly secrets: ReadonlyMap<string, SecretSource>;
  /** Whether an undeclared field gets the service's default or keeps its live value. */
  readonly unspecified: "reset" | "keep";
  readonly renamedFrom: WrittenKey | null;
  /** The place of the block's `protect: true`. */
  readonly protect: Place | null;
  /** The UTM values of the block and its defaults. The destinations in `fields` have them as parameters. */
  readonly utm: ReadonlyMap<UtmKey, Declared>;
  readonly owners: readonly string[];
  /** A date (`2027-06-30`). */
  readonly reviewBy: Mention | null;
  readonly note: Mention | null;
  readonly waivers: ReadonlyMap<string, Waiver>;
}

/** Why, and until which day, a link does not have to follow a policy. */
export interface Waiver {
  readonly until: string;
  readonly because: string;
  readonly place: Place;
}

/** Asks for a deletion; with an id, of that object only. */
export interface Tombstone extends WrittenKey {
  readonly id: number | null;
}

/** The id or name that a label means, or both. */
export interface Label {
  readonly label: string;
  readonly id: number | null;
  readonly name: string | null;
  readonly place: Place;
  /** The place of its meaning. */
  readonly meansPlace?: Place;
}

export interface Project {
  /** The project file's name, relative to its folder. */
  readonly file: string;
  readonly baseUrl: { readonly value: string; readonly place: Place };
  /** Null to detect it. */
  readonly software: { readonly value: Software; readonly place: Place } | null;
  /** Null to ask the service. */
  readonly accountZone: string | null;
  /** The zone of dates in the files; null for the account's. */
  readonly zone: string | null;
  /** Paths of the fields that the `defaults` of the project file set. */
  readonly defaulted: ReadonlySet<string>;
  readonly domains: readonly Label[];
  readonly spaces: readonly Label[];
  readonly declarations: readonly Declaration[];
  readonly tombstones: readonly Tombstone[];
  readonly policy: Policy;
  readonly utm: UtmVocabulary;
}

/** Another project of the base whose protection counts. */
export interface InheritedProject {
  readonly project: Project;
  /** The path of its project file in the repository. */
  readonly path: string;
  /** Whether all that it protects stays protected, or only the links that it declares. */
  readonly protects: "everything" | "declared";
}

export function emptyProject(baseUrl: string): Project {
  return {
    file: "",
    baseUrl: { value: baseUrl, place: { file: "", line: 1, column: 1 } },
    software: null,
    accountZone: null,
    zone: null,
    defaulted: new Set(),
    domains: [],
    spaces: [],
    declarations: [],
    tombstones: [],
    policy: DEFAULT_POLICY,
    utm: new Map(),
  };
}

/** Whether the date of a review is today or in the past. Dates have the form `2027-06-30`; null for none or an unknown one. */
export function isReviewDue(reviewBy: string | null, today: string | null): boolean {
  return reviewBy !== null && today !== null && reviewBy <= today;
}

/** A combination as messages show it: `channel=qr, region=us`. */
export function showCombination(combination: Combination): string {
  return combination.map(([dimension, value]) => `${dimension}=${value}`).join(", ");
}

/** A key as users write it: `go.example.com/spring-sale`, or a pixel's name. */
export function showKey(key: Pick<WrittenKey, "domain" | "name">): string {
  return key.domain === null ? key.name : `${key.domain}/${key.name}`;
}

/** A key as text: equal for spellings with other case or accents, but not for other names of the domain. */
export function keyText({ kind, domain, name }: Pick<WrittenKey, "kind" | "domain" | "name">): string {
  return `${kind} ${domain ?? ""}/${fold(name)}`;
}

/** All keys in the files: of declarations, tombstones and `renamed_from`. */
export function namedKeys({ declarations, tombstones }: Pick<Project, "declarations" | "tombstones">): WrittenKey[] {
  return [...declarations, ...tombstones, ...declarations.flatMap(({ renamedFrom }) => renamedFrom ?? [])];
}

export function pixelNamesOf({ fields }: Pick<Declaration, "fields">): readonly string[] {
  return textsOf(fields.get(REFERENCE_FIELD.pixel)?.value ?? null);
}

/** The kinds of changes. */
export type Action = "create" | "update" | "replace" | "delete";

export interface Mention {
  readonly text: string;
  readonly place: Place;
}

/** Which part of the account a project is about. A dimension that is null is not limited. */
export interface Scope {
  /** Labels, names or ids. */
  readonly domains: readonly Mention[] | null;
  /** Labels, names or ids; a null among them is "no space". */
  readonly spaces: readonly (Mention | null)[] | null;
  readonly pixels: readonly Mention[] | null;
  readonly place: Place;
}

/** Which undeclared live objects are deleted. */
export type PruneMode = "none" | "removed" | "scope";

/** A number, or a share (0 to 1) of the objects at stake. */
export type Limit = { readonly count: number } | { readonly share: number };

/** A limit as it is written in a project file: `30%`, `5`. */
export function showLimit(limit: Limit): string {
  return "count" in limit ? String(limit.count) : `${Number((limit.share * 100).toFixed(6))}%`;
}

/** The limits of one run. Those for deletes and updates apply to links and to pixels separately. */
export interface BrakeSettings {
  readonly deletes: Limit;
  readonly updates: Limit;
  /** The share (0 to 1) of all clicks that may be lost; null for no limit. */
  readonly clicks: number | null;
}

/** With fewer objects at stake than this, the share for deletes is of this number, and updates are not limited. */
export const BRAKE_FROM = 10;

/** The settings of the project file that limit linkform. */
export interface Policy {
  readonly scope: Scope | null;
  readonly prune: { readonly mode: PruneMode; readonly place: Place | null };
  readonly brake: BrakeSettings;
  /** Globs of keys whose short URLs must keep working. */
  readonly protect: readonly Mention[];
  /** Null for all. */
  readonly allow: { readonly actions: readonly Action[]; readonly place: Place } | null;
  /** By code. */
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly linkPolicies: ReadonlyMap<string, LinkPolicy>;
  /** The places of the keys of the project file. */
  readonly places: ReadonlyMap<string, Place>;
}

/** A policy for links. `settings` has what its keys set, as text. */
export interface LinkPolicy {
  readonly place: Place;
  readonly settings: ReadonlyMap<string, string>;
  readonly reason: string | null;
}

/** As octoDNS has it: 30 %. */
export const DEFAULT_BRAKE: BrakeSettings = { deletes: { share: 0.3 }, updates: { share: 0.3 }, clicks: null };

export const DEFAULT_POLICY: Policy = {
  scope: null,
  prune: { mode: "none", place: null },
  brake: DEFAULT_BRAKE,
  protect: [],
  allow: null,
  rules: new Map(),
  linkPolicies: new Map(),
  places: new Map(),
};
