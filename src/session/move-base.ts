// `--move-base`: after a complete apply, the base moves to the commit whose files were applied.

import { findBaseTag, findNewTag, immovable, moveBaseTag, type TagMove } from "../config/git.ts";
import { endingOf, type Base, type Plan } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { usageError, type ExitCode, type UserError } from "../errors.ts";
import { plural } from "../report/counts.ts";
import { isComplete, type ApplyReport } from "../report/apply-result.ts";
import { applyReport } from "../report/run-document.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";
import { compareWith, type OpenedProject } from "./project.ts";

/** A base that can be moved, checked before the first write. */
export interface MovableBase {
  readonly ref: string;
  readonly folder: string;
  readonly move: TagMove;
}

/** The error for `--move-base` without a base. */
export function moveWithoutBase(hint: string): UserError {
  return usageError("move-without-base", "`--move-base` needs a base to move.", hint);
}

/**
 * Checks that the base is a tag that can move to HEAD, and that HEAD has the files to apply. A string is the name of a tag to create. Throws a
 * user error otherwise.
 */
export async function openMovableBase(world: World, base: Base | string, opened: OpenedProject): Promise<MovableBase> {
  const head = await compareWith(world, "HEAD", opened);
  const [differing] = head.differing;
  if (differing !== undefined)
    throw immovable(
      `\`${differing}\` differs from the last commit, so no commit contains the files that would be applied.`,
      "Commit or undo this change, and then apply again.",
    );
  const { folder } = opened;
  if (typeof base === "string")
    return { ref: base, folder, move: await findNewTag(folder, base, head.commit, world.env) };
  return { ref: base.ref, folder, move: await findBaseTag(folder, base, head.commit, world.env) };
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

/**
 * Moves the base if the run was complete, then writes the result of the apply, with the new base or the reason why it did not move.
 * Returns the exit code of the run, or that of the error if only moving the base failed.
 */
export async function concludeWithBase(
  out: Console,
  report: ApplyReport,
  base: MovableBase | null,
  exitOf: (isWritten: boolean) => ExitCode,
): Promise<ExitCode> {
  if (base === null || !isComplete(report)) return out.conclude(applyReport, report, exitOf);
  const { ref, folder, move } = base;
  const failed = await moveBaseTag(folder, move, out.world.env);
  const moved = { ...report, moved_base: { ref, from: move.from, to: move.to } };
  if (failed === null) return out.conclude(applyReport, moved, exitOf);
  const problem = error(failed.code, failed.message, null, failed.hint);
  out.findings([problem]);
  return out.conclude(applyReport, { ...report, problems: [...report.problems, problem] }, () => failed.exit);
}
