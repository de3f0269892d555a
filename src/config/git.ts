// Runs git on a repository without shell, hooks, filters, locks and network, and without linkform's secrets in its
// environment. Git accepts any folder with the right file names as a repository, so linkform finds the repository itself.

import { execFile, spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { ProjectFolder } from "../files/folder.ts";
import { readFrom } from "../files/location.ts";
import { exists, findProgram, typeAt } from "../files/named.ts";
import { usageError } from "../errors.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** What git printed; or its error message, null if git is not installed. */
export type GitOutput = { readonly out: string } | { readonly error: string | null };

/** Every command runs in the root. */
export interface GitRepository {
  readonly root: string;
  /** The folder's path in the repository, with `/` between names and at the end; empty for the root. */
  readonly prefix: string;
  run(...args: readonly string[]): Promise<GitOutput>;
  /** A process that reads objects, or null if git is not installed. The caller must close it. */
  objects(): Objects | null;
}

/**
 * The repository that has this folder checked out, or null: the nearest folder with a `.git`, unless an outer repository has committed
 * the same files. Git commits no `.git`, so the inner one came from somewhere else, such as an archive. A bare repository is never used:
 * its files can be committed, and its configuration runs programs.
 */
export async function repositoryOf(folder: string, env: GitEnvironment): Promise<GitRepository | null> {
  const { root: real } = new ProjectFolder(folder);
  let found: GitRepository | null = null;
  for (let at = real; ; at = path.dirname(at)) {
    if (await isRoot(at)) {
      const outer = repositoryAt(at, real, env);
      if (found === null || (await isCommitted(outer, found.root))) found = outer;
    }
    if (at === path.dirname(at)) return found;
  }
}

function repositoryAt(root: string, folder: string, env: GitEnvironment): GitRepository {
  const options = { cwd: root, env: environment(root, env), maxBuffer: Infinity, windowsHide: true };
  const program = findProgram("git", env, root);
  const prefix = slashed(path.relative(root, folder));
  return {
    root,
    prefix: prefix === "" ? "" : `${prefix}/`,
    run: (...args) =>
      new Promise((resolve) => {
        if (program === null) resolve({ error: null });
        else
          execFile(program, [...SETTINGS, ...args], options, (problem, out, err) =>
            resolve(problem === null ? { out } : { error: err }),
          );
      }),
    objects: () => {
      if (program === null) return null;
      const args = [...SETTINGS, "cat-file", "--batch"];
      return new Objects(spawn(program, args, { ...options, stdio: ["pipe", "pipe", "ignore"] }));
    },
  };
}

/** Whether the last commit has files in this folder. A submodule is a commit there, not a folder. */
async function isCommitted(repository: GitRepository, folder: string): Promise<boolean> {
  const inside = slashed(path.relative(repository.root, folder));
  const line = await lineOf(repository, "--literal-pathspecs", "ls-tree", "HEAD", "--", inside);
  return line?.startsWith("040000 tree ") ?? false;
}

/** Whether git accepts the folder's `.git`: the repository itself, a link to it, or a file that names it. */
async function isRoot(folder: string): Promise<boolean> {
  const entry = path.join(folder, ".git");
  if (!exists(entry)) return false;
  const place = { path: entry, shown: entry, isConfined: true };
  if (typeAt(place) === "file") return (await readFrom(place).catch(() => "")).toString().startsWith("gitdir: ");
  const has = (name: string): boolean => exists(path.join(entry, name));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

function slashed(file: string): string {
  return file.split(path.sep).join("/");
}

/** Ignores configuration that runs programs, and repositories in folders without `.git`. */
const SETTINGS = [
  "safe.bareRepository=explicit",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.alternateRefsCommand=",
  "diff.external=",
  "status.submoduleSummary=false",
].flatMap((setting) => ["-c", setting]);

/**
 * The only variables of git that are passed on. The first three locate the configuration of the user, which sets `safe.directory` in
 * containers. The last one can only make git stricter.
 */
const KEPT = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_TEST_ASSUME_DIFFERENT_OWNER",
]);

