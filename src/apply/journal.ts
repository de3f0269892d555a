// What is told to a journal: each call before it is made, and what came of it.

import type { Change, FieldChange } from "../domain/change.ts";

/** A call that is about to be made; its number tells it from all others of the run. */
export interface Intent {
  readonly event: "intent";
  readonly call: number;
  readonly change: Change;
  readonly does: "store" | "update" | "delete";
  /** The row's id; null where there is none yet. */
  readonly id: number | null;
  readonly fields: readonly FieldChange[];
}

/** What came of a call. "unknown": it failed, and the service may have acted on it. */
export interface Result {
  readonly event: "result";
  readonly call: number;
  readonly result: "done" | "refused" | "unknown";
  /** The row's id, where it is known. */
  readonly id: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Takes a line down before it returns. Throws a user error where it can't. */
export type Journal = (line: Intent | Result) => void;
