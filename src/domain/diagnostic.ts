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
  /** Who is in charge of it, if reports group such findings by owner. */
  readonly owners?: readonly string[];
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

/** What findings, and their documents, are compared by. */
type Comparable = Pick<Diagnostic, "code" | "severity" | "message" | "hint"> & {
  readonly also?: unknown;
  readonly place?: Place | null;
  readonly file?: string | null;
};

/** The findings in groups: four or more that differ only in their place are a group, and each of the others is one. */
export function groupIdentical<One extends Comparable>(findings: readonly One[]): One[][] {
  const groups = groupBy(findings, identityOf);
  return [...groups.values()].flatMap((all) => (all.length < FEWEST_MERGED ? all.map((one) => [one]) : [all]));
}

/** A finding without a place, or about several places, is identical only to itself. */
function identityOf({ code, severity, message, hint, also, place, file }: Comparable): unknown {
  const isMerged = (place ?? file ?? null) !== null && also === undefined;
  return isMerged ? JSON.stringify([code, severity, message, hint]) : Symbol(code);
}

/** The most diagnostics that are shown for one file, and in total. Identical ones count once. */
export const MOST_IN_FILE = 100;
const MOST = 1000;

/**
 * Limits the diagnostics of each file and in total, errors first, because a file can have a mistake in each of 20,000 lines. One more
 * diagnostic has the number of those left out.
 */
export function limitDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupIdentical(diagnostics);
  if (groups.length <= MOST_IN_FILE) return [...diagnostics];
  // How safety settings changed is never left out.
  const kept = new Set(groups.filter(([one]) => one?.code === SAFETY_CHANGED));
  const inFile = new Map<string, number>();
  const left: (readonly [file: string, one: Diagnostic])[] = [];
  for (const severity of ["error", "warning", "info"] as const) {
    for (const group of groups) {
      const [one] = group;
      if (one?.severity !== severity || kept.has(group)) continue;
      const file = one.place?.file ?? "";
      const count = inFile.get(file) ?? 0;
      if (count < MOST_IN_FILE && kept.size < MOST) {
        inFile.set(file, count + 1);
        kept.add(group);
      } else left.push([file, one]);
    }
  }
  const leftByFile = [...groupBy(left, ([file]) => file).values()].slice(0, MOST_IN_FILE);
  return [
    ...groups.filter((group) => kept.has(group)).flat(),
    ...leftByFile.flatMap((others) => moreFindings(others.map(([, one]) => one))),
  ];
}

/** A finding that counts those that are left out; none if there are none. */
export function moreFindings(others: readonly Diagnostic[]): Diagnostic[] {
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
  const groups = groupBy(diagnostics, ({ code }) => code === SAFETY_CHANGED);
  return [...(groups.get(true) ?? []), ...(groups.get(false) ?? []).toSorted(inFiles)];
}

function inFiles(a: Diagnostic, b: Diagnostic): number {
  if (a.place === null || b.place === null) return Number(a.place !== null) - Number(b.place !== null);
  return comparePlaces(a.place, b.place);
}
