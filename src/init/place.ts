// Where `linkform init` writes: the project folder, its repository, and existing files.

import path from "node:path";
import { lineOf, repositoryOf, type GitRepository as Git } from "../config/git.ts";
import { PROJECT_FILE } from "../config/project-files.ts";
import { usageError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists, typeAt } from "../files/named.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { ownSchemas, readOwnSchema, schemaName } from "../session/own-schemas.ts";

export interface ProjectPlace {
  readonly folder: string;
  readonly file: string;
  readonly exists: boolean;
  readonly repository: RepositoryPlace | null;
}

interface RepositoryPlace {
  readonly root: string;
  /** The project folder relative to the root, with `/`; empty for the root. */
  readonly prefix: string;
  readonly branch: string;
  /** Guessed from the address of `origin`. */
  readonly host: "github" | "gitlab" | null;
}

/** Throws a user error if the path cannot be a project file. */
export async function findPlace({ cwd, env }: World, { config }: CommonFlags): Promise<ProjectPlace> {
  const target = path.resolve(cwd, config ?? PROJECT_FILE);
  // Without symbolic links, so that the parent folders are the real ones.
  const { root: folder } = new ProjectFolder(path.dirname(target));
  const file = path.basename(target);
  const place = path.join(folder, file);
  if (typeAt({ path: place, shown: file, isConfined: true }) === "folder")
    throw usageError("no-project", `${config ?? file} is a folder, not a project file.`, {
      hint: `Pass a file: --config ${path.join(config ?? file, PROJECT_FILE)}`,
    });
  if (!/\.ya?ml$/.test(file))
    throw usageError("wrong-config", `${file} is not a name for a project file, which is a YAML file.`, {
      hint: `Name it ${file.replace(/\.[^.]*$/, "") || "linkform"}.yaml.`,
    });
  return { folder, file, exists: exists(place), repository: await findRepository(folder, env) };
}

/** Git only runs in a folder that exists. */
async function findRepository(folder: string, env: World["env"]): Promise<RepositoryPlace | null> {
  let base = folder;
  while (!exists(base) && base !== path.dirname(base)) base = path.dirname(base);
  const git = await repositoryOf(base, env);
  if (git === null || (await lineOf(git, "rev-parse", "--git-dir")) === null) return null;
  const { root } = git;
  const prefix = path.relative(root, folder).split(path.sep).join("/");
  const address = (await lineOf(git, "remote", "get-url", "origin")) ?? "";
  const host = /github/i.test(address) ? "github" : /gitlab/i.test(address) ? "gitlab" : null;
  return { root, prefix, branch: await mainBranch(git), host };
}

/** The default branch of `origin`, else `main` or `master`, else the current branch. */
async function mainBranch(git: Git): Promise<string> {
  const remote = await lineOf(git, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  if (remote !== null) return remote.replace(/^origin\//, "");
  for (const branch of ["main", "master"])
    if ((await lineOf(git, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`)) !== null) return branch;
  return (await lineOf(git, "symbolic-ref", "--quiet", "--short", "HEAD")) ?? "main";
}

interface Schemas {
  /** Relative to the project folder, with `/`. */
  readonly folder: string;
  /** Files to write, by name; none if the schemas are in an installed package. */
  readonly copies: readonly (readonly [file: string, text: string])[];
}

/** Of the package in this repository, else copies: any other installation has another path on each machine. */
export async function findSchemas({ folder, repository }: ProjectPlace): Promise<Schemas | null> {
  const root = repository?.root ?? folder;
  for (let at = folder; ; at = path.dirname(at)) {
    const installed = path.join(at, "node_modules/linkform/schemas");
    if (exists(path.join(installed, schemaName("project"))))
      return { folder: path.relative(folder, installed).split(path.sep).join("/"), copies: [] };
    if (at === root || at === path.dirname(at)) break;
  }
  if (ownSchemas() === null) return null;
  const folderOfCopies = ".linkform/schemas";
  const kinds = ["project", "resource"] as const;
  const copies = kinds.map(
    async (kind) => [`${folderOfCopies}/${schemaName(kind)}`, await readOwnSchema(kind)] as const,
  );
  return { folder: folderOfCopies, copies: await Promise.all(copies) };
}
