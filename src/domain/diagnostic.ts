// A finding about the files or the account: what is wrong, where, and what to do.

import { comparePlaces, type Place } from "./place.ts";

export type Severity = "error" | "warning" | "info";

/** `place` is null where no file is to blame (the account, the environment). */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly place: Place | null;
  /** One sentence on what to do, or null. */
  readonly hint: string | null;
  /** Other places that the message speaks of, each with a word or two on what is there: reports show their lines as well. */
  readonly also?: readonly Aside[];
}

/** `says` goes behind the mark: `first here`. */
export interface Aside {
  readonly place: Place;
  readonly says: string;
}

/** Makes an error; `hint` is one sentence on what to do. */
export function error(code: string, message: string, place: Place | null, hint: string | null = null): Diagnostic {
  return { code, severity: "error", message, place, hint };
}

/** Makes a warning: it is shown and never changes the exit code. */
export function warning(code: string, message: string, place: Place | null, hint: string | null = null): Diagnostic {
  return { code, severity: "warning", message, place, hint };
}

/** The same, with another place that it speaks of; `says` goes behind its mark. */
export function besides(diagnostic: Diagnostic, place: Place, says: string): Diagnostic {
  return { ...diagnostic, also: [...(diagnostic.also ?? []), { place, says }] };
}

/** Whether any of them is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** The order in which they are shown: those without a place first, then by file, line and column. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => {
    if (a.place === null || b.place === null) return Number(a.place !== null) - Number(b.place !== null);
    return comparePlaces(a.place, b.place);
  });
}
