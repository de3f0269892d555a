// Finds the project file.

import path from "node:path";
import { UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { locateNamed, typeAt } from "../files/named.ts";

/** The name of a project file, unless `--config` sets another. */
export const PROJECT_FILE = "linkform.yaml";

/**
 * The absolute path of the project file: `config`, relative to `cwd`, or the nearest linkform.yaml in `cwd` and its parents.
 * Throws a user error if there is none.
 */
export async function findProjectFile(cwd: string, config: string | undefined): Promise<string> {
  if (config !== undefined) {
    const named = path.resolve(cwd, config);
    const found = typeOf(cwd, config);
    if (found === "missing")
      throw new UserError("no-project", `The project file ${config} does not exist.`, {
        hint: "Check the path in --config.",
      });
    if (found === "folder")
      throw new UserError("no-project", `${config} is not a file.`, {
        hint: `Pass the file: --config ${path.join(config, PROJECT_FILE)}`,
      });
    return named;
  }
  let folderInstead: string | null = null;
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, PROJECT_FILE);
    const found = new ProjectFolder(folder).resolve(PROJECT_FILE);
    // An unreadable file is an error, because another project must not be used instead.
    if ("unresolved" in found || found.type === "file" || found.type === "other") return candidate;
    if (found.type === "missing" && found.link !== null) return candidate;
    if (found.type === "folder") folderInstead ??= candidate;
    if (folder === path.dirname(folder)) break;
  }
  if (folderInstead !== null)
    throw new UserError("no-project", `${folderInstead} is a folder, but the project file must be a file.`, {
      hint: "Rename the folder, or pass the project file with --config.",
    });
  throw new UserError("no-project", `${PROJECT_FILE} was not found in this folder or any parent folder.`, {
    hint: "Change to the folder of your project, or pass the project file with --config. To start a new project, run `linkform init`.",
  });
}

/** The absolute path of a project file, from its path or that of its folder. Throws a user error if there is none. */
export async function projectFileAt(named: string): Promise<string> {
  const cwd = path.resolve();
  const file = path.resolve(typeOf(cwd, named) === "folder" ? path.join(named, PROJECT_FILE) : named);
  if (!["folder", "missing"].includes(typeOf(cwd, file))) return file;
  throw new UserError("no-project", `The project file ${file} does not exist.`, {
    hint: `Pass the path of a project file, or of a folder that contains ${PROJECT_FILE}.`,
  });
}

/** The type of a path. A link that leads out of the project folder counts as a file, and reading it reports the error. */
function typeOf(cwd: string, named: string): ReturnType<typeof typeAt> {
  const file = path.resolve(cwd, named);
  // A link to the folder is followed, unless it leads out of the checkout.
  const folder = locateNamed(cwd, path.dirname(file)).path;
  const found = new ProjectFolder(folder).resolve(path.basename(file));
  return "unresolved" in found ? "file" : found.type;
}
