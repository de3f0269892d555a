// What became of each change.

import type { Change } from "../domain/change.ts";
import type { Place } from "../domain/place.ts";
import { FIELDS } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";

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
  /** Not begun: `because` is a sentence. */
  | { readonly change: Change; readonly outcome: "skipped"; readonly because: string };

/** Turns what was thrown while making a change into a failure. `halfDone` says, where it applies, what is done already. */
export function failureOf(change: Change, cause: unknown, halfDone: string | null): Failure {
  if (!(cause instanceof ServiceError)) throw cause;
  const path = cause.refusals.map(({ wire }) => pathOfWire(change, wire)).find((found) => found !== null) ?? null;
  const places = change.action === "delete" ? undefined : change.desired.places;
  return {
    code: cause.code,
    message: halfDone === null ? cause.message : `${halfDone} ${cause.message}`,
    hint: cause.hint,
    path,
    place: (path === null ? undefined : places?.get(path)) ?? change.source,
    mayHaveActed: halfDone !== null || cause.mayHaveActed,
  };
}

/** The field that the service means by a name such as `country.0.value`. */
function pathOfWire({ kind }: Change, wire: string): string | null {
  const [name] = wire.split(".");
  const row = FIELDS[kind].find((candidate) =>
    candidate.kind === "instant" ? candidate.sentDate === name || candidate.sentTime === name : candidate.sent === name,
  );
  return row?.path ?? null;
}
