// Finding and reading files: the project file, its resource files, and nothing outside the project folder.

import * as fs from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { glob } from "tinyglobby";
import { UserError } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { compareText } from "../domain/place.ts";
import { leavesFolder } from "./field-schema.ts";

/** The name a project file has unless `--config` names another. */
const PROJECT_FILE = "linkform.yaml";

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
    const text = decode(bytes);
    if (text !== null) return { text };
    const message = "This is no UTF-8 text from here on.";
    return { problem: error("file-encoding", message, firstNonText(bytes, file), "Save the file as UTF-8.") };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const [message, hint] = UNREADABLE.get(code) ?? [`This file can't be read (${code}).`, "Check the file."];
    return { problem: error("file-unreadable", message, place, hint) };
  }
}

const UNREADABLE = new Map<string, [message: string, hint: string]>([
  ["EACCES", ["There is no permission to read this file.", "Correct its permissions."]],
  ["EISDIR", ["This is a folder, not a file.", "Name the file in it."]],
  ["ELOOP", ["This file is a link that leads back to itself.", "Put the file itself here."]],
  ["ENOENT", ["This file is a link to one that does not exist.", "Remove the link, or put the file where it leads."]],
]);

/** Text without its byte order mark, or null for what is no UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where the first bytes stand that are no UTF-8: no character spans a line break, so lines can be tried one by one. */
function firstNonText(bytes: Uint8Array, file: string): Place {
  const lineBreak = 0x0a;
  let start = 0;
  for (let line = 1; ; line += 1) {
    const next = bytes.indexOf(lineBreak, start);
    const part = bytes.subarray(start, next < 0 ? bytes.length : next);
    if (decode(part) === null || next < 0)
      return { file, line, column: new TextDecoder().decode(part).indexOf("\uFFFD") + 1 || 1 };
    start = next + 1;
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
    const problem = globProblem(pattern, place);
    if (problem !== null) {
      diagnostics.push(problem);
      continue;
    }
    const matches = await glob(pattern, {
      cwd: folder,
      ignore: ["**/node_modules/**"],
      expandDirectories: false,
      fs: { realpath: realpathOrItself, stat: statOrItself },
    });
    if (matches.length === 0 && place !== null) {
      const hint = "Correct the glob, or remove it; for a whole folder write `folder/**/*.yaml`.";
      diagnostics.push(error("no-such-files", `\`${pattern}\` matches no file.`, place, hint));
    }
    for (const match of matches) if (match !== projectFile) files.add(match);
  }
  const root = await realpath(folder);
  // A file that is reached in two ways is one file; the first way by name is the one that is shown.
  const byRealPath = new Map<string, string>();
  for (const file of [...files].toSorted(compareText)) {
    const real = await realpath(path.join(folder, file)).catch(() => path.join(root, file));
    if (isOutside(root, real)) {
      const message = "This file is a link that leads out of the project folder.";
      diagnostics.push(error("outside-project", message, { file, line: 1, column: 1 }, "Put the file itself here."));
    } else if (!byRealPath.has(real) && real !== path.join(root, projectFile)) byRealPath.set(real, file);
  }
  return { files: [...byRealPath.values()], diagnostics };
}

type Call<Result> = (problem: Error | null, result: Result) => void;

/** A link that leads nowhere is passed over by the search unless it is taken for a file, and must not be: see `readText`. */
const realpathOrItself = Object.assign((file: string, call: Call<string>): void => {
  fs.realpath(file, (problem, real) => call(null, problem === null ? real : file));
}, fs.realpath);

const statOrItself = Object.assign((file: string, call: Call<fs.Stats>): void => {
  fs.stat(file, (problem, found) => (problem === null ? call(null, found) : fs.lstat(file, call)));
}, fs.stat);

function globProblem(pattern: string, place: Place | null): Diagnostic | null {
  if (leavesFolder(pattern)) {
    const message = `\`${pattern}\` leaves the project folder.`;
    return error("outside-project", message, place, "Move the files below the project file.");
  }
  if (!pattern.startsWith("!")) return null;
  const hint = "Name the files to read, one glob for each folder.";
  return error("wrong-type", `\`${pattern}\` excludes files, which a glob here can't do.`, place, hint);
}

function isOutside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}
