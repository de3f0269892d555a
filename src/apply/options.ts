// What an apply is given besides its plan and its service.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { SecretSource } from "../domain/project.ts";
import type { Clock } from "../domain/clock.ts";
import type { Journal } from "./journal.ts";
import type { Outcome } from "./outcome.ts";

/** As many as the field's other tools (Terraform, decK). */
export const DEFAULT_CONCURRENCY = 10;

/** What people see of a field: its key path in a file, and both of its values. A date has two key paths. */
export interface FieldWords {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export type Describe = (change: Change, field: FieldChange) => readonly FieldWords[];

export interface ApplyOptions {
  /** Most changes under way at once; at least 1. */
  readonly concurrency: number;
  /** The text of a secret; every one that is needed has been resolved before the first write. */
  readonly secret: (source: SecretSource) => string;
  /** A field's values as people know them. */
  readonly describe: Describe;
  /** Puts a row in canonical form. */
  readonly canonical: (row: LiveRecord) => Live;
  /** The instant at which expiry is judged, in canonical form. */
  readonly now: string;
  readonly clock: Clock;
  /** Aborted, with a user error, to begin nothing new. */
  readonly signal: AbortSignal;
  readonly journal?: Journal;
  /** Called with each change that begins. */
  readonly onBegin?: (change: Change) => void;
  /** Told of each outcome as it is known. */
  readonly onOutcome?: (outcome: Outcome) => void;
}
