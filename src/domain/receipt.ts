// A receipt: what an apply found and what it made of it, so that it can be taken back. No secret is in it.

import type { Base, FieldChange } from "./change.ts";
import type { Place } from "./place.ts";
import type { Action } from "./project.ts";
import type { ResourceKind } from "./table.ts";
import type { Value } from "./value.ts";

/** What a reference points to. Null for what had no id yet when this was written. */
export interface Pointer {
  readonly id: number | null;
  readonly name: string;
}

/** Fields of an object as they were, by path. What the service did not return is in neither map. */
export interface Snapshot {
  /** Canonical values of all kinds but references. */
  readonly values: ReadonlyMap<string, Value>;
  /** What reference fields pointed to; none is an empty list. */
  readonly references: ReadonlyMap<string, readonly Pointer[]>;
}

/** Where an object is found: on its domain by its alias, or by a pixel's name. */
export interface KeyOfRow {
  /** Null for pixels. */
  readonly domain: Pointer | null;
  readonly name: string;
}

/** One change of an apply. */
export interface ReceiptChange {
  readonly action: Action;
  readonly kind: ResourceKind;
  /** As people saw it. */
  readonly key: string;
  readonly previousKey: string | null;
  /** Its key before and after; null before a create and after a delete. */
  readonly was: KeyOfRow | null;
  readonly is: KeyOfRow | null;
  /** The row that was there; null before a create. */
  readonly id: number | null;
  /** The row that was made; null where none was, or nobody knows its id. */
  readonly newId: number | null;
  /** Clicks when the apply began; null where that was not known. */
  readonly clicks: number | null;
  /** What became of it; null where the run did not come to its end. */
  readonly outcome: "applied" | "failed" | "skipped" | null;
  /** Of one that failed: whether the service may have acted all the same; null for all others. */
  readonly mayHaveActed: boolean | null;
  /** Of an update the fields that it changed, of a delete or replacement all that was known; null for a create. */
  readonly before: Snapshot | null;
  /** What these fields became, or what a new row was stored with; null for a delete. */
  readonly after: Snapshot | null;
  /** Where it stands in the receipt. */
  readonly place: Place;
}

/** A receipt that has been read. */
export interface Receipt {
  /** What the file is called in messages. */
  readonly file: string;
  /** The version that wrote it. */
  readonly linkform: string;
  /** When, as an instant in canonical form. */
  readonly at: string;
  readonly command: "apply" | "undo";
  /** False where the run did not come to its end: then no change has an outcome. */
  readonly isEnded: boolean;
  readonly baseUrl: string;
  /** The project file's name. */
  readonly project: string;
  readonly base: Base | null;
  readonly changes: readonly ReceiptChange[];
}

/** What can't come back of an object, or comes back as another: a sentence. */
export interface Loss {
  readonly kind: ResourceKind;
  readonly key: string;
  readonly message: string;
  readonly place: Place;
}

/** What an undo leaves as it is now, an object or some of its fields, and why. */
export interface LeftAlone {
  readonly kind: ResourceKind;
  /** The key that the apply gave it, and the one it had before where that was another. */
  readonly key: string;
  readonly previousKey: string | null;
  readonly code: LeftCode;
  readonly message: string;
  /** What would let it through; null where nothing would. */
  readonly hint: string | null;
  /** The fields that keep the values they have now; empty where that is the whole object. */
  readonly paths: readonly string[];
  /** What differs: as the apply left it, and as it is now. */
  readonly fields: readonly FieldChange[];
  readonly place: Place;
}

/** Why something is left as it is: its values, its row, its key or its users are no longer what they were; or it would come back open. */
export type LeftCode =
  | "changed-since"
  | "gone-since"
  | "taken-since"
  | "still-used"
  | "not-ours"
  | "secret-unknown"
  | "would-open"
  | "unreadable-row"
  | "cannot-be-sent";
