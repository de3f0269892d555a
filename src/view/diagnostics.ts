// The wording and order of diagnostics, for every format.

import { visible } from "../domain/control-characters.ts";
import { bySafety, type Diagnostic, type Severity } from "../domain/diagnostic.ts";
import { plural } from "./counts.ts";

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

/** `2 errors, 1 warning`; empty without either. */
export function severityCounts(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning"] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  return counts.join(", ");
}
