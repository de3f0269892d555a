// A user error that has a place in a file, so that it can be shown like any other finding.

import { type Diagnostic, error } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { ServiceError, UserError } from "../errors.ts";

/** `place` is null where no file is to blame. */
export class LocatedError extends UserError {
  readonly place: Place | null;

  constructor(code: string, message: string, place: Place | null, hint: string) {
    super(code, message, { hint });
    this.place = place;
  }
}

/** A mistake or a service's failure as a diagnostic; null for anything that is a mistake of ours. */
export function diagnosticOf(cause: unknown): Diagnostic | null {
  if (cause instanceof UserError || cause instanceof ServiceError) {
    const place = cause instanceof LocatedError ? cause.place : null;
    return error(cause.code, cause.message, place, cause.hint);
  }
  return null;
}
