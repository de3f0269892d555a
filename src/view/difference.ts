// How a field that did not become as declared is told.

import type { FieldWords } from "../apply/options.ts";
import type { Change, FieldChange, Plan } from "../domain/change.ts";
import { showWords, wordChanges } from "./values.ts";

/** The values of a field as people know them. */
export function fieldWords({ zones }: Pick<Plan, "zones">, { kind }: Change, field: FieldChange): FieldWords[] {
  return wordChanges(kind, field, zones, false).map(({ path, before, after }) => {
    const [first, second] = showWords(before, after);
    return { path, before: first, after: second };
  });
}

/** A field's values as people know them: `` `privacy` is public, declared private ``. */
export function describeDifference({ zones }: Pick<Plan, "zones">, { kind }: Change, field: FieldChange): string {
  const words = wordChanges(kind, field, zones, false);
  return words
    .map(({ path, before, after }) => `\`${path}\` is ${showWords(before, after).join(", declared ")}`)
    .join(", ");
}
