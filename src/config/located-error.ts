// Errors that are shown as findings.

import { type Diagnostic, error } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { UserError, ServiceError } from "../errors.ts";

/** A user error with a place in a file. */
export class LocatedError extends UserError {
  readonly place: Place | null;

  constructor(code: string, message: string, place: Place | null, hint: string) {
    super(code, message, { hint });
    this.place = place;
  }
}

/** Why a command does nothing. */
export class Refusal extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super("refused");
    this.diagnostics = diagnostics;
  }
}

/** A known error as findings; null for any other. */
export function knownProblems(cause: unknown): readonly Diagnostic[] | null {
  if (cause instanceof Refusal) return cause.diagnostics;
  const only = diagnosticOf(cause);
  return only && [only];
}

/** A user or service error as a finding; null for any other. */
export function diagnosticOf(cause: UserError | ServiceError): Diagnostic;
export function diagnosticOf(cause: unknown): Diagnostic | null;
export function diagnosticOf(cause: unknown): Diagnostic | null {
  if (!(cause instanceof UserError || cause instanceof ServiceError)) return null;
  return error(cause.code, cause.message, cause instanceof LocatedError ? cause.place : null, cause.hint);
}
