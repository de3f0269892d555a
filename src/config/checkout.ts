// The files of a folder on disk, and those that git tracks but this checkout lacks. They are not removals.

import { isCi } from "../domain/ci.ts";
import { groupBy } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { ProjectFolder } from "../files/folder.ts";
import { startOf } from "../domain/place.ts";
import type { PathEntry } from "../files/follow.ts";
import { outside, osCode, PathError } from "../files/location.ts";
import { decodeText, type Absence, type FileSource, type FileText, type SearchClock } from "./file-source.ts";
import { firstLine, repositoryOf, trustHint, type GitEnvironment } from "./git.ts";
import { entryAt, folderAt, parseListing, type Folder } from "./git-tree.ts";
import { plural } from "../domain/words.ts";

export const NOT_CHECKED_OUT = "file-not-checked-out";

export interface Absent extends Absence {
  readonly name: string;
}

/** The clock that limits a search for files, and the environment of git. */
export interface SearchContext {
  readonly clock?: SearchClock;
  readonly env: GitEnvironment;
}

/** Outside a repository, no files are missing. */
class Checkout implements FileSource {
  readonly ref = null;
  readonly isStrict = true;
  readonly clock: SearchClock | undefined;
  readonly #disk: ProjectFolder;
  readonly #env: GitEnvironment;
  #tracked: Folder = parseListing("");
  problem: FileSource["problem"] = null;

  constructor(folder: string, { clock, env }: SearchContext) {
    this.#disk = new ProjectFolder(folder);
    this.#env = env;
    this.clock = clock;
  }

  async load(): Promise<void> {
    this.#tracked = await this.#list([]);
  }

  async read(file: string): Promise<FileText> {
    try {
      return decodeText(await this.#disk.read(file), file, null);
    } catch (cause) {
      return { problem: unreadable(file, cause) };
    }
  }

  entry(path: readonly string[]): PathEntry | null {
    const isFolder = entryAt(this.#tracked, path)?.type === "folder";
    return this.#disk.entry(path) ?? (isFolder ? { type: "folder" } : null);
  }

  names(path: readonly string[]): readonly string[] {
    const tracked = entryAt(this.#tracked, path);
    if (tracked?.type !== "folder") return this.#disk.names(path);
    const here = new Set(this.#disk.entry(path) === null ? [] : this.#disk.names(path));
    // On some file systems, a file has several names.
    const isMissing = (name: string): boolean => !here.has(name) && this.#disk.entry([...path, name]) === null;
    return [...here, ...[...tracked.entries.keys()].filter(isMissing)];
  }

  isFileOutside(path: readonly string[]): boolean {
    return this.#disk.isFileOutside(path);
  }

  absence(path: readonly string[]): Absence | null {
    const tracked = entryAt(this.#tracked, path);
    if (tracked === undefined || tracked.type === "folder") return null;
    const isSubmodule = tracked.type === "submodule";
    if (this.#disk.entry(isSubmodule ? [...path, ".git"] : path) !== null) return null;
    const why = isSubmodule ? "submodule" : tracked.isSkipped ? "skipped" : isCi(this.#env) ? "ci" : null;
    return why && { why, mayBeFolder: tracked.type !== "file" };
  }

  /** The tracked files of the folder or a submodule. Outside CI, only those that can be missing without having been removed. */
  async #list(path: readonly string[]): Promise<Folder> {
    const repository = await repositoryOf([this.#disk.root, ...path].join("/"), this.#env);
    if (repository === null) return parseListing("");
    const { prefix } = repository;
    const paths = ["--", prefix === "" ? "." : prefix];
    const index = await repository.run("--literal-pathspecs", "ls-files", "-v", "-s", "-z", ...paths);
    if ("error" in index) {
      this.problem ??= { message: firstLine(index.error), hint: trustHint(index.error ?? "") };
      return parseListing("");
    }
    // The index may lack files of the commit, for example in a clone that was made without a checkout.
    const inCommit = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", "HEAD", ...paths];
    const commit = isCi(this.#env) ? await repository.run(...inCommit) : null;
    const isListed = (line: string): boolean => commit !== null || !/^H (?!160000 )/.test(line);
    const lines = index.out.split("\0").filter(isListed).join("\0");
    const listing = (commit !== null && "out" in commit ? commit.out : "") + lines;
    return this.#withSubmodules(folderAt(parseListing(listing), prefix), path);
  }

  /** Replaces submodules that are checked out by their files. No link is followed. */
  async #withSubmodules(folder: Folder, path: readonly string[]): Promise<Folder> {
    for (const [name, entry] of folder.entries) {
      const inside = [...path, name];
      if (entry.type === "folder") await this.#withSubmodules(entry, inside);
      else if (entry.type === "submodule" && this.#isCheckedOut(inside))
        folder.entries.set(name, await this.#list(inside));
    }
    return folder;
  }

  #isCheckedOut(path: readonly string[]): boolean {
    const isFolder = path.every((_, at) => this.#disk.entry(path.slice(0, at + 1))?.type === "folder");
    return isFolder && this.#disk.entry([...path, ".git"]) !== null;
  }
}

/** Opens an absolute path. Without a context, the checkout is assumed to be complete. */
export async function openFolder(folder: string, context: SearchContext | null = null): Promise<FileSource> {
  const checkout = new Checkout(folder, context ?? { env: {} });
  if (context !== null) await checkout.load();
  return checkout;
}

function unreadable(file: string, cause: unknown): Diagnostic {
  const place = startOf(file);
  if (cause instanceof PathError)
    return cause.code === "outside-project" ? linkOutside(file) : error(cause.code, cause.message, place, cause.hint);
  const code = osCode(cause);
  const [message, hint] = UNREADABLE[code] ?? [
    `This file cannot be read (${code}).`,
    "Check the file and its permissions.",
  ];
  return error("file-unreadable", message, place, hint);
}

const UNREADABLE: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOENT: [
    "This file is a symbolic link to a file that does not exist, or it was removed in the meantime.",
    "Remove the link, create the file that it points to, or run the command again.",
  ],
  EACCES: ["linkform has no permission to read this file.", "Fix its permissions."],
};

export function linkOutside(link: string): Diagnostic {
  const message = "This symbolic link leads out of the project folder.";
  return error("outside-project", message, startOf(link), outside(link).hint);
}

const HINTS: Readonly<Record<Absence["why"], (path: string) => string>> = {
  skipped: (path) =>
    `In a sparse checkout, run \`git sparse-checkout disable\`. Otherwise, run \`git update-index --no-skip-worktree ${path}\`, \`git update-index --no-assume-unchanged ${path}\` and then \`git restore ${path}\`.`,
  submodule: (path) =>
    `Run \`git submodule update --init ${path}\`. In CI, check out with \`submodules: true\` (GitLab: \`GIT_SUBMODULE_STRATEGY: normal\`).`,
  ci: () => "Check out all files. In CI, linkform treats a file as removed only if a commit removed it.",
};

/** An error for each submodule, and for each other reason why paths are missing. */
export function notCheckedOut(absent: readonly Absent[]): Diagnostic[] {
  const groups = groupBy(absent, ({ name, why }) => (why === "submodule" ? name : why));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { name, why } = first;
    const more = others.length === 0 ? "" : ` and ${plural(others.length, "more file")}`;
    const message =
      why === "submodule"
        ? `The submodule \`${name}\` is not checked out.`
        : `git tracks \`${name}\`${more}, but ${more === "" ? "it is" : "they are"} not checked out.`;
    return [error(NOT_CHECKED_OUT, message, startOf(name), HINTS[why](name))];
  });
}
