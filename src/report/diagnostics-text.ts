// Diagnostics as lines for a terminal: `file:line:column code message`, and what to do below it.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { showPlace } from "../domain/place.ts";
import type { Paint } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { visible } from "./words.ts";

/** The lines of diagnostics in their order; each ends with a line break. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], { paint }: Screen): string {
  return diagnostics.map((diagnostic) => diagnosticText(diagnostic, paint)).join("");
}

const PREFIX = { error: "", warning: "Warning: ", info: "Note: " } as const;

function diagnosticText({ code, severity, message, place, hint }: Diagnostic, paint: Paint): string {
  const colour = severity === "error" ? paint.red : severity === "warning" ? paint.yellow : paint.cyan;
  const where = place === null ? "" : `${visible(showPlace(place))} `;
  const line = `${where}${colour(code)} ${PREFIX[severity]}${visible(message)}\n`;
  return hint === null ? line : `${line}    ${paint.dim(visible(hint))}\n`;
}

/** `2 errors, 1 warning`; empty where there is neither. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning"] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  return counts.join(", ");
}

/** `1 change`, `2,000 changes`. */
export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A count as people read it: `8,240`. */
export function showCount(count: number): string {
  return count.toLocaleString("en-US");
}