function environment(root: string, env: GitEnvironment): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("LINKFORM_") && (!name.startsWith("GIT_") || KEPT.has(name)),
  );
  return {
    ...Object.fromEntries(kept),
    // Overrides `core.worktree` of a configuration, and excludes repositories in parent folders.
    GIT_WORK_TREE: root,
    GIT_CEILING_DIRECTORIES: path.dirname(root),
    GIT_NO_REPLACE_OBJECTS: "1",
    // The language of the messages that are matched below.
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    // Do not fetch objects that a partial clone lacks. Older versions of git know only the second variable.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Reads objects, all with one process. Callers must read one at a time. */
export class Objects {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #ended: Promise<unknown>;
  #rest: Buffer = Buffer.of();

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#chunks = child.stdout[Symbol.asyncIterator]();
    // If the process cannot start or dies, `read` returns null.
    this.#ended = once(child, "close").catch(() => undefined);
    child.stdin.on("error", () => undefined);
  }

  /** An object by its hash or another name, with its full hash; null if that is missing. */
  async read(name: string): Promise<{ readonly id: string; readonly content: Buffer } | null> {
    // Git would read several names.
    if (name.includes("\n")) return null;
    this.#rest = Buffer.of();
    this.#child.stdin.write(`${name}\n`);
    while (!this.#rest.includes("\n")) if (!(await this.#more(1))) return null;
    const [header, id, size] = /^([0-9a-f]+) [a-z]+ (\d+)\n/.exec(this.#rest.toString("latin1")) ?? [];
    if (header === undefined || id === undefined) return null;
    const end = header.length + Number(size);
    // A line break follows the content.
    const isWhole = await this.#more(end + 1 - this.#rest.length);
    return isWhole ? { id, content: this.#rest.subarray(header.length, end) } : null;
  }

  close(): Promise<unknown> {
    this.#child.stdout.destroy();
    this.#child.kill();
    return this.#ended;
  }

  /** Reads at least `count` more bytes. False at the end of the output. */
  async #more(count: number): Promise<boolean> {
    const parts = [this.#rest];
    for (let missing = count; missing > 0;) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      parts.push(next.value);
      missing -= next.value.length;
    }
    this.#rest = Buffer.concat(parts);
    return true;
  }
}

/** The files are relative to the folder of the requested file. `unknown`: why git cannot list them. */
type Tracked = { readonly files: readonly string[] } | { readonly unknown: string };

/** The tracked files at an absolute path: the file, or those below the folder. They may come from a pull request. */
export async function trackedAt(file: string, env: GitEnvironment): Promise<Tracked> {
  const repository = await repositoryOf(path.dirname(file), env).catch(() => null);
  if (repository === null) return { files: [] };
  const inside = path.posix.join(repository.prefix, path.basename(file));
  // A file system may ignore case where git does not.
  const answer = await repository.run("ls-files", "-z", "--", `:(top,icase,literal)${inside}`);
  if ("error" in answer) return { unknown: firstLine(answer.error) };
  const names = answer.out.split("\0").filter(Boolean);
  return { files: names.map((name) => path.posix.relative(repository.prefix, name)) };
}

/** What to type if the repository belongs to another user; null for other messages. */
export function trustHint(message: string): string | null {
  const folder = /safe\.directory (.+)/.exec(message)?.[1];
  return folder === undefined
    ? null
    : `If you trust this repository, run: git config --global --add safe.directory ${folder}`;
}

export function firstLine(message: string | null): string {
  return (message ?? "git is not installed").trim().split("\n")[0] ?? "";
}

/** Throws a user error for an empty name, and for one that git would read as an option. */
export function checkBaseName(ref: string): void {
  if (ref.trim() !== "" && !ref.startsWith("-") && !ref.includes("\0")) return;
  throw usageError("wrong-base", ref.trim() === "" ? "`--base` is empty." : `\`${ref}\` is not a valid base.`, {
    hint: "Pass a commit, branch or tag, such as --base origin/main.",
  });
}

/** The line that git prints; null if git fails or prints nothing. */
export async function lineOf(git: GitRepository, ...args: readonly string[]): Promise<string | null> {
  const answer = await git.run(...args);
  return "out" in answer ? answer.out.trim() || null : null;
}
