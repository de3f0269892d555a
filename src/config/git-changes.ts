// What in a project folder git has no copy of: what a command that writes files could not give back.

import { UserError } from "../errors.ts";
import { gitIn, type Environment } from "./git-program.ts";

/** Files of a folder, by their path in it, that differ from the last commit. */
export interface Uncommitted {
  /** Files that git knows and that have been changed since. */
  readonly changed: readonly string[];
  /** Files that git has never seen and does not ignore. */
  readonly untracked: readonly string[];
}

/**
 * What is not committed in this folder; null where it lies in no repository, or there is no git. Throws a user error where git does not
 * tell, as of a repository that it takes for somebody else's.
 */
export async function uncommitted(folder: string, env: Environment): Promise<Uncommitted | null> {
  const git = gitIn(folder, env);
  const [prefix, status] = await Promise.all([
    git.run("rev-parse", "--show-prefix"),
    git.run("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", "."),
  ]);
  for (const answer of [prefix, status]) {
    if (!("says" in answer)) continue;
    if (answer.says === null || /not a git repository|must be run in a work tree/i.test(answer.says)) return null;
    throw unanswered(answer.says);
  }
  if ("says" in prefix || "says" in status) return null;
  const inRepository = prefix.out.toString().replace(/\n$/, "");
  // Each is two letters, a space, and the path from the repository's root.
  const entries = status.out.toString().split("\0").filter(Boolean);
  const files = entries.map((entry) => ({ state: entry.slice(0, 2), file: entry.slice(3 + inRepository.length) }));
  return {
    changed: files.flatMap(({ state, file }) => (state === "??" ? [] : [file])),
    untracked: files.flatMap(({ state, file }) => (state === "??" ? [file] : [])),
  };
}

function unanswered(says: string): UserError {
  const trusted = /safe\.directory (.+)/.exec(says)?.[1];
  const [line = ""] = says.trim().split("\n");
  const why = trusted === undefined ? line.replace(/^fatal: /, "") : "its folder belongs to another user.";
  const cure =
    trusted === undefined ? "Mend that" : `If you trust it: git config --global --add safe.directory ${trusted}`;
  return new UserError("uncommitted-unknown", `git does not tell what is not committed in this repository: ${why}`, {
    hint: `${cure}; or go on without that with --force.`,
  });
}
