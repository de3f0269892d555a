// What a project file allows linkform to do, and to what: scope, prune, brake, protect, allow.

import type { Place } from "./place.ts";
import type { RuleLevel } from "./rules.ts";
import type { ResourceKind } from "./table.ts";

/** What a change does to an object. */
export type Action = "create" | "update" | "replace" | "delete";

/** A text of the files, and where it stands. */
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
  /** Globs of pixel names. */
  readonly pixels: readonly Mention[] | null;
  readonly place: Place;
}

/** What becomes of live objects that no file names: nothing, or a deletion. */
export type PruneMode = "none" | "removed" | "scope";

/** At most so many, or at most this share (0 to 1) of the objects at stake. */
export type Limit = { readonly count: number } | { readonly share: number };

/** How much one run may do, by kind of object. */
export interface BrakeSettings {
  readonly deletes: Readonly<Record<ResourceKind, Limit>>;
  readonly updates: Readonly<Record<ResourceKind, Limit>>;
  /** The share (0 to 1) of all clicks that may be lost; null: any. */
  readonly clicks: number | null;
  /** Shares of fewer objects than this mean little: as many are reckoned for deletes, and updates are not limited. */
  readonly from: number;
}

/** What the project file says of itself. */
export interface Policy {
  readonly scope: Scope | null;
  readonly prune: { readonly mode: PruneMode; readonly place: Place | null };
  readonly brake: BrakeSettings;
  /** Globs of keys whose short URLs must go on answering. */
  readonly protect: readonly Mention[];
  /** The actions that plans may hold; null: all. */
  readonly allow: { readonly actions: readonly Action[]; readonly place: Place } | null;
  /** The lint rules that the project sets, by code. */
  readonly rules: ReadonlyMap<string, RuleLevel>;
  /** Where the project file has each of these keys; those that it leaves out are not in here. */
  readonly places: ReadonlyMap<string, Place>;
}

const SHARE: Limit = { share: 0.3 };

/** As octoDNS has it: 30 %, from 10 objects on. */
export const DEFAULT_BRAKE: BrakeSettings = {
  deletes: { link: SHARE, pixel: SHARE },
  updates: { link: SHARE, pixel: SHARE },
  clicks: null,
  from: 10,
};

/** That of a project which says nothing of itself. */
export const NO_POLICY: Policy = {
  scope: null,
  prune: { mode: "none", place: null },
  brake: DEFAULT_BRAKE,
  protect: [],
  allow: null,
  rules: new Map(),
  places: new Map(),
};
