// A finding about the files or the account: what is wrong, where, and what to do.

import { groupBy } from "./collections.ts";
import { comparePlaces, type Place } from "./place.ts";
import { showCount } from "./words.ts";

export type Severity = "error" | "warning" | "info";

/** `place` is null if the cause is not in a file, but in the account or the environment. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly place: Place | null;
  /** One sentence on what to do, or null. */
  readonly hint: string | null;
  /** Other places that the message names. Reports show their lines as well. */
  readonly also?: readonly RelatedPlace[];
  /** Who is in charge of it, if reports group such findings by owner. */
  readonly owners?: readonly string[];
}

/** `says` is the label of the place, such as `first here`. */
export interface RelatedPlace {
  readonly place: Place;
  readonly says: string;
}

type MakeDiagnostic = (code: string, message: string, place: Place | null, hint?: string | null) => Diagnostic;

const make =
  (severity: Severity): MakeDiagnostic =>
  (code, message, place, hint = null) => ({ code, severity, message, place, hint });

export const error = make("error");
/** Makes a warning: it is shown and never changes the exit code. */
export const warning = make("warning");
export const info = make("info");

export function besides(diagnostic: Diagnostic, place: Place, says: string): Diagnostic {
  return { ...diagnostic, also: [...(diagnostic.also ?? []), { place, says }] };
}

export function errorsIn(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** A finding or its document. */
type Comparable = Pick<Diagnostic, "code" | "severity" | "message" | "hint"> & {
  readonly also?: unknown;
  readonly place?: Place | null;
  readonly file?: string | null;
};

/** Groups findings: four or more that differ only in their place are one group. Each of the others is shown with its line. */
export function groupIdentical<One extends Comparable>(findings: readonly One[]): One[][] {
  const groups = groupBy(findings, identityOf);
  return [...groups.values()].flatMap((all) => (all.length < 4 ? all.map((one) => [one]) : [all]));
}

/** A finding without a place, or about several places, is identical only to itself. */
function identityOf({ code, severity, message, hint, also, place, file }: Comparable): unknown {
  const isMerged = (place ?? file ?? null) !== null && also === undefined;
  return isMerged ? JSON.stringify([code, severity, message, hint]) : Symbol(code);
}

/** The most different diagnostics that are shown, and the most places of identical ones. */
export const MOST_SHOWN = 100;

export const BY_SEVERITY: readonly Severity[] = ["error", "warning", "info"];

/**
 * Limits the diagnostics, because a file can have a mistake in each of 20,000 lines. Keeps errors first, and of them the first of each
 * file. One more counts those left out.
 */
export function limitDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupIdentical(diagnostics);
  if (groups.length <= MOST_SHOWN) return [...diagnostics];
  const ordered = BY_SEVERITY.flatMap((severity) => {
    const same = groups.filter(([one]) => one?.severity === severity);
    const firsts = new Set([...groupBy(same, ([one]) => one?.place?.file).values()].map(([first]) => first));
    return [...same.filter((group) => firsts.has(group)), ...same.filter((group) => !firsts.has(group))];
  });
  const others = ordered.slice(MOST_SHOWN).flatMap(([one]) => one ?? []);
  return [...ordered.slice(0, MOST_SHOWN).flat(), ...moreFindings(others)];
}

/** A finding that counts those that are left out; none if there are none. */
export function moreFindings(others: readonly Diagnostic[]): Diagnostic[] {
  const [first] = others;
  if (first === undefined) return [];
  const { severity, place } = first;
  const isMixed = others.some((one) => one.severity !== severity);
  const name = isMixed ? "finding" : severity === "info" ? "note" : severity;
  const isOne = others.length === 1;
  const count = isOne ? `is 1 more ${name}` : `are ${showCount(others.length)} more ${name}s`;
  const where = place === null ? "" : isOne ? " It is here." : " The first is here.";
  const hint = "Fix the errors and warnings above first, then run the command again.";
  return [{ code: "more-findings", severity, message: `There ${count}.${where}`, place, hint }];
}

/** The code of changes to settings that keep linkform from doing harm. They come first in every report. */
export const SAFETY_CHANGED = "safety-changed";

/** Sorts for display: changes to safety settings first, then diagnostics without a place, then by file, line and column. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupBy(diagnostics, ({ code }) => code === SAFETY_CHANGED);
  const inFiles = (groups.get(false) ?? []).toSorted(({ place: a }, { place: b }) =>
    a === null || b === null ? Number(a !== null) - Number(b !== null) : comparePlaces(a, b),
  );
  return [...(groups.get(true) ?? []), ...inFiles];
}
