// The files of a project that a command line names.

import path from "node:path";
import { visible } from "../domain/control-characters.ts";
import { EXIT, UserError } from "../errors.ts";
import type { OpenedProject } from "../session/project.ts";

/** The paths of these files in the project; null for all. Throws a user error for a file that the project does not read. */
export function chosenFiles(
  names: readonly string[],
  { folder, file, files, globs }: OpenedProject,
  cwd: string,
): ReadonlySet<string> | null {
  if (names.length === 0) return null;
  const chosen = names.map((name) => {
    const inProject = path.relative(folder, path.resolve(cwd, name)).replaceAll(path.sep, "/");
    if (files.includes(inProject)) return inProject;
    throw new UserError("not-in-project", `\`${visible(name)}\` is not a file of this project.`, {
      hint: `${file} reads ${globs.map((glob) => `\`${glob}\``).join(", ")}. To choose another project file, use --config FILE.`,
      exit: EXIT.usage,
    });
  });
  return new Set(chosen);
}
