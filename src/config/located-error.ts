// A user error that has a place in a file, so that it is shown like any other diagnostic.

import { type Diagnostic, error } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { UserError, ServiceError } from "../errors.ts";

export class LocatedError extends UserError {
  readonly place: Place | null;

  constructor(code: string, message: string, place: Place | null, hint: string) {
    super(code, message, { hint });
    this.place = place;
  }
}

/** A user or service error as a finding; null for any other. */
export function diagnosticOf(cause: UserError | ServiceError): Diagnostic;
export function diagnosticOf(cause: unknown): Diagnostic | null;
export function diagnosticOf(cause: unknown): Diagnostic | null {
  if (!(cause instanceof UserError || cause instanceof ServiceError)) return null;
  return error(cause.code, cause.message, cause instanceof LocatedError ? cause.place : null, cause.hint);
}
