// A finding about the files or the account: what is wrong, where, and what to do.

import { groupBy } from "./collections.ts";
import { comparePlaces, type Place } from "./place.ts";

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
  /** Other places with exactly this finding. Reports name the first of them. */
  readonly repeats?: readonly Place[];
  /** The number of places of the finding before it that are left out. */
  readonly more?: number;
}

/** `says` is the label of the place, such as `first here`. */
export interface RelatedPlace {
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

/** Makes a note. */
export function info(code: string, message: string, place: Place | null, hint: string | null = null): Diagnostic {
  return { code, severity: "info", message, place, hint };
}

/** Adds a related place and its label. */
export function besides(diagnostic: Diagnostic, place: Place, says: string): Diagnostic {
  return { ...diagnostic, also: [...(diagnostic.also ?? []), { place, says }] };
}

/** Whether any of them is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Fewer findings that are identical are shown one by one, each with its line. */
const FEWEST_MERGED = 4;

/** Merges four or more findings with the same code, severity, message and hint into the first of them. */
export function mergeIdentical(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupBy(splitIdentical(diagnostics), identityOf);
  return [...groups.values()].flatMap((all) => {
    const [first, ...others] = all;
    if (first === undefined || all.length < FEWEST_MERGED) return all;
    return [{ ...first, repeats: others.flatMap(({ place }) => place ?? []) }];
  });
}

/** A finding without a place, or about several places, is identical only to itself. */
function identityOf({ code, severity, message, hint, place, also }: Diagnostic): unknown {
  return place === null || also !== undefined ? Symbol(code) : JSON.stringify([code, severity, message, hint]);
}

/** Gives each place of merged findings its own finding again. */
export function splitIdentical(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.flatMap(splitOne);
}

/** The same for documents, which would be too large with all places: up to 100 of each finding, and the number of those left out. */
export function splitFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const all = splitOne(diagnostic);
    const left = all.slice(MOST_IN_FILE);
    return [...all.slice(0, MOST_IN_FILE), ...moreOf(left).map((one) => ({ ...one, more: left.length }))];
  });
}

function splitOne({ repeats = [], ...one }: Diagnostic): Diagnostic[] {
  return [one, ...repeats.map((place) => ({ ...one, place }))];
}

/** The number of findings. A merged finding counts once for each place. */
export function countFindings(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((count, { repeats = [] }) => count + 1 + repeats.length, 0);
}

/** The most diagnostics that are shown for one file, and in total. */
const MOST_IN_FILE = 100;
const MOST = 1000;

/**
 * Limits the diagnostics of each file and in total, errors first, because a file can have a mistake in each of 20,000 lines. One more
 * diagnostic has the number of those left out.
 */
export function limitDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  if (diagnostics.length <= MOST_IN_FILE) return [...diagnostics];
  // How safety settings changed is never left out.
  const kept = new Set(diagnostics.filter(({ code }) => code === SAFETY_CHANGED));
  const inFile = new Map<string, number>();
  const left = new Map<string, Diagnostic[]>();
  for (const severity of ["error", "warning", "info"] as const) {
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== severity || kept.has(diagnostic)) continue;
      const file = diagnostic.place?.file ?? "";
      const count = inFile.get(file) ?? 0;
      if (count < MOST_IN_FILE && kept.size < MOST) {
        inFile.set(file, count + 1);
        kept.add(diagnostic);
      } else {
        const others = left.get(file);
        if (others === undefined) left.set(file, [diagnostic]);
        else others.push(diagnostic);
      }
    }
  }
  return [
    ...diagnostics.filter((diagnostic) => kept.has(diagnostic)),
    ...[...left.values()].slice(0, MOST_IN_FILE).flatMap((others) => moreOf(others)),
  ];
}

function moreOf(others: readonly Diagnostic[]): Diagnostic[] {
  const [first] = others;
  if (first === undefined) return [];
  const count = others.filter(({ severity }) => severity === first.severity).length;
  const number = count.toLocaleString("en-US");
  const name = `${first.severity === "info" ? "note" : first.severity}${count === 1 ? "" : "s"}`;
  const message =
    first.place === null
      ? `There ${count === 1 ? "is" : "are"} ${number} more ${name}.`
      : `\`${first.place.file}\` has ${number} more ${name}. ${count === 1 ? "It is" : "The first is"} here.`;
  return [{ code: "more-findings", severity: first.severity, message, place: first.place, hint: MORE_HINT }];
}

const MORE_HINT = "Fix the errors and warnings above first, then run the command again.";

/** The code of changes to settings that keep linkform from doing harm. They come first in every report. */
export const SAFETY_CHANGED = "safety-changed";

/** Sorts for display: changes to safety settings first, then diagnostics without a place, then by file, line and column. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const { safety, rest } = bySafety(diagnostics);
  return [...safety, ...rest.toSorted(inFiles)];
}

/** Changes to safety settings, and all other findings; each in the order in which they were. */
function bySafety(diagnostics: readonly Diagnostic[]): {
  readonly safety: readonly Diagnostic[];
  readonly rest: readonly Diagnostic[];
} {
  return {
    safety: diagnostics.filter(({ code }) => code === SAFETY_CHANGED),
    rest: diagnostics.filter(({ code }) => code !== SAFETY_CHANGED),
  };
}

function inFiles(a: Diagnostic, b: Diagnostic): number {
  if (a.place === null || b.place === null) return Number(a.place !== null) - Number(b.place !== null);
  return comparePlaces(a.place, b.place);
}
