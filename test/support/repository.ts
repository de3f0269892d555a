// A git repository in a temporary folder, with its own history and without any configuration.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
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

  constructor(folder: string) {
    this.folder = folder;
  }

  async git(...args: readonly string[]): Promise<string> {
    return git(this.folder, ...args);
  }

  /** Replaces the files of the work tree by these, and commits them. Returns the commit's full name. */
  async commit(files: Readonly<Record<string, string>>): Promise<string> {
    await this.replace(files);
    return this.commitAll();
  }

  async commitAll(): Promise<string> {
    // One process, because tests make hundreds of commits.
    const commit = "git -c maintenance.auto=false commit --quiet --allow-empty --message change";
    const steps = `git add --all && ${commit} && git rev-parse HEAD`;
    return (await run("sh", ["-c", steps], { cwd: this.folder, env: GIT_ENV })).stdout.trim();
  }

  /** Replaces the files of the work tree by these. */
  async replace(files: Readonly<Record<string, string>>): Promise<void> {
    const tracked = existsSync(path.join(this.folder, ".git/index")) ? await this.git("ls-files", "-z") : "";
    for (const file of tracked.split("\0").filter((name) => name !== ""))
      await rm(path.join(this.folder, file), { force: true });
    await writeFiles(this.folder, files);
  }
}

/** A repository whose first commit, with the tag `base`, has some files, and whose second commit has others. */
export async function startEdited(
  base: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Promise<Repository> {
  const repository = await startRepository();
  await repository.commit(base);
  await repository.git("tag", "base");
  await repository.commit(now);
  return repository;
}

/** A new repository on the branch `main`, with no commit yet. */
export async function startRepository(format: "sha1" | "sha256" = "sha1"): Promise<Repository> {
  const folder = path.join(await temporaryFolder(), "repository");
  await mkdir(folder);
  await git(folder, "init", "--quiet", "--template=", "--initial-branch=main", `--object-format=${format}`);
  return new Repository(folder);
}
