// A git repository in a temporary folder, with its own history and without any configuration.

import { execFile } from "node:child_process";
import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./documents.ts";
import { temporaryFolder, writeFiles } from "./scenario.ts";

const run = promisify(execFile);

/** The settings that git needs without a configuration. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** Runs git and returns its output; throws if it fails. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", ["-C", folder, ...args], { env: GIT_ENV, maxBuffer: 1 << 26 });
  return stdout.trim();
}

/** Copies only the files of this work tree that git has or would add, without the tests. */
export async function copyWorkTree(folder: string, isWanted = (_file: string): boolean => true): Promise<void> {
  const listed = await git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  for (const file of listed.split("\0").filter((name) => name !== "" && !name.startsWith("test/") && isWanted(name)))
    await cp(path.join(ROOT, file), path.join(folder, file));
}

export class Repository {
  readonly folder: string;
  #written: readonly string[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  async git(...args: readonly string[]): Promise<string> {
    return git(this.folder, ...args);
  }

  /** Replaces the files that it wrote with these, commits all, and moves these refs there. Returns the commit's full name. */
  async commit(files: Readonly<Record<string, string>>, ...refs: readonly string[]): Promise<string> {
    await this.replace(files);
    return this.commitAll(...refs);
  }

  async commitAll(...refs: readonly string[]): Promise<string> {
    // One process, because tests make hundreds of commits.
    const commit = "git -c maintenance.auto=false commit --quiet --allow-empty --message change";
    const move = 'for ref; do git update-ref "$ref" HEAD; done';
    const steps = `git add --all && ${commit} && ${move} && git rev-parse HEAD`;
    return (await run("sh", ["-c", steps, "sh", ...refs], { cwd: this.folder, env: GIT_ENV })).stdout.trim();
  }

  /** Replaces the files that it wrote with these. */
  async replace(files: Readonly<Record<string, string>>): Promise<void> {
    for (const file of this.#written) await rm(path.join(this.folder, file), { force: true });
    this.#written = Object.keys(files);
    await writeFiles(this.folder, files);
  }
}

/** A repository whose first commit, with the tag `base`, has some files, and whose second commit has others. */
export async function startEdited(
  base: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Promise<Repository> {
  const repository = await startRepository();
  await repository.commit(base, "refs/tags/base");
  await repository.commit(now);
  return repository;
}

/** A new repository on the branch `main`, with no commit yet. */
export async function startRepository(format: "sha1" | "sha256" = "sha1"): Promise<Repository> {
  return repositoryIn(path.join(await temporaryFolder(), "repository"), { format });
}

/** What `git init` makes in this folder, without a process. */
export async function repositoryIn(folder: string, { branch = "main", format = "sha1" } = {}): Promise<Repository> {
  const config = `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = ${format}\n`;
  await writeFiles(path.join(folder, ".git"), { HEAD: `ref: refs/heads/${branch}\n`, config });
  for (const name of ["objects", "refs"]) await mkdir(path.join(folder, ".git", name));
  return new Repository(folder);
}
