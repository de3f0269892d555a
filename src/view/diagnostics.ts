// Diagnostics in words and in the order in which people read them, for every format.

import { visible } from "../domain/control-characters.ts";
import { bySafety, type Diagnostic, type Severity } from "../domain/diagnostic.ts";
import { plural } from "./counts.ts";

/** What findings are called. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };
const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** The gravest first; those of a kind stay in their order. */
export function gravestFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const { safety, rest } = bySafety(diagnostics);
  return [...safety, ...rest.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])];
}

/** A message with what nobody reads to its end cut in the middle: JSON has it whole. */
export function readable(text: string): string {
  return visible(text).replaceAll(/\S{100,}/g, (long) => `${long.slice(0, 48)}…${long.slice(-16)}`);
}

/** `2 errors, 1 warning`; empty where there is neither. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning"] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  return counts.join(", ");
}
