// `linkform validate`: checks the files without the network, and prints all errors.

import { findOrphans, safetySince } from "../config/base-findings.ts";
import { itemPlace, undeclaredPixels } from "../config/consistency.ts";
import { append } from "../domain/collections.ts";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../domain/diagnostic.ts";
import { nearest } from "../domain/nearest.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { Console } from "../session/console.ts";
import { exitOf, type CommonFlags, type World } from "../session/context.ts";
import type { PlanningFlags } from "../session/plan-flags.ts";
import { openBaseOf, openProject } from "../session/project.ts";

export type ValidateFlags = CommonFlags & Pick<PlanningFlags, "base">;

/** Prints the errors of the files, and with `--base` what they no longer declare. */
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
    // A file that cannot be read may contain what seems to be removed.
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

/** What only the service can check: one line for each pixel, at its first use. */
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
