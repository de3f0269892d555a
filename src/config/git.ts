// The base: what a project's files said in a commit. Work tree and index are neither read nor touched.

import type { Base } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import type { InheritedProject, Project } from "../domain/project.ts";
import { EXIT, UserError } from "../errors.ts";
import { repositoryOf, type GitEnvironment, type GitRepository } from "./git-program.ts";
import { CommitFiles, CommitTree } from "./git-tree.ts";
import { loadFrom, readAddress } from "./load.ts";
import { LocatedError } from "./located-error.ts";

/** The files at a base; the project is null where its project file was not there yet, so that nothing was declared. */
export type OpenedBase = Base & {
  readonly project: Project | null;
  /** Other projects of the base whose protection counts, too. */
  readonly inherited: readonly InheritedProject[];
  /** The base has commits that the work tree is not built on: what they declare is not in these files either. */
  readonly isAhead: boolean;
  /** The text of each file; empty where the project file was not there yet. */
  readonly texts: ReadonlyMap<string, string>;
};

/** The address in the present files, and the one that a flag gives instead. */
export interface PresentAddress {
  readonly address: string | null;
  readonly pinned: string | null;
}

/**
 * Reads the project of this folder and project file as it was at `ref`, whatever git takes for a commit. Throws a user error
 * where the commit can't be had or its files have mistakes. `env` is what git runs with.
 */
export async function openBase(
  folder: string,
  projectFile: string,
  ref: string,
  env: GitEnvironment,
  present: PresentAddress = { address: null, pinned: null },
): Promise<OpenedBase> {
  if (ref.trim() === "" || ref.startsWith("-") || ref.includes("\0")) {
    throw new UserError("wrong-base", ref.trim() === "" ? "The base is empty." : `\`${ref}\` can't be a base.`, {
      hint: "Name a commit, branch or tag of git: --base origin/main.",
      exit: EXIT.usage,
    });
  }
  const git = await repositoryOf(folder, env);
  if (git === null) throw noRepository();
  const commit = await commitOf(git, ref);
  const tree = await git.run("ls-tree", "-r", "-z", "--full-tree", commit);
  if ("says" in tree) throw incomplete(ref);
  const objects = git.objects();
  try {
    const all = new CommitTree(tree.out.toString());
    const isAhead = await isAheadOfHead(git, commit);
    const open = (prefix: string): CommitFiles => new CommitFiles(all, prefix, objects, ref);
    const files = open(git.prefix);
    const { project, texts } = files.has(projectFile)
      ? await loadAt(files, projectFile, "")
      : { project: null, texts: new Map<string, string>() };
    const names = new Set([projectFile]);
    const paths = all.named((name) => names.has(name) || /^linkform[^/]*\.ya?ml$/.test(name));
    const others = paths.filter((path) => path !== git.prefix + projectFile);
    const inherited =
      project === null
        ? await inheritedByNew(others, git.prefix, open, present)
        : await inheritedByOld(others, project.baseUrl.value, open);
    return { ref, commit, project, inherited, isAhead, texts };
  } finally {
    await objects.close();
  }
}

/** Loads a project of the base. Throws a user error if its files are wrong; `folder` is where they are, if not in the project folder. */
async function loadAt(
  files: CommitFiles,
  projectFile: string,
  folder: string,
): Promise<{ readonly project: Project; readonly texts: ReadonlyMap<string, string> }> {
  const { project, diagnostics, texts } = await loadFrom(files, projectFile);
  if (files.isIncomplete) throw incomplete(files.ref);
  if (project !== null) return { project, texts };
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  const where = first?.place === undefined || first.place === null ? "" : `${folder}${showPlace(first.place)}: `;
  const count = more.length === 0 ? "a mistake" : `${more.length + 1} mistakes, the first`;
  const message = `The files at \`${files.ref}\` have ${count} at ${where}${first?.message ?? ""}`;
  const hint = "Correct that there first, or name another commit with --base.";
  throw new LocatedError("base-invalid", message, folder === "" ? (first?.place ?? null) : null, hint);
}

type Open = (prefix: string) => CommitFiles;

function split(path: string): { readonly prefix: string; readonly name: string } {
  const end = path.lastIndexOf("/") + 1;
  return { prefix: path.slice(0, end), name: path.slice(end) };
}

/**
 * The projects from which one that is new at the base inherits protection: those in its folder and above, and those of the same
 * service. Else a project file that is moved, renamed or put into a folder would leave the protection behind. Throws a user error if
 * one of them can't be read. The first is the one whose place it takes.
 */
