// Moving the base: a tag in the local repository that names the commit whose files were applied last.

import { EXIT, UserError } from "../errors.ts";
import type { Base } from "../domain/change.ts";
import { repositoryOf, type GitEnvironment, type GitRepository } from "./git-program.ts";

/** A tag that can be moved from one commit to another. */
export interface TagMove {
  /** The tag's full name: refs/tags/applied. */
  readonly tag: string;
  /** Commits by their full name. */
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the tag that this base is. Throws a user error unless it is a lightweight tag that names the base's commit, or names
 * `to` already.
 */
export async function findBaseTag(folder: string, base: Base, to: string, env: GitEnvironment): Promise<TagMove> {
  const git = await openRepository(folder, env);
  const tag = `refs/tags/${base.ref.replace(/^(?:refs\/)?tags\//, "")}`;
  // Only a name: other ways to write a commit, such as `applied~1`, name no tag.
  const object = await lineOf(git, "show-ref", "--verify", "--hash", tag);
  if (object === null)
    throw immovable(
      `\`${base.ref}\` is not a tag, and --move-base moves tags only.`,
      "Pass a tag that you keep for this: --base applied.",
    );
  if (object === to || object === base.commit) return { tag, from: object, to };
  if ((await lineOf(git, "rev-parse", "--verify", "--quiet", `${tag}^{commit}`)) === object)
    throw immovable(
      `\`${base.ref}\` has moved from ${base.commit} to ${object} since the plan was made.`,
      "Plan again with the tag as it is now.",
    );
  throw immovable(
    `\`${base.ref}\` is an annotated tag, and moving it would lose its message and signature.`,
    `Replace it with a lightweight tag: git update-ref ${tag} '${tag}^{commit}'`,
  );
}

/** Moves the tag, unless it has been moved meanwhile. Returns what kept it from moving; null if it has moved. */
export async function moveBaseTag(
  folder: string,
  { tag, from, to }: TagMove,
  env: GitEnvironment,
): Promise<UserError | null> {
  if (from === to) return null;
  const git = await openRepository(folder, env);
  const answer = await git.run("update-ref", "--no-deref", "-m", "linkform apply", tag, to, from);
  if ("out" in answer) return null;
  const [line = ""] = (answer.says ?? "git is not installed").split("\n");
  return new UserError(
    "base-not-moved",
    `Everything was applied, but ${tag} could not be moved: ${line.replace(/^(?:fatal|error): /, "")}`,
    {
      hint: `If the tag should be there, move it yourself: git update-ref ${tag} ${to}`,
      exit: EXIT.partial,
    },
  );
}

/** The repository in which the base was found. */
async function openRepository(folder: string, env: GitEnvironment): Promise<GitRepository> {
  const git = await repositoryOf(folder, env);
  if (git === null) throw new Error(`the repository of ${folder} is gone`);
  return git;
}

/** The line that git prints; null if git fails. */
async function lineOf(git: GitRepository, ...args: readonly string[]): Promise<string | null> {
  const answer = await git.run(...args);
  const line = "out" in answer ? answer.out.toString().trim() : "";
  return line === "" ? null : line;
}

/** Why a base can't be moved. It is known before the first write. */
export function immovable(message: string, hint: string): UserError {
  return new UserError("base-immovable", message, { hint });
}
