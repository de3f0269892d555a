// Finds project files: the one of a folder, and those that the values of `--config` name, which are paths and globs.

import path from "node:path";
import { visible } from "../domain/control-characters.ts";
import { errorsIn } from "../domain/diagnostic.ts";
import { startOf } from "../domain/place.ts";
import { UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists, locateNamed, typeAt } from "../files/named.ts";
import { NOT_CHECKED_OUT, openFolder, type SearchContext } from "./checkout.ts";
import { findFiles } from "./find-files.ts";

export const PROJECT_FILE = "linkform.yaml";

/**
 * The absolute path of `config`, which is relative to `cwd`, or of the nearest linkform.yaml in `cwd` and its parents. Throws a user error
 * if there is none.
 */
export async function findProjectFile(cwd: string, config: string | undefined): Promise<string> {
  if (config !== undefined) {
    const found = typeOf(cwd, config);
    if (found === "missing")
      throw noProject(`The project file ${config} does not exist.`, "Check the path in --config.");
    if (found === "folder")
      throw noProject(`${config} is not a file.`, `Pass the file: --config ${path.join(config, PROJECT_FILE)}`);
    return path.resolve(cwd, config);
  }
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const found = new ProjectFolder(folder).resolve(PROJECT_FILE);
    const isAbsent = "type" in found && (found.type === "missing" ? found.link === null : found.type === "folder");
    // An unreadable file is an error, because another project must not be used instead.
    if (!isAbsent) return path.join(folder, PROJECT_FILE);
    if (folder === path.dirname(folder)) break;
  }
  const hint =
    "Change to the folder of your project, or pass the project file with --config. To start a new project, run `linkform init`.";
  throw noProject(`${PROJECT_FILE} was not found in this folder or any parent folder.`, hint);
}

function noProject(message: string, hint: string): UserError {
  return new UserError("no-project", message, { hint });
}

/** The absolute path of a project file. `named` may be its folder. Throws a user error if there is none. */
export async function projectFileAt(named: string): Promise<string> {
  const cwd = path.resolve();
  const file = path.resolve(typeOf(cwd, named) === "folder" ? path.join(named, PROJECT_FILE) : named);
  if (!["folder", "missing"].includes(typeOf(cwd, file))) return file;
  const hint = `Pass the path of a project file, or of a folder that contains ${PROJECT_FILE}.`;
  throw noProject(`The project file ${file} does not exist.`, hint);
}

/** A link that leads out of the project folder counts as a file, and reading it reports the error. */
function typeOf(cwd: string, named: string): ReturnType<typeof typeAt> {
  const file = path.resolve(cwd, named);
  // A link to the folder is followed, unless it leads out of the checkout.
  const folder = locateNamed(cwd, path.dirname(file)).path;
  const found = new ProjectFolder(folder).resolve(path.basename(file));
  return "unresolved" in found ? "file" : found.type;
}

type Search = SearchContext & { readonly cwd: string };

/** Unless a file has exactly this name. */
export function isConfigGlob(cwd: string, config: string): boolean {
  return /[*?{]/.test(config) && !exists(path.resolve(cwd, config));
}

/**
 * The paths of the project files, relative to `cwd` with `/`: paths as they are written, and the matches of each glob in the order of
 * their names. Each file is named once. Throws a user error for a glob that is not valid, leads out of `cwd`, or matches nothing.
 */
export async function findProjectFiles(search: Search, configs: readonly string[]): Promise<string[]> {
  const { cwd } = search;
  const files = new Map<string, string>();
  for (const config of configs) {
    const named = isConfigGlob(cwd, config)
      ? await matches(search, [config], true)
      : [config.split(path.sep).join("/")];
    for (const file of named) {
      const absolute = path.resolve(cwd, file);
      if (!files.has(absolute)) files.set(absolute, file);
    }
  }
  return [...files.values()];
}

/** The project files in `cwd` and below. */
export async function projectsBelow(search: Search): Promise<string[]> {
  return matches(search, ["**/linkform.yaml", "**/linkform.*.yaml"], false);
}

/**
 * `isFlag`: the globs are those of `--config`. Throws a user error for a glob that is not valid or matches nothing, and for a project
 * file that is not checked out.
 */
async function matches(search: Search, patterns: readonly string[], isFlag: boolean): Promise<string[]> {
  const place = isFlag ? startOf("--config") : null;
  const globs = patterns.map((pattern) => ({ pattern, place }));
  const { files, diagnostics } = findFiles(await openFolder(search.cwd, search), "--config", globs, isFlag);
  const [problem] = errorsIn(diagnostics);
  if (problem === undefined) return files;
  const { code, message, hint, place: at } = problem;
  if (code === NOT_CHECKED_OUT)
    throw new UserError(code, message, {
      hint: `${hint} To leave it out, name the other project files with --config.`,
    });
  if (!isFlag) throw new UserError(code, message, { hint: "Name the project files with --config." });
  const where = at === null || at.file === "--config" ? "" : `${visible(at.file)}: `;
  throw new UserError(code === "no-such-files" ? "no-project" : code, `--config: ${where}${message}`, {
    hint: "Correct the glob in --config. It is relative to the working directory and cannot lead out of it.",
  });
}

/**
 * The name of the project with this path of its file in the repository: its folder, or the file without its extension if it has another
 * name or is at the root. Tags are named after it, so `-` replaces what a tag cannot have, and `/`: git cannot have both `a` and `a/b`.
 */
export function projectName(file: string): string {
  const folder = path.posix.dirname(file);
  const base = path.posix.basename(file).replace(/\.ya?ml$/, "");
  const inside = folder.split("/").filter((part) => part !== "." && part !== "..");
  const parts = base === "linkform" && inside.length > 0 ? inside : [...inside, base];
  return parts
    .join("-")
    .replaceAll(/[^\p{L}\p{N}._@+-]+/gu, "-")
    .replaceAll(/\.(?=\.|(?:lock)?$)/g, "-");
}

/** Replaces `{project}` in a base, so that each project can have its own. `applied-{project}` is the tag that is used without a base. */
export function baseFor(base: string, file: string): string {
  return base.replaceAll("applied-{project}", () => appliedTag(file)).replaceAll("{project}", () => projectName(file));
}

/**
 * The tag of the last applied commit. Each project has its own: with a shared one, the deploy of one project would hide pending deletions of
 * another.
 */
export function appliedTag(file: string): string {
  return file === "linkform.yaml" ? "applied" : `applied-${projectName(file)}`;
}
