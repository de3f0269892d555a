// The record of a run: the state before and after it, so that it can be reverted. It contains no secret.

import type { FieldChange } from "./change.ts";
import type { Place } from "./place.ts";
import type { Action } from "./project.ts";
import type { ResourceKind } from "./table.ts";
import type { Value } from "./value.ts";

/** The target of a reference. `id` is null if it had none yet. */
export interface Reference {
  readonly id: number | null;
  readonly name: string;
}

/** Fields of an object by path, without those that the service did not return. */
export interface Snapshot {
  /** Canonical values of all kinds but references. */
  readonly values: ReadonlyMap<string, Value>;
  /** What reference fields pointed to; none is an empty list. */
  readonly references: ReadonlyMap<string, readonly Reference[]>;
}

/** Where an object is found: on its domain by its alias, or by a pixel's name. */
export interface RecordKey {
  /** Null for pixels. */
  readonly domain: Reference | null;
  readonly name: string;
}

/** One change of a run. */
export interface RecordedChange {
  readonly action: Action;
  readonly kind: ResourceKind;
  /** As reports showed it. */
  readonly key: string;
  readonly previousKey: string | null;
  /** Its key before and after; null before a create and after a delete. */
  readonly keyBefore: RecordKey | null;
  readonly keyAfter: RecordKey | null;
  /** The id before; null for a create. */
  readonly id: number | null;
  /** The id of the created object; null for none, or if it is unknown. */
  readonly newId: number | null;
  /** Clicks when the apply began; null if unknown. */
  readonly clicks: number | null;
  /** Null if it is unknown: the run did not end. */
  readonly outcome: "applied" | "failed" | "skipped" | null;
  /** For a failed change: whether the service may have made it; null for all others. */
  readonly mayHaveActed: boolean | null;
  /** The changed fields of an update, all known fields for a delete or a replacement; null for a create. */
  readonly before: Snapshot | null;
  /** The new values of these fields, or all fields of a created object; null for a delete. */
  readonly after: Snapshot | null;
  /** Its line in the record. */
  readonly place: Place;
}

/** A record that has been read. */
export interface RunRecord {
  /** The name of the file in messages. */
  readonly file: string;
  /** When, as an instant in canonical form. */
  readonly at: string;
  readonly command: "apply" | "undo";
  /** False if the run did not end, or its end was cut off. Then no change has an outcome. */
  readonly isEnded: boolean;
  readonly baseUrl: string;
  /** The project file's name. */
  readonly project: string;
  /** The hash of the account, if the service reports the account and the run read it. */
  readonly account: string | null;
  readonly changes: readonly RecordedChange[];
}

/** Something that an undo cannot restore. */
export interface Loss {
  readonly kind: ResourceKind;
  readonly key: string;
  readonly message: string;
  readonly place: Place;
}

/** A change that an undo skips, in whole or for some fields, and the reason. */
export interface SkippedChange {
  readonly kind: ResourceKind;
  /** The key after the apply, and the key before if it was different. */
  readonly key: string;
  readonly previousKey: string | null;
  readonly code: SkipReason;
  readonly message: string;
  /** How to include it; null if that is not possible. */
  readonly hint: string | null;
  /** The fields that keep their current values; empty for the whole object. */
  readonly paths: readonly string[];
  /** The differences between the state after the apply and now. */
  readonly fields: readonly FieldChange[];
  readonly place: Place;
}

/** Why an undo skips a change: the object, its key or its users have changed since, or something would become open. */
export type SkipReason =
  | "moved"
  | "taken-since"
  | "still-used"
  | "not-ours"
  | "secret-unknown"
  | "would-open"
  | "unreadable-row"
  | "cannot-be-sent";
