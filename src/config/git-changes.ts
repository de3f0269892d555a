// What in a project folder git has no copy of: what a command that writes files could not give back.

import { UserError } from "../errors.ts";
import { repositoryOf, type GitOutput, type GitEnvironment, type GitRepository } from "./git-program.ts";

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
export async function uncommitted(folder: string, env: GitEnvironment): Promise<Uncommitted | null> {
  const repository = await repositoryOf(folder, env);
  const filters = repository && (await withoutFilters(repository));
  if (repository === null || filters === null) return null;
  const { prefix } = repository;
  const status = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const answer = await repository.run(...filters, "--literal-pathspecs", ...status, "--", prefix === "" ? "." : prefix);
  if ("says" in answer) return unanswered(answer);
  // Each is two letters, a space, and the path from the repository's root.
  const entries = answer.out.toString().split("\0").filter(Boolean);
  const files = entries.map((entry) => ({ state: entry.slice(0, 2), file: entry.slice(3 + prefix.length) }));
  return {
    changed: files.flatMap(({ state, file }) => (state === "??" ? [] : [file])),
    untracked: files.flatMap(({ state, file }) => (state === "??" ? [file] : [])),
  };
}

/**
 * Options that switch off every filter that is configured: git would run its program to compare a file that the attributes give to
 * it. Null where there is no git.
 */
async function withoutFilters(repository: GitRepository): Promise<string[] | null> {
  const answer = await repository.run("config", "--null", "--name-only", "--get-regexp", String.raw`^filter\.`);
  // No output and no message: nothing is configured.
  if ("says" in answer) return answer.says === "" ? [] : unanswered(answer);
  const names = answer.out
    .toString()
    .split("\0")
    .flatMap((key) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []);
  const odd = names.find((name) => name.includes("="));
  // Git takes the first `=` for the end of the name.
  if (odd !== undefined) return unanswered({ says: `the filter \`${odd}\` can't be switched off.` });
  return [...new Set(names)].flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]),
  );
}

/** Null without git or without changes; throws if git fails. */
function unanswered({ says }: Exclude<GitOutput, { out: Buffer }>): null {
  if (says === null || /not a git repository|must be run in a work tree/i.test(says)) return null;
  throw unknown(says);
}

function unknown(says: string): UserError {
  const trusted = /safe\.directory (.+)/.exec(says)?.[1];
  const [line = ""] = says.trim().split("\n");
  const why = trusted === undefined ? line.replace(/^fatal: /, "") : "its folder belongs to another user.";
  const cure =
    trusted === undefined ? "Fix that" : `If you trust it: git config --global --add safe.directory ${trusted}`;
  return new UserError("uncommitted-unknown", `git does not tell what is not committed in this repository: ${why}`, {
    hint: `${cure}; or go on without that with --force.`,
  });
}
