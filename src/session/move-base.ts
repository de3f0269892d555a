// `--move-base`: after a complete apply, the base moves to the commit whose files were applied.

import { compareFiles } from "../config/base.ts";
import { checkBaseName, firstLine, lineOf, repositoryOf } from "../config/git.ts";
import type { GitEnvironment, GitRepository } from "../config/git.ts";
import { endingOf, type Base, type Plan } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, UserError, usageError, type ExitCode } from "../errors.ts";
import { plural } from "../domain/words.ts";
import { missingParts, applyReport, type ApplyReport } from "../report/run-document.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";
import type { OpenedProject } from "./project.ts";

/** The move of a tag to the commit whose files are applied, checked before the first write. */
export interface BaseMove {
  readonly git: GitRepository;
  readonly ref: string;
  /** Commits by their full name; `from` is null for a new tag. */
  readonly from: string | null;
  readonly to: string;
}

export function moveWithoutBase(hint: string): UserError {
  return usageError("move-without-base", "`--move-base` needs a base to move.", { hint });
}

/**
 * Checks that the base is a lightweight tag that can move to HEAD, and that HEAD has the files to apply. A string is the name of a tag to
 * create. Throws a user error otherwise.
 */
export async function openMove(world: World, base: Base | string, opened: OpenedProject): Promise<BaseMove> {
  const { git, differing, commit: to } = await compareFiles(opened, "HEAD", world.env);
  if (differing[0] !== undefined)
    throw immovable(
      `\`${differing[0]}\` differs from the last commit, so no commit contains the files that would be applied.`,
      "Commit or undo this change, and then apply again.",
    );
  if (typeof base === "string") {
    await checkNewTag(git, base);
    return { git, ref: base, from: null, to };
  }
  const { ref, commit } = base;
  const from = await tagged(git, ref);
  if (from === null)
    throw immovable(
      `\`${ref}\` is not a tag. --move-base can move only tags.`,
      "Pass a tag that you use only for this, such as --base applied.",
    );
  if (from === to || from === commit) return { git, ref, from, to };
  const tag = fullTag(ref);
  if ((await lineOf(git, "rev-parse", "--verify", "--quiet", `${tag}^{commit}`)) === from)
    throw immovable(
      `\`${ref}\` has moved from ${commit} to ${from} since the plan was made.`,
      "Create a new plan with the current tag.",
    );
  throw immovable(
    `\`${ref}\` is an annotated tag. Moving it would lose its message and signature.`,
    `To replace it with a lightweight tag, run: git update-ref ${tag} '${tag}^{commit}'`,
  );
}

async function checkNewTag(git: GitRepository, ref: string): Promise<void> {
  checkBaseName(ref);
  if ((await tagged(git, ref)) !== null)
    throw immovable(
      `The tag \`${ref}\` exists already, so this is not the first deploy.`,
      "Pass --move-base without `=create`.",
    );
  const hint = "Pass a name such as --base applied.";
  if ("error" in (await git.run("check-ref-format", fullTag(ref))))
    throw immovable(`\`${ref}\` is not a valid tag name.`, hint);
  if ((await lineOf(git, "rev-parse", "--verify", "--quiet", ref)) !== null)
    throw immovable(`\`${ref}\` is already the name of a commit, branch or tag.`, hint);
}

function immovable(message: string, hint: string): UserError {
  return new UserError("base-immovable", message, { hint });
}

export async function hasTag(folder: string, ref: string, env: GitEnvironment): Promise<boolean> {
  const git = await repositoryOf(folder, env);
  return git !== null && (await tagged(git, ref)) !== null;
}

/** The object of a tag; null for none, as for other ways to write a commit, such as `applied~1`. */
async function tagged(git: GitRepository, ref: string): Promise<string | null> {
  return lineOf(git, "show-ref", "--verify", "--hash", fullTag(ref));
}

function fullTag(ref: string): string {
  return `refs/tags/${ref.replace(/^(?:refs\/)?tags\//, "")}`;
}

/** The error for a first deploy that would break a short URL or prune: without a base, nothing shows that somebody asked for it. */
export function firstDeployProblem({ changes }: Plan): Diagnostic | null {
  const ends = changes.filter((change) => endingOf(change) !== null);
  const prunes = changes.filter((change) => change.action === "delete" && change.reason !== "tombstone");
  const [first] = [...ends, ...prunes];
  if (first === undefined) return null;
  const what =
    ends.length > 0
      ? `would break ${plural(ends.length, "short URL")}`
      : `would prune ${plural(prunes.length, "object")}`;
  const hint =
    "Make these changes in a later deploy: create the tag with files that match the account, and then change the files.";
  return error("first-deploy", `The first deploy ${what}. Nothing is applied.`, first.source, hint);
}

/** Moves the base if the run was complete, then writes the result of the apply. Returns another exit code if only moving the base failed. */
export async function concludeWithBase(
  out: Console,
  report: ApplyReport,
  move: BaseMove | null,
  exitOf: (isWritten: boolean) => ExitCode,
): Promise<ExitCode> {
  if (move === null || missingParts(report).length > 0) return out.conclude(applyReport, report, exitOf);
  const { ref, from, to } = move;
  const problem = await moveTag(move);
  if (problem === null) return out.conclude(applyReport, { ...report, moved_base: { ref, from, to } }, exitOf);
  out.findings([problem]);
  return out.conclude(applyReport, { ...report, problems: [...report.problems, problem] }, () => EXIT.partial);
}

/** Returns an error if it fails, as when the tag has changed in the meantime. */
async function moveTag({ git, ref, from, to }: BaseMove): Promise<Diagnostic | null> {
  const tag = fullTag(ref);
  if (from === to) return null;
  const answer = await git.run("update-ref", "--no-deref", "-m", "linkform apply", tag, to, from ?? "");
  if ("out" in answer) return null;
  const what = `could not be ${from === null ? "created" : "moved"}`;
  const why = firstLine(answer.error).replace(/^(?:fatal|error): /, "");
  const hint = `If the tag should point to this commit, run: git update-ref ${tag} ${to}`;
  return error("base-not-moved", `Everything was applied, but ${tag} ${what}: ${why}`, null, hint);
}