async function inheritedByNew(
  paths: readonly string[],
  folder: string,
  open: Open,
  { address, pinned }: PresentAddress,
): Promise<InheritedProject[]> {
  const found: (InheritedProject & { readonly depth: number })[] = [];
  for (const path of paths) {
    const { prefix, name } = split(path);
    const isAbove = folder.startsWith(prefix);
    const files = open(prefix);
    const its = await readAddress(files, name);
    if (its === undefined) continue;
    const isSame = its !== null && [address, pinned].some((one) => one !== null && isSameService(one, its));
    if (!isAbove && !isSame) {
      // With an address from outside, those in the files say nothing.
      const { project } = pinned === null || its === null ? { project: null } : await loadFrom(files, name);
      if (project !== null) found.push({ project, path, protects: "everything", depth: -1 });
      continue;
    }
    const { project } = await loadAt(files, name, prefix);
    found.push({ project, path, protects: "everything", depth: isAbove ? prefix.length : -1 });
  }
  return found.toSorted((a, b) => b.depth - a.depth);
}

/** The projects of the same service: what they declare and protect can't be taken over without its protection. */
async function inheritedByOld(paths: readonly string[], address: string, open: Open): Promise<InheritedProject[]> {
  const found: InheritedProject[] = [];
  for (const path of paths) {
    const { prefix, name } = split(path);
    const its = await readAddress(open(prefix), name);
    if (typeof its !== "string" || !isSameService(its, address)) continue;
    const { project } = await loadFrom(open(prefix), name);
    if (project !== null) found.push({ project, path, protects: "declared" });
  }
  return found;
}

/** Whether two addresses are of one service: with or without TLS. */
function isSameService(one: string, other: string): boolean {
  return one.replace(/^https?:/, "") === other.replace(/^https?:/, "");
}

/** The full name of the commit that a ref means. */
async function commitOf(git: GitRepository, ref: string): Promise<string> {
  const answer = await git.run("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  const name = "out" in answer ? answer.out.toString().trim() : "";
  // A name such as `^main` is one that git takes for something else.
  if (/^[0-9a-f]{40,64}$/.test(name)) return name;
  const shallow = await git.run("rev-parse", "--is-shallow-repository");
  if ("says" in shallow) throw problemOf(shallow.says);
  if (shallow.out.toString().trim() === "true") {
    throw new UserError("base-missing", `This clone is shallow: \`${ref}\` is not in it.`, {
      hint: "Get the history: `git fetch --unshallow`; or in CI, check out with `fetch-depth: 0` (GitLab: `GIT_DEPTH: 0`).",
    });
  }
  const remote = await git.run("rev-parse", "--verify", "--quiet", `refs/remotes/origin/${ref}^{commit}`);
  const hint =
    "out" in remote
      ? `Did you mean origin/${ref}?`
      : "Correct the name, or get it with `git fetch origin`; in CI, check out with `fetch-depth: 0`.";
  throw new UserError("base-missing", `git knows no commit \`${ref}\` here.`, { hint });
}

/** A shallow clone does not tell. */
async function isAheadOfHead(git: GitRepository, commit: string): Promise<boolean> {
  const answer = await git.run("merge-base", "--is-ancestor", commit, "HEAD");
  if ("out" in answer || answer.says !== "") return false;
  const shallow = await git.run("rev-parse", "--is-shallow-repository");
  return "out" in shallow && shallow.out.toString().trim() === "false";
}

function incomplete(ref: string): UserError {
  return new UserError("base-missing", `Not all files of \`${ref}\` are in this clone.`, {
    hint: "Clone it without `--filter`; `git fsck` tells what else may be missing.",
  });
}

function noRepository(): UserError {
  return new UserError("base-no-repository", "The project is in no git repository, so it has no base.", {
    hint: "Leave --base out, or run in a clone of the repository (in CI, check it out with git).",
  });
}

/** Why git can't read a repository at all. It tells in words only. */
function problemOf(says: string | null): UserError {
  if (says === null) {
    return new UserError("base-no-git", "There is no git here to read the base with.", {
      hint: "Install git, or leave --base out.",
    });
  }
  const trusted = /safe\.directory (.+)/.exec(says)?.[1];
  if (trusted !== undefined) {
    return new UserError("base-not-trusted", "git does not read this repository: its folder belongs to another user.", {
      hint: `If you trust it: git config --global --add safe.directory ${trusted}`,
    });
  }
  if (says.includes("not a git repository")) return noRepository();
  const [line = ""] = says.split("\n");
  return new UserError("base-unreadable", `git can't read this repository: ${line.replace(/^fatal: /, "")}`, {
    hint: "Mend what `git status` complains of.",
  });
}
