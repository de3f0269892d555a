// Reads what a project's files declared at a commit, the base. The work tree and the index are neither read nor changed.

import type { Base } from "../domain/change.ts";
import { compareText, showPlace, startOf } from "../domain/place.ts";
import type { InheritedProject, Project } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import { LocatedError } from "./located-error.ts";
import {
  checkBaseName,
  firstLine,
  lineOf,
  repositoryOf,
  trustHint,
  type GitEnvironment,
  type GitRepository,
  type Objects,
} from "./git.ts";
import { globsIn, loadFrom, readAddress } from "./load.ts";
import { error, errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import { follow, type PathEntry } from "../files/follow.ts";
import { findFiles } from "./find-files.ts";
import { entryAt, folderAt, parseListing, type Folder } from "./git-tree.ts";
import { decodeText, type FileSource, type FileText } from "./file-source.ts";

export type OpenedBase = Base & {
  /** Null if the base lacks the project file, which means that nothing was declared. */
  readonly project: Project | null;
  /** Other projects whose protection counts, too. */
  readonly inherited: readonly InheritedProject[];
  /** The base has commits that HEAD does not have, so the files lack what these commits declare. */
  readonly isAhead: boolean;
  /** The errors in the files of the base, if what could be read counts. */
  readonly problem: LocatedError | null;
  /** Not all keys could be read, so what was removed since is not fully known. */
  readonly isPartial: boolean;
  /** The findings of the base; empty if no lint rules ran. */
  readonly findings: readonly Diagnostic[];
};

/** The ref of a flag, or a commit with the name to show. */
export type WantedBase = string | Base;

interface ProjectOnDisk {
  readonly folder: string;
  /** The name of the project file in the folder. */
  readonly file: string;
}

/**
 * Reads a project as it was at a base. Throws a user error if git does not have the commit, or its settings cannot be read. `addresses` are
 * those of the service in the files on disk and in flags. With `now`, lint rules run on the files of the base.
 */
export async function openBase(
  { folder, file: projectFile, addresses }: ProjectOnDisk & { readonly addresses: readonly string[] },
  base: WantedBase,
  env: GitEnvironment,
  now: string | null = null,
): Promise<OpenedBase> {
  return atBase(folder, base, env, async ({ git, commit, listing, objects, open, files }) => {
    const own = files.has(projectFile)
      ? await loadAt(files, projectFile, "", now)
      : { project: null, findings: [], problem: null, isPartial: false };
    const others = projectFilesIn(listing, projectFile).filter((path) => path !== git.prefix + projectFile);
    const inherited = await inheritedBy(own.project, others, git.prefix, open, addresses);
    return {
      ...commit,
      ...own,
      inherited,
      isAhead: await isAheadOfHead(git, objects, commit.commit),
      problem: own.problem ?? inherited.find((one) => one.problem !== null)?.problem ?? null,
      isPartial: own.isPartial || inherited.some((one) => one.isPartial),
    };
  });
}

interface ComparedFiles {
  readonly git: GitRepository;
  readonly commit: string;
  readonly differing: readonly string[];
  readonly committed: ReadonlySet<string>;
}

type ProjectTexts = ProjectOnDisk & { readonly texts: ReadonlyMap<string, string> };

/**
 * The files that differ from a commit in more than line endings, which git may convert, or that only one of the two has. Throws a user error
 * if git cannot read them.
 */
export async function compareFiles(
  { folder, file: projectFile, texts }: ProjectTexts,
  base: WantedBase,
  env: GitEnvironment,
): Promise<ComparedFiles> {
  return atBase(folder, base, env, async ({ git, commit: { commit, ref }, files }) => {
    const then = new Map<string, string>();
    const own = files.has(projectFile)
      ? [projectFile, ...findFiles(files, projectFile, await globsIn(files, projectFile)).files]
      : [];
    // The commit may have a file that its project did not read yet.
    for (const file of new Set([...own, ...texts.keys()])) {
      const read = await files.read(file);
      if ("text" in read) then.set(file, read.text);
    }
    if (files.isIncomplete) throw incomplete(ref);
    const unified = (text: string | undefined): string | undefined => text?.replaceAll("\r\n", "\n");
    const all = new Set([...texts.keys(), ...then.keys()]);
    const differing = [...all].filter((file) => unified(texts.get(file)) !== unified(then.get(file)));
    return { git, commit, differing, committed: new Set(then.keys()) };
  });
}

/**
 * The files that differ from the last commit or are missing now; none outside a repository or without git. Throws a user error if git
 * cannot read the commit, for example because the repository belongs to another user.
 */
export async function uncommitted(project: ProjectTexts, env: GitEnvironment): Promise<string[]> {
  const git = await repositoryOf(project.folder, env);
  if (git === null) return [];
  const head = await git.run("rev-parse", "--verify", "--quiet", "HEAD");
  // There is no commit, or git is not installed.
  if ("error" in head && (head.error ?? "") === "") return [];
  const { differing, committed } = await compareFiles(project, "HEAD", env);
  return differing.filter((file) => committed.has(file));
}

interface OpenCommit {
  readonly git: GitRepository;
  readonly commit: Base;
  /** What `git ls-tree` prints. */
  readonly listing: string;
  readonly objects: Objects;
  readonly files: CommitFiles;
  /** Opens another folder of the repository. */
  readonly open: Open;
}

/** Opens a base while `use` runs. Throws a user error if git cannot read it. */
export async function atBase<Result>(
  folder: string,
  base: WantedBase,
  env: GitEnvironment,
  use: (opened: OpenCommit) => Promise<Result>,
): Promise<Result> {
  const wanted = typeof base === "string" ? { ref: base, commit: base } : base;
  const { ref } = wanted;
  checkBaseName(ref);
  const git = await repositoryOf(folder, env);
  if (git === null) throw noRepository();
  const objects = git.objects();
  if (objects === null) throw gitError(null);
  try {
    const commit = await commitOf(git, objects, wanted.commit, env);
    const tree = await git.run("ls-tree", "-r", "-z", "--full-tree", commit);
    if ("error" in tree) throw incomplete(ref);
    const root = parseListing(tree.out);
    const open: Open = async (prefix) => new CommitFiles(folderAt(root, prefix), objects, ref).load();
    const files = await open(git.prefix);
    return await use({ git, commit: { ...wanted, commit }, listing: tree.out, objects, files, open });
  } finally {
    await objects.close();
  }
}

/** With more deploys since the base, reading everything costs less than loading the files of each. */
const MOST_DEPLOYS = 20;

/**
 * The projects of the commits between a base and HEAD, which may have been deployed in part, but not those whose files have errors. Null if
 * they are too many, or a clone lacks some of them. `base` is a commit.
 */
export async function projectsSince(
  { folder, file: projectFile }: ProjectOnDisk,
  base: string,
  env: GitEnvironment,
): Promise<readonly Project[] | null> {
  const git = await repositoryOf(folder, env);
  if (git === null || (await isShallow(git)) !== "false") return null;
  const listed = await git.run("rev-list", "--first-parent", `--max-count=${MOST_DEPLOYS + 2}`, `${base}..HEAD`);
  if ("error" in listed) return null;
  const [, ...commits] = listed.out.match(/.+/g) ?? [];
  if (commits.length > MOST_DEPLOYS) return null;
  const found: Project[] = [];
  try {
    for (const commit of commits)
      await atBase(folder, commit, env, async ({ files }) => {
        const { project } = files.has(projectFile) ? await loadFrom(files, projectFile) : { project: null };
        if (files.isIncomplete) throw incomplete(commit);
        if (project !== null) found.push(project);
      });
    return found;
  } catch (cause) {
    if (cause instanceof UserError) return null;
    throw cause;
  }
}

/** Throws a user error if the settings cannot be read. `folder` is the folder of the files if that is not the project folder. */
async function loadAt(files: CommitFiles, projectFile: string, folder: string, now: string | null = null) {
  const rules = now === null ? null : { now, isAdvisory: true };
  const { project, readable, isComplete, diagnostics } = await loadFrom(files, projectFile, rules);
  if (files.isIncomplete) throw incomplete(files.ref);
  const findings = now === null ? [] : diagnostics;
  if (project !== null) return { project, findings, problem: null, isPartial: false };
  const [first, ...more] = errorsIn(diagnostics);
  const place = first?.place ?? null;
  const where = place === null ? "" : ` at ${folder}${showPlace(place)}`;
  const found = more.length === 0 ? "an error" : `${more.length + 1} errors. The first is`;
  const message = `The files at \`${files.ref}\` have ${found}${where}: ${first?.message ?? ""}`;
  const hint = "Fix this at the base first, or pass another commit with --base.";
  const problem = new LocatedError("base-invalid", message, folder === "" ? place : null, hint);
  if (readable === null) throw problem;
  return { project: readable, findings, problem, isPartial: !isComplete };
}

type ReadInherited = InheritedProject & Pick<OpenedBase, "problem" | "isPartial">;
type Open = (prefix: string) => Promise<CommitFiles>;

/**
 * The other projects of the base whose protection counts. A link that moves here from a project of the same service keeps its protection.
 * A new project (`own` is null) inherits from all projects. Otherwise moving or renaming a project file would remove the protection. The
 * first is the project that it replaces. Throws a user error if one in its folder or above, or one of the same service, cannot be read.
 */
async function inheritedBy(
  own: Project | null,
  paths: readonly string[],
  folder: string,
  open: Open,
  addresses: readonly string[],
): Promise<ReadInherited[]> {
  const withoutScheme = (address: string): string => address.replace(/^https?:/, "");
  const present = [...addresses, ...(own === null ? [] : [own.baseUrl.value])].map(withoutScheme);
  const protects = own === null ? "everything" : "declared";
  const found: (ReadInherited & { readonly rank: number })[] = [];
  for (const path of paths) {
    const prefix = path.slice(0, path.lastIndexOf("/") + 1);
    const name = path.slice(prefix.length);
    const files = await open(prefix);
    const baseAddress = await readAddress(files, name);
    if (baseAddress === undefined) continue;
    const isAbove = own === null && folder.startsWith(prefix);
    const isSame = baseAddress !== null && present.includes(withoutScheme(baseAddress));
    const rank = isAbove ? prefix.length + 2 : Number(isSame);
    if (own === null && rank > 0) found.push({ ...(await loadAt(files, name, prefix)), path, protects, rank });
    else if (own === null || isSame) {
      const { readable } = await loadFrom(files, name);
      const read = { problem: null, isPartial: false, path, protects, rank } as const;
      if (readable !== null) found.push({ project: readable, ...read });
    }
  }
  return found.toSorted((a, b) => b.rank - a.rank);
}

/** The full hash. Throws a user error if there is no such commit, or git cannot read the repository. */
async function commitOf(git: GitRepository, objects: Objects, ref: string, env: GitEnvironment): Promise<string> {
  const found = await objects.read(`${ref}^{commit}`);
  if (found !== null) return found.id;
  const repository = await git.run("rev-parse", "--git-dir");
  if ("error" in repository) throw gitError(repository.error);
  if ((await isShallow(git)) === "true")
    throw new UserError("base-missing", `\`${ref}\` is not available because this clone is shallow.`, {
      hint: "Run `git fetch --unshallow`. In CI, check out with `fetch-depth: 0` (GitLab: `GIT_DEPTH: 0`).",
    });
  if (ref === "HEAD")
    throw new UserError("base-missing", "The repository has no commits.", { hint: "Commit the files first." });
  const remote = await git.run("rev-parse", "--verify", "--quiet", `refs/remotes/origin/${ref}^{commit}`);
  const hint =
    "out" in remote
      ? `Did you mean \`origin/${ref}\`?`
      : /^(?:(?:refs\/)?tags\/)?applied(?:$|-)/.test(ref)
        ? `If this clone has no tags, run \`git fetch --tags\` (in CI, check out with \`fetch-depth: 0\`). If nothing was applied yet, ${firstRun(ref, env)}.`
        : "Check the name, or run `git fetch origin`. In CI, check out with `fetch-depth: 0`.";
  throw new UserError("base-missing", `\`${ref}\` is not a commit, branch or tag in this repository.`, { hint });
}

/** The workflows of docs/ci.md have these names. */
function firstRun(ref: string, env: GitEnvironment): string {
  if (env["GITHUB_ACTIONS"] === "true") return "start the workflow on the default branch with the input `first-run`";
  if (env["GITLAB_CI"] === "true")
    return "run a pipeline of the default branch with the variable LINKFORM_FIRST_RUN=true";
  return `start with \`linkform apply --base ${ref} --move-base=create\``;
}

/** Whether a commit has ancestors that HEAD does not have. False in a shallow clone, where this is unknown. */
async function isAheadOfHead(git: GitRepository, objects: Objects, commit: string): Promise<boolean> {
  const head = await objects.read("HEAD^{commit}");
  const [header = ""] = head?.content.toString().split("\nauthor ") ?? [];
  // Almost always, without another process.
  if (head?.id === commit || header.includes(`\nparent ${commit}`)) return false;
  const answer = await git.run("merge-base", "--is-ancestor", commit, "HEAD");
  return "error" in answer && answer.error === "" && (await isShallow(git)) === "false";
}

/** `true` or `false`; another text if git is too old. */
async function isShallow(git: GitRepository): Promise<string | null> {
  return lineOf(git, "rev-parse", "--is-shallow-repository");
}

function incomplete(ref: string): UserError {
  return new UserError("base-missing", `Some files of \`${ref}\` are missing from this clone.`, {
    hint: "Clone the repository again without `--filter`. To check for other missing objects, run `git fsck`.",
  });
}

function noRepository(): UserError {
  return new UserError("base-no-repository", "The project is not in a git repository, so it has no base.", {
    hint: "Remove --base, or run linkform in a clone of the repository. In CI, check the repository out with git.",
  });
}

/** Exit codes do not distinguish the reasons, so messages are matched. */
function gitError(message: string | null): UserError {
  if (message === null)
    return new UserError("base-no-git", "linkform cannot read the base because git is not installed.", {
      hint: "Install git, or remove --base.",
    });
  const hint = trustHint(message);
  if (hint !== null) {
    const refusal = "git refuses to read this repository because its folder belongs to another user.";
    return new UserError("base-not-trusted", refusal, { hint });
  }
  if (message.includes("not a git repository")) return noRepository();
  const why = firstLine(message).replace(/^fatal: /, "");
  return new UserError("base-unreadable", `git cannot read this repository: ${why}`, {
    hint: "Run `git status` and fix the errors that it reports.",
  });
}

/** All files that may be project files, sorted, without those in `node_modules`. */
function projectFilesIn(listing: string, projectFile: string): string[] {
  const paths = listing.split("\0").map((line) => line.slice(line.indexOf("\t") + 1));
  const isOne = (path: string): boolean =>
    `/${path}`.endsWith(`/${projectFile}`) || /(?:^|\/)linkform[^/]*\.ya?ml$/.test(path);
  return paths.filter((path) => isOne(path) && !/(?:^|\/)node_modules\//.test(path)).toSorted(compareText);
}

/** Links that lead out of the folder are not files. */
class CommitFiles implements FileSource {
  readonly #root: Folder;
  readonly #objects: Objects;
  /** The targets of links by object id, all read before the first link is followed. */
  readonly #targets = new Map<string, string>();
  readonly ref: string;
  readonly isStrict = false;
  /** An object is missing in this clone. */
  isIncomplete = false;

  constructor(root: Folder, objects: Objects, ref: string) {
    this.ref = ref;
    this.#root = root;
    this.#objects = objects;
  }

  async load(): Promise<this> {
    const folders = [this.#root];
    for (const { entries } of folders)
      for (const entry of entries.values()) {
        if (entry.type === "folder") folders.push(entry);
        else if (entry.type === "link") this.#targets.set(entry.id, (await this.#bytes(entry.id))?.toString() ?? "");
      }
    return this;
  }

  /** Also for a link. */
  has(file: string): boolean {
    return (this.#root.entries.get(file)?.type ?? "folder") !== "folder";
  }

  async read(file: string): Promise<FileText> {
    const found = follow(this, [], file);
    const entry = "path" in found ? entryAt(this.#root, found.path) : undefined;
    const bytes = entry?.type === "file" ? await this.#bytes(entry.id) : null;
    if (bytes !== null) return decodeText(bytes, file, this.ref);
    const message = "This file is a symbolic link that linkform cannot follow.";
    return { problem: error("file-unreadable", message, startOf(file), "Replace the link with the file itself.") };
  }

  entry(path: readonly string[]): PathEntry | null {
    const entry = entryAt(this.#root, path);
    if (entry === undefined || entry.type === "submodule") return null;
    if (entry.type !== "link") return { type: entry.type };
    const target = this.#targets.get(entry.id) ?? "";
    // No path on Linux is longer (PATH_MAX).
    return { type: "link", target: target.length > 4096 ? "" : target };
  }

  names(path: readonly string[]): readonly string[] {
    const folder = entryAt(this.#root, path);
    return folder?.type === "folder" ? [...folder.entries.keys()] : [];
  }

  async #bytes(id: string): Promise<Buffer | null> {
    const bytes = (await this.#objects.read(id))?.content ?? null;
    if (bytes === null) this.isIncomplete = true;
    return bytes;
  }
}
