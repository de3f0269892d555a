// The options of an apply.

import type { Change, FieldChange, Live } from "../domain/change.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { SecretSource } from "../domain/project.ts";
import type { Clock } from "../domain/clock.ts";
import type { Outcome } from "./outcome.ts";

/** The same default as in Terraform and decK. */
export const DEFAULT_CONCURRENCY = 10;

/** A changed field in the words of the files. A date has two key paths. */
export interface FieldWords {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export type Describe = (change: Change, fields: readonly FieldChange[]) => readonly FieldWords[];

/**
 * Called before each write to the service; its result is called with the id of the record, or with the error. If it throws, nothing is
 * sent.
 */
export type RecordCall = (change: Change, call: "store" | "update" | "delete") => (answer: number | Error) => void;

export interface ExecutionOptions {
  /** The most changes that run in parallel; at least 1. */
  readonly concurrency: number;
  /** All needed secrets are read before the first write. */
  readonly secret: (source: SecretSource) => string;
  readonly describe: Describe;
  readonly canonical: (record: LiveRecord) => Live;
  /** The canonical instant at which expiration is judged. */
  readonly now: string;
  readonly clock: Clock;
  /** The state of the plan, and when its reading began (milliseconds of the clock). */
  readonly state: LiveState;
  readonly readAt: number;
  /** Aborted with a user error when no further change may begin. */
  readonly signal: AbortSignal;
  readonly onCall?: RecordCall | undefined;
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Called before the verification, with the number of changes that it reads again. */
  readonly onVerify?: (changes: number) => void;
  readonly onChecked?: (change: Change) => void;
}
