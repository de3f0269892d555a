// The base: what a project's files said in a commit. Work tree and index are neither read nor touched.

import type { Base } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { EXIT, UserError } from "../errors.ts";
import { repositoryOf, type Environment, type Repository } from "./git-program.ts";
import { CommitFiles } from "./git-tree.ts";
import { loadFrom } from "./load.ts";
import { LocatedError } from "./located-error.ts";

/** The files at a base; the project is null where its project file was not there yet, so that nothing was declared. */
export type OpenedBase = Base & {
  readonly project: Project | null;
  /** The base has commits that the work tree is not built on: what they declare is not in these files either. */
  readonly isAhead: boolean;
  /** The text of each file; empty where the project file was not there yet. */
  readonly texts: ReadonlyMap<string, string>;
};

/**
 * Reads the project of this folder and project file as it was at `ref`, whatever git takes for a commit. Throws a user error
 * where the commit can't be had or its files have mistakes. `env` is what git runs with.
 */
export async function openBase(
  folder: string,
  projectFile: string,
  ref: string,
  env: Environment,
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
    const files = new CommitFiles(tree.out.toString(), git.prefix, objects, ref);
    const isAhead = await isAheadOfHead(git, commit);
    if (!files.has(projectFile)) return { ref, commit, project: null, isAhead, texts: new Map() };
    const { project, diagnostics, texts } = await loadFrom(files, projectFile);
    if (files.isIncomplete) throw incomplete(ref);
    if (project !== null) return { ref, commit, project, isAhead, texts };
    const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
    const where = first?.place === undefined || first.place === null ? "" : `${showPlace(first.place)}: `;
    const count = more.length === 0 ? "a mistake" : `${more.length + 1} mistakes, the first`;
    const message = `The files at \`${ref}\` have ${count} at ${where}${first?.message ?? ""}`;
    const hint = "Correct that there first, or name another commit with --base.";
    throw new LocatedError("base-invalid", message, first?.place ?? null, hint);
  } finally {
    await objects.close();
  }
}

/** The full name of the commit that a ref means. */
async function commitOf(git: Repository, ref: string): Promise<string> {
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
async function isAheadOfHead(git: Repository, commit: string): Promise<boolean> {
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
