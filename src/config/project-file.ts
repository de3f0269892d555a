// Finding the project file.

import { stat } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../errors.ts";

/** The name a project file has unless `--config` names another. */
export const PROJECT_FILE = "linkform.yaml";

/**
 * The absolute path of the project file: `config` as given, relative to `cwd`, or the nearest linkform.yaml from `cwd`
 * upwards. Throws a user error where there is none.
 */
export async function findProjectFile(cwd: string, config: string | undefined): Promise<string> {
  if (config !== undefined) {
    const named = path.resolve(cwd, config);
    const found = await stat(named).catch(() => null);
    if (found === null)
      throw new UserError("no-project", `The project file ${config} does not exist.`, { hint: "Correct --config." });
    if (!found.isFile())
      throw new UserError("no-project", `${config} is not a file.`, {
        hint: `Name the file: --config ${path.join(config, PROJECT_FILE)}`,
      });
    return named;
  }
  let inTheWay: string | null = null;
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, PROJECT_FILE);
    const found = await stat(candidate).catch(() => null);
    if (found?.isFile() === true) return candidate;
    if (found?.isDirectory() === true) inTheWay ??= candidate;
    if (folder === path.dirname(folder)) break;
  }
  if (inTheWay !== null)
    throw new UserError("no-project", `${inTheWay} is a folder, and the project file is a file.`, {
      hint: "Give the folder another name, or name the file with --config.",
    });
  throw new UserError("no-project", `There is no ${PROJECT_FILE} here or in a folder above.`, {
    hint: "Go to the folder of your project, or name the file with --config. `linkform init` begins a project.",
  });
}

/**
 * The absolute path of a project file that is named by itself or by its folder. Throws a user error where there is none.
 */
export async function projectFileAt(named: string): Promise<string> {
  const isFolder = (await stat(named).catch(() => null))?.isDirectory() === true;
  const file = isFolder ? path.resolve(named, PROJECT_FILE) : path.resolve(named);
  if ((await stat(file).catch(() => null))?.isFile() === true) return file;
  throw new UserError("no-project", `There is no project file ${file}.`, {
    hint: `Name the file, or a folder that has a ${PROJECT_FILE}.`,
  });
}
