// What became of each change.

import type { Change } from "../domain/change.ts";
import type { Place } from "../domain/place.ts";
import { sentFields } from "../plan/calls.ts";
import { ServiceError, UserError, type FieldRefusal } from "../errors.ts";

/** Why a change failed, shown at the field and line that caused it where that is known. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** The field's path, or null. */
  readonly path: string | null;
  readonly place: Place;
  /** Whether the service may have acted all the same: half-done, no answer, or not as declared. */
  readonly mayHaveActed: boolean;
}

export type Outcome =
  /** `id` is the row's: the new one's after a create or replacement. */
  | { readonly change: Change; readonly outcome: "applied"; readonly id: number }
  | { readonly change: Change; readonly outcome: "failed"; readonly failure: Failure }
  /** Not made: `because` says why, in sentences. `moved`: the row is no longer as the plan showed it. */
  | {
      readonly change: Change;
      readonly outcome: "skipped";
      readonly code: "skipped" | "brake" | "moved";
      readonly because: string;
    };

/** What becomes of changes of which a brake holds one: nothing is begun. */
export function heldByBrake(changes: readonly Change[]): Outcome[] {
  const because = "The plan exceeds a limit, so nothing of it is applied.";
  return changes.map((change) => ({ change, outcome: "skipped", code: "brake", because }));
}

/** Turns what was thrown while making a change into a failure. `halfDone` says, where it applies, what is done already. */
export function failureOf(change: Change, cause: unknown, halfDone: string | null): Failure {
  if (cause instanceof UserError) {
    const { code, message, hint } = cause;
    const said = halfDone === null ? message : `${halfDone} ${message}`;
    return { code, message: said, hint, path: null, place: change.source, mayHaveActed: halfDone !== null };
  }
  if (!(cause instanceof ServiceError)) return internalFailure(change, cause);
  const path = cause.refusals.map((refusal) => refusal.path ?? null).find((found) => found !== null) ?? null;
  const message = cause.refusals.length === 0 ? cause.message : describeRefusals(change, cause.refusals);
  const said = change.action === "delete" ? undefined : change.desired.declared;
  return {
    code: cause.code,
    message: halfDone === null ? message : `${halfDone} ${message}`,
    hint: cause.hint,
    path,
    place: (path === null ? undefined : said?.get(path)?.place) ?? change.source,
    mayHaveActed: halfDone !== null || cause.mayHaveActed,
  };
}

/** A mistake of ours in the middle of a run: what was done before it must be reported all the same. */
export function internalFailure({ source }: Change, cause: unknown): Failure {
  const what = cause instanceof Error ? cause.message : String(cause);
  const hint = "Please report this. Run `linkform plan` to see how the account is.";
  return {
    code: "internal-error",
    message: `linkform itself failed: ${what}`,
    hint,
    path: null,
    place: source,
    mayHaveActed: true,
  };
}

function describeRefusals(change: Change, refusals: readonly FieldRefusal[]): string {
  const said = refusals.map((refusal) => `${nameOf(change, refusal)}: ${refusal.messages.join(" ")}`);
  return `The service refuses ${said.join(" ")}`;
}

/** What a file calls the thing that the service means by a name such as `country.0.value`: `targeting.country DE`. */
function nameOf(change: Change, { wire, path }: FieldRefusal): string {
  if (path === undefined || path === null) return wire;
  const index = Number(wire.split(".")[1]);
  const value = sentFields(change).find((field) => field.path === path)?.after;
  const item = Array.isArray(value) ? value[index] : undefined;
  if (item === undefined) return path;
  return `${path} ${typeof item === "string" ? item : item[0]}`;
}
