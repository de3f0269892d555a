// The wording and order of diagnostics, for every format.

import { visible } from "../domain/control-characters.ts";
import { bySafety, countFindings, type Diagnostic, type Severity } from "../domain/diagnostic.ts";
import { showPlace } from "../domain/place.ts";
import { plural, showCount } from "./counts.ts";
import type { ValidateReport } from "./report.ts";

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };
const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Diagnostics about safety settings first, then by severity. */
export function sortBySeverity(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const { safety, rest } = bySafety(diagnostics);
  return [...safety, ...rest.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])];
}

/** A message with long words cut in the middle. JSON has the full text. */
export function readable(text: string): string {
  return visible(text).replaceAll(/\S{100,}/g, (long) => `${long.slice(0, 48)}…${long.slice(-16)}`);
}

/** Further diagnostics get one line each: nobody fixes two hundred mistakes in one go. */
const MAX_IN_FULL = 30;

/** Which diagnostics are shown in full, errors first, and which on one line. Both keep their order. */
export function splitInFull(diagnostics: readonly Diagnostic[]): Readonly<Record<"full" | "short", Diagnostic[]>> {
  const chosen = new Set(sortBySeverity(diagnostics).slice(0, MAX_IN_FULL));
  return { full: diagnostics.filter((one) => chosen.has(one)), short: diagnostics.filter((one) => !chosen.has(one)) };
}

/** What reports list apart: changes to safety settings, which a reviewer must know, errors, and warnings with notes. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): {
  readonly safety: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  readonly others: readonly Diagnostic[];
} {
  const { safety, rest } = bySafety(diagnostics);
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  return { safety, errors: rest.filter(isError), others: rest.filter((one) => !isError(one)) };
}

/** `2 errors, 1 warning`; empty without any of these severities. */
export function severityCounts(
  diagnostics: readonly Diagnostic[],
  severities: readonly Severity[] = ["error", "warning"],
): string {
  return severities
    .flatMap((severity) => {
      const count = countFindings(diagnostics.filter((one) => one.severity === severity));
      return count === 0 ? [] : [plural(count, SEVERITY_WORDS[severity])];
    })
    .join(", ");
}

/** More places of a merged finding are counted. */
const MAX_PLACES = 3;

/** `5 places: a.yaml:4:10, a.yaml:5:10, b.yaml:2:3 and 2 more.`; null for a finding with one place. */
export function placesText({ place, repeats = [] }: Diagnostic): string | null {
  if (place === null || repeats.length === 0) return null;
  const all = [place, ...repeats];
  const named = all.slice(0, MAX_PLACES).map((one) => visible(showPlace(one)));
  return `${plural(all.length, "place")}: ${named.join(", ")} and ${showCount(all.length - named.length)} more.`;
}

/** `3 files read, 1 warning.` */
export function validateSummary({ diagnostics, files }: ValidateReport): string {
  const counts = severityCounts(diagnostics);
  return `${plural(files, "file")} read${counts === "" ? "" : `, ${counts}`}.`;
}
