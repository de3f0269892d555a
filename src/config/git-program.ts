// Running git to read a repository: no shell, no hooks, no filters, no locks, no network, and none of our secrets in its
// environment. Git would take any folder with the right names in it for a repository, so it is never left to find one.

import { execFile, spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { ProjectFolder } from "../files/folder.ts";
import { readFrom } from "../files/location.ts";
import { exists, typeAt } from "../files/named.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** The output of git; or its error message, or null where git is not installed. */
export type GitOutput = { readonly out: Buffer } | { readonly says: string | null };

/** The git repository that a folder is in. Every command runs in its root. */
export interface GitRepository {
  readonly root: string;
  /** The folder's path in the repository, with `/` between the names and at the end; empty for the root. */
  readonly prefix: string;
  run(...args: readonly string[]): Promise<GitOutput>;
  /** A process that reads objects; it must be closed. */
  objects(): Objects;
}

/**
 * The repository that has this folder checked out, or null. It is the nearest one above with a `.git`, unless a repository around
 * that one has these very files in its last commit: git commits no `.git`, so the inner one came from somewhere else, such as an
 * archive. A bare repository is never used: its files can be committed, and its configuration runs programs.
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
  const own = environment(root, env);
  const prefix = slashed(path.relative(root, folder));
  return {
    root,
    prefix: prefix === "" ? "" : `${prefix}/`,
    run: (...args) =>
      new Promise((resolve) => {
        const options = { cwd: root, env: own, encoding: "buffer", maxBuffer: Infinity, windowsHide: true } as const;
        execFile("git", [...SETTINGS, ...args], options, (problem, out, err) => {
          if (problem === null) resolve({ out });
          else resolve({ says: problem.code === "ENOENT" ? null : err.toString() });
        });
      }),
    objects: () =>
      new Objects(
        spawn("git", [...SETTINGS, "cat-file", "--batch"], {
          cwd: root,
          env: own,
          stdio: ["pipe", "pipe", "ignore"],
          windowsHide: true,
        }),
      ),
  };
}

/** Whether the last commit of a repository has files in this folder. A submodule is a commit there, not a folder. */
async function isCommitted(repository: GitRepository, folder: string): Promise<boolean> {
  const inside = slashed(path.relative(repository.root, folder));
  const answer = await repository.run("--literal-pathspecs", "ls-tree", "HEAD", "--", inside);
  return "out" in answer && answer.out.toString().startsWith("040000 tree ");
}

/** Whether a folder has a `.git` that git accepts: the repository itself, a link to it, or a file that names it. */
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

/** Turns off configuration that runs programs, and repositories in folders without `.git`. */
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
 * Of git's variables these are kept: they say where the configuration of this machine is. It belongs to who runs linkform, and
 * containers have `safe.directory` there. The last one can only make git refuse more.
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
    ...Object.fromEntries([...kept, ...trustedFolders(env)]),
    // Not the `core.worktree` of a configuration, nor a repository further up.
    GIT_WORK_TREE: root,
    GIT_CEILING_DIRECTORIES: path.dirname(root),
    GIT_NO_REPLACE_OBJECTS: "1",
    // In the language that `problemOf` reads.
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    // What a partial clone does not have is not fetched. Older versions of git know the second only.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Of the configuration in variables (GIT_CONFIG_COUNT and its keys and values) only `safe.directory` is passed on. */
function trustedFolders(env: GitEnvironment): [string, string][] {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  const folders: string[] = [];
  for (let at = 0; at < count && env[`GIT_CONFIG_KEY_${at}`] !== undefined; at += 1)
    if (env[`GIT_CONFIG_KEY_${at}`]?.toLowerCase() === "safe.directory")
      folders.push(env[`GIT_CONFIG_VALUE_${at}`] ?? "");
  return [
    ["GIT_CONFIG_COUNT", String(folders.length)],
    ...folders.flatMap((folder, at): [string, string][] => [
      [`GIT_CONFIG_KEY_${at}`, "safe.directory"],
      [`GIT_CONFIG_VALUE_${at}`, folder],
    ]),
  ];
}

/** The contents of objects, from one process for all of them. One is asked for at a time. */
export class Objects {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #ended: Promise<unknown>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#chunks = child.stdout[Symbol.asyncIterator]();
    // A process that could not begin or has died is seen by what it does not answer.
    this.#ended = once(child, "close").catch(() => undefined);
    child.stdin.on("error", () => undefined);
  }

  /** The bytes of the object with this id, or null where the repository does not have it. */
  async read(id: string): Promise<Buffer | null> {
    this.#child.stdin.write(`${id}\n`);
    const lineBreak = 0x0a;
    while (!this.#rest.includes(lineBreak)) if (!(await this.#more(1))) return null;
    const end = this.#rest.indexOf(lineBreak);
    const size = / blob (\d+)$/.exec(this.#rest.toString("utf8", 0, end))?.[1];
    this.#rest = this.#rest.subarray(end + 1);
    // A line break follows the content.
    if (size === undefined || !(await this.#more(Number(size) + 1 - this.#rest.length))) return null;
    const content = this.#rest.subarray(0, Number(size));
    this.#rest = this.#rest.subarray(Number(size) + 1);
    return content;
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    this.#child.stdout.destroy();
    this.#child.kill();
    await this.#ended;
  }

  /** Takes in so many bytes more, or tells that there are none. */
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
