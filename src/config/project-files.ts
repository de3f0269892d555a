// The project files that the values of `--config` name: paths, and globs from the working directory.

import path from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { visible } from "../domain/control-characters.ts";
import { UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists } from "../files/named.ts";
import { Checkout, NOT_CHECKED_OUT } from "./checkout.ts";
import type { SearchContext } from "./file-source.ts";
import { findFiles } from "./find-files.ts";

/** Where to search for project files. */
type Search = SearchContext & { readonly cwd: string };

/** A value with one of these characters is a glob, unless a file has exactly this name. */
const WILDCARD = /[*?{]/;

export function isConfigGlob(cwd: string, config: string): boolean {
  return WILDCARD.test(config) && !exists(path.resolve(cwd, config));
}

/**
 * The paths of the project files, relative to `cwd` with `/`: paths as they are written, then the matches of each glob in the order of
 * their names. Each file is named once. Throws a user error for a glob that is not valid, leads out of `cwd`, or matches nothing.
 */
export async function findProjectFiles(search: Search, configs: readonly string[]): Promise<string[]> {
  const { cwd } = search;
  const files = new Map<string, string>();
  for (const config of configs) {
    const named = isConfigGlob(cwd, config) ? await matches(search, config) : [config.split(path.sep).join("/")];
    for (const file of named) {
      const absolute = path.resolve(cwd, file);
      if (!files.has(absolute)) files.set(absolute, file);
    }
  }
  return [...files.values()];
}

/** The project files in `cwd` and below. */
export async function projectsBelow({ cwd, clock, env }: Search): Promise<string[]> {
  const globs = ["**/linkform.yaml", "**/linkform.*.yaml"].map((pattern) => ({ pattern, place: null }));
  const tree = await Checkout.open(new ProjectFolder(cwd), env);
  const { files, diagnostics } = await findFiles(tree, "--config", globs, { isStrict: false, clock });
  const [problem] = diagnostics;
  if (problem === undefined) return files;
  refuseMissing(problem);
  throw new UserError(problem.code, problem.message, { hint: "Name the project files with --config." });
}

async function matches({ cwd, clock, env }: Search, pattern: string): Promise<string[]> {
  const place = { file: "--config", line: 1, column: 1 };
  const globs = [{ pattern, place }];
  const tree = await Checkout.open(new ProjectFolder(cwd), env);
  const { files, diagnostics } = await findFiles(tree, "--config", globs, { isStrict: true, clock });
  const problem = diagnostics.find(({ severity }) => severity === "error");
  if (problem === undefined) return files.toSorted(compareText);
  refuseMissing(problem);
  const where = problem.place === null || problem.place.file === "--config" ? "" : `${visible(problem.place.file)}: `;
  throw new UserError(
    problem.code === "no-such-files" ? "no-project" : problem.code,
    `--config: ${where}${problem.message}`,
    { hint: "Correct the glob in --config. It is relative to the working directory and cannot lead out of it." },
  );
}

/** Throws a user error for a project file that is not checked out. */
function refuseMissing({ code, message, hint }: Diagnostic): void {
  if (code !== NOT_CHECKED_OUT) return;
  throw new UserError(code, message, { hint: `${hint} To leave it out, name the other project files with --config.` });
}

/**
 * The name of a project, from the path of its file in the repository: its folder, or the file without its extension if it has another
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

/**
 * Replaces `{project}` in a base by the name of the project, by the path of its file in the repository: each project can have its own
 * base. `applied-{project}` is the tag that is used without a base.
 */
export function baseFor(base: string, file: string): string {
  return base.replaceAll("applied-{project}", () => appliedTag(file)).replaceAll("{project}", () => projectName(file));
}

/**
 * The tag of the last applied commit of a project, by the path of its file in the repository. Each project has its own: with a shared
 * one, the deploy of one project would hide pending deletions of another.
 */
export function appliedTag(file: string): string {
  return file === "linkform.yaml" ? "applied" : `applied-${projectName(file)}`;
}
