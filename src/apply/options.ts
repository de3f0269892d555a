// What an apply is given besides its plan and its service.

import type { Change, Live } from "../domain/change.ts";
import type { LiveRow } from "../domain/live.ts";
import type { SecretSource } from "../domain/project.ts";
import type { Clock } from "../domain/clock.ts";
import type { Journal } from "./journal.ts";
import type { Outcome } from "./outcome.ts";

/** As many as the field's other tools (Terraform, decK). */
export const DEFAULT_CONCURRENCY = 10;

export interface ApplyOptions {
  /** Most changes under way at once; at least 1. */
  readonly concurrency: number;
  /** The text of a secret; every one that is needed has been resolved before the first write. */
  readonly secret: (source: SecretSource) => string;
  /** Puts a row in canonical form. */
  readonly canonical: (row: LiveRow) => Live;
  /** The instant at which expiry is judged, in canonical form. */
  readonly now: string;
  readonly clock: Clock;
  /** Aborted, with a user error, to begin nothing new. */
  readonly signal: AbortSignal;
  readonly journal?: Journal;
  /** Told of each change that is begun; what is skipped never is. */
  readonly onBegin?: (change: Change) => void;
  /** Told of each outcome as it is known. */
  readonly onOutcome?: (outcome: Outcome) => void;
}
