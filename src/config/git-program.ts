// Running git to read a repository: no shell, no hooks, no locks, no network, and none of our secrets in its environment.

import { execFile, spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What git printed; or why it did not end well: its own words, or null where there is no git. */
export type Answer = { readonly out: Buffer } | { readonly says: string | null };

/** Git in one folder. */
export interface Git {
  run(...args: readonly string[]): Promise<Answer>;
  /** A process that reads objects; it must be closed. */
  objects(): Objects;
}

/** Git in this folder, whatever repository a hook or script around us has named in the environment. */
export function gitIn(folder: string, env: Environment): Git {
  const fixed = ["-C", folder, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
  const own = environment(env);
  return {
    run: (...args) =>
      new Promise((resolve) => {
        const options = { env: own, encoding: "buffer", maxBuffer: Infinity, windowsHide: true } as const;
        execFile("git", [...fixed, ...args], options, (problem, out, err) => {
          if (problem === null) resolve({ out });
          else resolve({ says: problem.code === "ENOENT" ? null : err.toString() });
        });
      }),
    objects: () =>
      new Objects(
        spawn("git", [...fixed, "cat-file", "--batch"], {
          env: own,
          stdio: ["pipe", "pipe", "ignore"],
          windowsHide: true,
        }),
      ),
  };
}

/** These name another repository than the one that the folder lies in (git rev-parse --local-env-vars). */
const OTHER_REPOSITORY = new Set([
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
]);

function environment(env: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("LINKFORM_") && !OTHER_REPOSITORY.has(name));
  return {
    ...Object.fromEntries(kept),
    // In the language that `problemOf` reads.
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    // What a partial clone does not have is not fetched. Older versions of git know the second only.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
  };
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
