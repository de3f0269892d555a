// Where `linkform init` writes: the project folder, the repository around it, and what is there already.

import path from "node:path";
import { repositoryOf, type GitRepository as Git } from "../config/git.ts";
import { findProjectFile, PROJECT_FILE } from "../config/project-file.ts";
import { EXIT, UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { readFrom } from "../files/location.ts";
import { exists, typeAt } from "../files/named.ts";
import type { CommonFlags, World } from "../session/context.ts";

/** The place of a project. */
export interface ProjectPlace {
  readonly folder: string;
  /** The project file's name in it. */
  readonly file: string;
  readonly isThere: boolean;
  /** A project file in a folder above, which is found from here as long as there is none; null where there is none either. */
  readonly above: string | null;
  readonly repository: RepositoryPlace | null;
}

/** The repository of git that a folder lies in. */
export interface RepositoryPlace {
  readonly root: string;
  /** The project folder from there, with `/`; empty where it is the root. */
  readonly prefix: string;
  /** What its deploys would be of. */
  readonly branch: string;
  readonly hasCommits: boolean;
  /** Where it is kept, as its address tells. */
  readonly host: "github" | "gitlab" | null;
}

/** Looks around. Throws a user error where no project file can be. */
export async function findPlace({ cwd, env }: World, { config }: CommonFlags): Promise<ProjectPlace> {
  const target = path.resolve(cwd, config ?? PROJECT_FILE);
  // Where links lead to the folder, what lies above it is above it there.
  const [{ root: folder }, file] = [new ProjectFolder(path.dirname(target)), path.basename(target)];
  const place = path.join(folder, file);
  if (typeAt({ path: place, shown: file, isConfined: true }) === "folder")
    throw new UserError("no-project", `${config ?? file} is a folder, and the project file is a file.`, {
      hint: `Name the file: --config ${path.join(config ?? file, PROJECT_FILE)}`,
      exit: EXIT.usage,
    });
  if (!/\.ya?ml$/.test(file))
    throw new UserError("wrong-config", `${file} is no name for a project file: it is written as YAML.`, {
      hint: `Name it ${file.replace(/\.[^.]*$/, "") || "linkform"}.yaml.`,
      exit: EXIT.usage,
    });
  const parent = path.dirname(folder);
  const above = parent === folder ? null : await findProjectFile(parent, undefined).catch(() => null);
  return { folder, file, isThere: exists(place), above, repository: await findRepository(folder, env) };
}

/** Git needs a folder that is there. */
async function findRepository(folder: string, env: World["env"]): Promise<RepositoryPlace | null> {
  let base = folder;
  while (!exists(base) && base !== path.dirname(base)) base = path.dirname(base);
  const git = await repositoryOf(base, env);
  if (git === null || (await lineOf(git, "rev-parse", "--git-dir")) === null) return null;
  const { root } = git;
  const prefix = path.relative(root, folder).split(path.sep).join("/");
  const address = (await lineOf(git, "remote", "get-url", "origin")) ?? "";
  const host = /github/i.test(address) ? "github" : /gitlab/i.test(address) ? "gitlab" : null;
  const hasCommits = (await lineOf(git, "rev-parse", "--verify", "--quiet", "HEAD")) !== null;
  return { root, prefix, branch: await mainBranch(git), hasCommits, host };
}

/** The remote's main branch; else one that is usually called so; else the one that is checked out. */
async function mainBranch(git: Git): Promise<string> {
  const remote = await lineOf(git, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  if (remote !== null) return remote.replace(/^origin\//, "");
  for (const usual of ["main", "master"])
    if ((await lineOf(git, "rev-parse", "--verify", "--quiet", `refs/heads/${usual}`)) !== null) return usual;
  return (await lineOf(git, "symbolic-ref", "--quiet", "--short", "HEAD")) ?? "main";
}

async function lineOf(git: Git, ...args: readonly string[]): Promise<string | null> {
  const answer = await git.run(...args);
  return "out" in answer ? answer.out.replace(/\n$/, "") : null;
}

/** Where the schemas lie that editors check files with. */
export interface Schemas {
  /** The folder, from the project folder, with `/`. */
  readonly folder: string;
  /** What must be written there first, by file; empty where a package has them. */
  readonly copies: ReadonlyMap<string, string>;
}

const SCHEMAS = ["project.schema.json", "resource.schema.json"];

/**
 * The schemas of the package that is installed for this repository; where it is installed elsewhere (for the whole machine, or for
 * one run), nobody else's files can name that place, and copies go into the repository.
 */
export async function findSchemas({ folder, repository }: ProjectPlace): Promise<Schemas | null> {
  const root = repository?.root ?? folder;
  for (let at = folder; ; at = path.dirname(at)) {
    const installed = path.join(at, "node_modules/linkform/schemas");
    if (exists(path.join(installed, "project.schema.json")))
      return { folder: path.relative(folder, installed).split(path.sep).join("/"), copies: new Map() };
    if (at === root || at === path.dirname(at)) break;
  }
  const own = ownSchemas();
  if (own === null) return null;
  const copies = await Promise.all(
    SCHEMAS.map(async (name) => {
      const bytes = await readFrom({ path: path.join(own, name), shown: name, isConfined: false });
      return [`.linkform/schemas/${name}`, bytes.toString("utf8")] as const;
    }),
  );
  return { folder: ".linkform/schemas", copies: new Map(copies) };
}

/** This package's own: beside the folder of the bundle, or above that of the source. */
function ownSchemas(): string | null {
  for (let at = import.meta.dirname; at !== path.dirname(at); at = path.dirname(at)) {
    const folder = path.join(at, "schemas");
    if (exists(path.join(folder, "project.schema.json"))) return folder;
  }
  return null;
}
