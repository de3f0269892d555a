// What the files declare and allow, once they have been read and checked: still in the files' own words.

import type { Place } from "./place.ts";
import type { ResourceKind } from "./table.ts";
import type { Value } from "./value.ts";
import type { Software } from "./software.ts";
import type { RuleLevel } from "./rules.ts";

/** A value that a file (a block or its defaults) gives to a field. `null` in a file arrives as the field's default. */
export interface Declared {
  /**
   * Canonical but for two kinds, which only the account can settle: a reference stands as written, and an instant as
   * wall time in the files' zone (`2027-03-31T23:59`).
   */
  readonly value: Value;
  readonly place: Place;
  /** Of a list of names, where each stands first. */
  readonly items?: ReadonlyMap<string, Place>;
  /** Of a list or map, where each item or pair's value stands, in the order of `value`. */
  readonly parts?: readonly Place[];
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

/** One declared link or pixel. */
export interface Declaration extends WrittenKey {
  /** Only what the files say; what they are silent about is not in here. Keyed by the field's path. */
  readonly fields: ReadonlyMap<string, Declared>;
  readonly secrets: ReadonlyMap<string, SecretSource>;
  /** What silence means: the service's default, or "as it is live". */
  readonly unspecified: "reset" | "keep";
  readonly renamedFrom: WrittenKey | null;
  /** Where the block says `protect: true`: its short URL must go on answering. */
  readonly protect: Place | null;
  /** The id of the live row that is meant, or null for none yet. Left out, as in all files: the key tells. */
  readonly liveId?: number | null;
}

/** Asks for a deletion; with an id, of that row only. */
export interface Tombstone extends WrittenKey {
  readonly id: number | null;
}

/** What a label stands for: the service's id, its name, or both. */
export interface Label {
  readonly label: string;
  readonly id: number | null;
  readonly name: string | null;
  readonly place: Place;
  /** Where it says what it stands for, if a file does. */
  readonly meansPlace?: Place;
}

/** Everything the files of one project say. */
export interface Project {
  /** The project file's name, relative to its folder. */
  readonly file: string;
  readonly baseUrl: { readonly value: string; readonly place: Place };
  /** The version of the service that the files declare; null to detect it. */
  readonly software: { readonly value: Software; readonly place: Place } | null;
  /** The account's time zone, where the files state it; else the service is asked. */
  readonly accountZone: string | null;
  /** The zone that dates in the files mean; null is the account's. */
  readonly zone: string | null;
  /** Paths of the fields that `defaults` of the project file give to links which are silent about them. */
  readonly defaulted: ReadonlySet<string>;
  readonly domains: readonly Label[];
  readonly spaces: readonly Label[];
  readonly declarations: readonly Declaration[];
  readonly tombstones: readonly Tombstone[];
  readonly policy: Policy;
}

/** Another project of the base whose protection counts. */
export interface InheritedProject {
  readonly project: Project;
  /** The path of its project file in the repository. */
  readonly path: string;
  /** Whether all that it protects stays protected, or only the links that it declares. */
  readonly protects: "everything" | "declared";
}

/** A project that says nothing but where the service is: for rows that no files speak of. */
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
  };
}

/** How people write a key: `go.example.com/spring-sale`, or a pixel's name. */
export function showKey(key: Pick<WrittenKey, "domain" | "name">): string {
  return key.domain === null ? key.name : `${key.domain}/${key.name}`;
}

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
export const DEFAULT_POLICY: Policy = {
  scope: null,
  prune: { mode: "none", place: null },
  brake: DEFAULT_BRAKE,
  protect: [],
  allow: null,
  rules: new Map(),
  places: new Map(),
};
