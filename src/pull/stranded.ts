// Finds unselected links that a pull would break, because they use a pixel of a selected block.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";

/** Unselected links that use a pixel that the pull renames or removes. */
export function strandedProblems(
  before: Project,
  after: Project,
  isSelected: (one: Declaration) => boolean,
): Diagnostic[] {
  const remaining = pixelsOf(after);
  const lost = new Set([...pixelsOf(before)].filter((name) => !remaining.has(name)));
  return after.declarations.flatMap((one) => {
    const named = one.fields.get(REFERENCE_FIELD.pixel)?.value;
    const missing = Array.isArray(named) ? named.map(String).filter((name) => lost.has(fold(name))) : [];
    if (missing.length === 0 || isSelected(one)) return [];
    const what = missing.length === 1 ? "a pixel" : "pixels";
    const message = `\`${showKey(one)}\` uses ${what} that this pull renames or removes: \`${missing.join("`, `")}\`.`;
    return [error("pull-strands", message, one.place, "Pull it as well, or pull everything: `linkform pull`.")];
  });
}

function pixelsOf({ declarations }: Project): Set<string> {
  return new Set(declarations.flatMap(({ kind, name }) => (kind === "pixel" ? [fold(name)] : [])));
}
