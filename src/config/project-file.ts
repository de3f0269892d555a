// Finding and reading files: the project file, its resource files, and nothing outside the project folder.

import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { glob } from "tinyglobby";
import { UserError } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { compareText } from "../domain/place.ts";

/** The name a project file has unless `--config` names another. */
const PROJECT_FILE = "linkform.yaml";

/** Resource files that are read where the project names none. */
export const DEFAULT_FILES: readonly string[] = ["links/**/*.yaml"];

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
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, PROJECT_FILE);
    if (await isFile(candidate)) return candidate;
    if (folder === path.dirname(folder)) break;
  }
  throw new UserError("no-project", `There is no ${PROJECT_FILE} here or in a folder above.`, {
    hint: "Go to the folder of your project, or name the file with --config.",
  });
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A file's text without its byte order mark, or what keeps it from being read. */
export async function readText(folder: string, file: string): Promise<{ text: string } | { problem: Diagnostic }> {
  const place: Place = { file, line: 1, column: 1 };
  try {
    const bytes = await readFile(path.join(folder, file));
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    if (cause instanceof TypeError)
      return { problem: error("file-encoding", "This file is not UTF-8.", place, "Save it as UTF-8.") };
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    return {
      problem: error(
        "file-unreadable",
        `This file can't be read (${code}).`,
        place,
        "Check that it is a file, and its permissions.",
      ),
    };
  }
}

/** A glob of the project file, and where it stands; null where it is the default. */
export interface FileGlob {
  readonly pattern: string;
  readonly place: Place | null;
}

/**
 * The resource files that the globs name, relative to the folder, sorted. A named glob that matches nothing, one that
 * leaves the folder, and a file that a link leads out of it are errors.
 */
export async function findResourceFiles(
  folder: string,
  projectFile: string,
  globs: readonly FileGlob[],
): Promise<{ files: string[]; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const files = new Set<string>();
  for (const { pattern, place } of globs) {
    if (path.isAbsolute(pattern) || pattern.split(/[\\/]/).includes("..")) {
      diagnostics.push(
        error(
          "outside-project",
          `\`${pattern}\` leaves the project folder.`,
          place,
          "Move the files below the project file.",
        ),
      );
      continue;
    }
    const matches = await glob(pattern, { cwd: folder, ignore: ["**/node_modules/**"], expandDirectories: false });
    if (matches.length === 0 && place !== null) {
      diagnostics.push(
        error("no-such-files", `\`${pattern}\` matches no file.`, place, "Correct the glob, or remove it."),
      );
    }
    for (const match of matches) if (match !== projectFile) files.add(match);
  }
  const sorted = [...files].toSorted(compareText);
  const root = await realpath(folder);
  for (const file of sorted) {
    const real = await realpath(path.join(folder, file)).catch(() => root);
    if (path.relative(root, real).startsWith("..")) {
      diagnostics.push(
        error(
          "outside-project",
          "This file is a link that leads out of the project folder.",
          { file, line: 1, column: 1 },
          "Put the file itself here.",
        ),
      );
      files.delete(file);
    }
  }
  return { files: sorted.filter((file) => files.has(file)), diagnostics };
}
