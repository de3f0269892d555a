// Finishing what a killed command left half written, before another command writes.

import { trackedAt } from "../config/git.ts";
import { UserError } from "../errors.ts";
import type { ProjectFolder } from "../files/folder.ts";
import { finishWrites, hasUnfinishedWrites, WRITE_LOG } from "../files/write-files.ts";
import { visible } from "../domain/control-characters.ts";
import type { World } from "./context.ts";

/** Finishes the interrupted write of a folder. Throws a user error if it cannot be finished, or if a commit may have brought its log. */
export async function finishInterrupted({ env, line }: World, folder: ProjectFolder): Promise<void> {
  if (hasUnfinishedWrites(folder)) await refuseTracked(folder, env);
  const files = await finishWrites(folder);
  if (files.length > 0)
    line.print(`Finished writing files for a command that was interrupted: ${files.map(visible).join(", ")}\n`);
}

/** A commit could use the log to write anything into any file of the project. */
async function refuseTracked(folder: ProjectFolder, env: World["env"]): Promise<void> {
  // `.linkform` may be a link: git knows the file by its path without links.
  const tracked = await trackedAt(folder.locate(WRITE_LOG).path, env);
  if ("unknown" in tracked)
    throw new UserError(
      "files-unfinished",
      `linkform cannot check whether git tracks ${WRITE_LOG}: ${tracked.unknown}`,
      {
        hint: `Check the files with \`git diff\`, and delete ${WRITE_LOG}.`,
      },
    );
  if (tracked.files.length > 0)
    throw new UserError(
      "files-unfinished",
      `git tracks ${WRITE_LOG}: a commit may have added it, so linkform ignores its content.`,
      {
        hint: `Remove it: git rm ${WRITE_LOG}`,
      },
    );
}
