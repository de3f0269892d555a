// `linkform validate`: files only, no network; every mistake at once.

import { findOrphans } from "../config/orphans.ts";
import { safetySince } from "../config/safety.ts";
import { itemPlace, undeclaredPixels } from "../config/rules.ts";
import { append } from "../domain/collections.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { nearest } from "../domain/nearest.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { Console } from "../session/console.ts";
import { exitOf, type CommonFlags, type World } from "../session/context.ts";
import { diagnosticOf } from "../config/located-error.ts";
import type { PlanningFlags } from "../session/plan-flags.ts";
import { openBaseOf, openProject } from "../session/project.ts";

export type ValidateFlags = CommonFlags & Pick<PlanningFlags, "base">;

/** Says what is wrong with the files; with `--base`, also what they no longer declare. */
export async function validate(world: World, flags: ValidateFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "validate");
  const found: Diagnostic[] = [];
  let files = 0;
  let exit: ExitCode = EXIT.done;
  try {
    const opened = await openProject(world, flags);
    files = opened.files.length;
    append(found, opened.diagnostics);
    append(found, unchecked(opened.declarations));
    if (hasErrors(found)) exit = EXIT.error;
    const base = flags.base === undefined ? null : await openBaseOf(world, flags.base, opened);
    // What can't be read may be what seems to be gone.
    if (base !== null && opened.project !== null) {
      append(found, safetySince(base, opened.project));
      append(found, findOrphans(base, opened.project, opened.files));
    }
  } catch (cause) {
    const problem = diagnosticOf(cause);
    if (problem === null) throw cause;
    found.push(problem);
    exit = exitOf(cause);
  }
  const diagnostics = sortDiagnostics(found);
  const isWritten = await out.result({ of: "validate", isValid: exit === EXIT.done, files, diagnostics });
  return isWritten ? exit : EXIT.error;
}

/** What can't be checked without the service, said plainly: one line for each pixel, at its first use. */
function unchecked(declarations: Parameters<typeof undeclaredPixels>[0]): Diagnostic[] {
  const told = new Set<string>();
  const pixels = declarations.flatMap((one) => (one.kind === "pixel" ? [one.name] : []));
  return undeclaredPixels(declarations).flatMap(({ name, link }) => {
    if (told.has(name)) return [];
    told.add(name);
    const meant = nearest(name, pixels);
    const message = `No file declares the pixel \`${name}\`: whether it is live can't be checked here, \`linkform plan\` does.`;
    return [
      {
        code: "pixel-not-declared",
        severity: "info",
        message,
        place: itemPlace(link, name),
        hint: meant === null ? null : `Did you mean \`${meant}\`?`,
      },
    ];
  });
}
