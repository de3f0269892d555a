// The outcomes of changes.

import type { Change } from "../domain/change.ts";
import type { Place } from "../domain/place.ts";
import { KEY_FIELD } from "../domain/table.ts";
import { sentFields } from "../plan/calls.ts";
import { ServiceError, UserError, type FieldRefusal } from "../errors.ts";
import { NotStoredError } from "./read-back.ts";

/** Why a change failed, with the field and place that caused it if they are known. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** The field's path, or null. */
  readonly path: string | null;
  readonly place: Place;
  /** Whether the service may have changed something: a part was applied, there was no answer, or the result differs. */
  readonly mayHaveActed: boolean;
}

export type Outcome =
  /** `id` is the id of the record; after a create or replacement, of the new record. */
  | { readonly change: Change; readonly outcome: "applied"; readonly id: number }
  | { readonly change: Change; readonly outcome: "failed"; readonly failure: Failure }
  /** Not applied; `because` gives the reason in full sentences. `moved`: the record is no longer as the plan showed it. */
  | {
      readonly change: Change;
      readonly outcome: "skipped";
      readonly code: "skipped" | "brake" | "moved";
      readonly because: string;
    };

/** The outcomes if a brake stops the plan. */
export function heldByBrake(changes: readonly Change[]): Outcome[] {
  const because = "The plan exceeds a limit, so none of its changes are applied.";
  return changes.map((change) => ({ change, outcome: "skipped", code: "brake", because }));
}

/** `halfDone` is a sentence about the part that is already applied. */
export function failureOf(change: Change, cause: unknown, halfDone: string | null): Failure {
  if (!(cause instanceof UserError || cause instanceof ServiceError)) return internalFailure(change, cause);
  const refusals = cause instanceof ServiceError ? cause.refusals : [];
  const refused = refusals.map((refusal) => refusal.path ?? null).find((found) => found !== null) ?? null;
  const path = cause instanceof NotStoredError ? cause.path : refused;
  const sentences = refusals.map((refusal) => `${fieldName(change, refusal)}: ${refusal.messages.join(" ")}`);
  const message = sentences.length === 0 ? cause.message : `The service rejected ${sentences.join(" ")}`;
  const declared = change.action === "delete" ? undefined : change.desired.fields;
  return {
    code: cause.code,
    message: halfDone === null ? message : `${halfDone} ${message}`,
    hint: cause.hint ?? (path === KEY_FIELD[change.kind] ? KEY_REFUSED : null),
    path,
    place: (path === null ? undefined : declared?.get(path)?.place) ?? change.source,
    mayHaveActed:
      halfDone !== null || cause instanceof NotStoredError || (cause instanceof ServiceError && cause.mayHaveActed),
  };
}

/** Somebody else may have the alias or name. */
const KEY_REFUSED =
  "If the name is taken, `linkform plan --show-unmanaged` shows which object has it. If the account reached a limit, make room first.";

/** It must not hide what was applied before it. */
export function internalFailure({ source }: Change, cause: unknown): Failure {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const message = `Internal error in linkform: ${detail}`;
  const hint = "Please report this bug. Run `linkform plan` to see the state of the account.";
  return { code: "internal-error", message, hint, path: null, place: source, mayHaveActed: true };
}

/** The key path in the files for a name in a request: `targeting.country DE` for `country.0.value`. */
function fieldName(change: Change, { wire, path }: FieldRefusal): string {
  if (path === undefined || path === null) return wire;
  const index = Number(wire.split(".")[1]);
  const value = sentFields(change).find((field) => field.path === path)?.after;
  const item = Array.isArray(value) ? value[index] : undefined;
  if (item === undefined) return path;
  return `${path} ${typeof item === "string" ? item : item[0]}`;
}
