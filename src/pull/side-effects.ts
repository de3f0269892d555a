// Finds unselected blocks that a pull would change, because they use an anchor or a pixel of a selected block.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import { showKey, type Declaration, type Project } from "../domain/project.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";

/** An unselected block whose values change. */
export interface SideEffect {
  /** The declaration before the pull. */
  readonly declaration: Declaration;
  /** The top-level keys of the block that change. */
  readonly keys: ReadonlySet<string>;
}

/** The unselected blocks that the pull would change. */
export function sideEffects(before: Project, after: Project, isSelected: (one: Declaration) => boolean): SideEffect[] {
  const others = new Map(after.declarations.map((one) => [keyOf(one), one]));
  return before.declarations.flatMap((declaration) => {
    const now = others.get(keyOf(declaration));
    if (now === undefined || isSelected(now)) return [];
    const [then, since] = [textsByPath(declaration), textsByPath(now)];
    const paths = [...new Set([...then.keys(), ...since.keys()])].filter((path) => then.get(path) !== since.get(path));
    return paths.length === 0 ? [] : [{ declaration, keys: new Set(paths.map((path) => path.split(".")[0] ?? path)) }];
  });
}

/** The error for a block that must not change. */
export function sideEffectProblem({ declaration, keys }: SideEffect): Diagnostic {
  const message = `This pull would also change \`${showKey(declaration)}\` (${[...keys].join(", ")}), which you did not select.`;
  const hint = "Pull it as well, or pull everything: `linkform pull`.";
  return error("pull-sways", message, declaration.place, hint);
}

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

function keyOf(one: Declaration): string {
  return `${one.kind} ${showKey(one)}`;
}

function textsByPath({
  fields,
  utm,
  secrets,
  unspecified,
  renamedFrom,
  protect,
  owners,
  reviewBy,
}: Declaration): Map<string, string> {
  return new Map([
    ...[...fields].map(([path, { value, written }]) => [path, JSON.stringify(written ?? value)] as const),
    ...[...utm].map(([key, { value }]) => [`utm.${key}`, String(value)] as const),
    ...[...secrets].map(([path, { from, name }]) => [path, JSON.stringify([from, name])] as const),
    ["unspecified", unspecified],
    ["renamed_from", renamedFrom === null ? "" : showKey(renamedFrom)],
    ["protect", String(protect !== null)],
    ["owner", JSON.stringify(owners)],
    ["review_by", reviewBy?.text ?? ""],
  ]);
}
