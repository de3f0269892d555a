// Domains and spaces that are probably misspelled labels. Only the service knows whether a name exists.

import { distance } from "fastest-levenshtein";
import type { Declaration } from "../../domain/project.ts";
import { FIELDS } from "../../domain/table.ts";
import type { Labels } from "../keys.ts";
import type { LintContext } from "./context.ts";

/** Reports each reference to a domain or space that differs by a letter or two from a label, and is none. */
export function lintLabels(
  declarations: readonly Declaration[],
  labels: Readonly<Record<"domain" | "space", Labels>>,
  context: LintContext,
): void {
  if (!context.isEnabled("misspelled-label")) return;
  for (const declaration of declarations) {
    for (const field of FIELDS[declaration.kind]) {
      if (field.kind !== "reference") continue;
      const declared = declaration.fields.get(field.path);
      const text = field.path === "domain" ? declaration.domain : declared?.value;
      if (typeof text !== "string") continue;
      const label = labelMeant(text, labels[field.to]);
      if (label === null) continue;
      context.report(declared?.place ?? declaration.place, {
        rule: "misspelled-label",
        message: `\`${text}\` is not a label under \`${field.to}s\`, but resembles \`${label}\`.`,
        hint: `Did you mean \`${label}\`? If \`${text}\` is the name of a ${field.to}, add a label for it.`,
        mark: text,
      });
    }
  }
}

/** Host names and names that differ in a number are often alike on purpose. */
function labelMeant(text: string, labels: Labels): string | null {
  if (labels.find(text) !== undefined || /^\d+$|\./.test(text)) return null;
  const most = text.length < 6 ? 1 : 2;
  const similar = labels.all.filter(
    ({ label }) =>
      distance(text.toLowerCase(), label.toLowerCase()) <= most && withoutNumbers(text) !== withoutNumbers(label),
  );
  return similar.length === 1 ? (similar[0]?.label ?? null) : null;
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, "0");
}
