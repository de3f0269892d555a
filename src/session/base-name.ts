// The base of a project without `--base`: the tag of its last applied commit.

import { repositoryOf } from "../config/git.ts";
import { appliedTag } from "../config/project-files.ts";
import type { Base } from "../domain/change.ts";
import type { World } from "./context.ts";

const DAY = 86_400_000;

/** The base without `--base`: the tag of the last applied commit; null if the repository has none. */
export async function impliedBase(
  { env, now }: Pick<World, "env" | "now">,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<Required<Base> | null> {
  const git = await repositoryOf(folder, env);
  if (git === null) return null;
  const ref = appliedTag(`${git.prefix}${file}`);
  const found = await git.run("rev-list", "--max-count=1", "--timestamp", `refs/tags/${ref}`, "--");
  const [, seconds, commit] = ("out" in found && /^(\d+) ([0-9a-f]{40,64})\n$/.exec(found.out)) || [];
  if (seconds === undefined || commit === undefined) return null;
  return { ref, commit, impliedDays: Math.max(Math.floor((Date.parse(now()) - Number(seconds) * 1000) / DAY), 0) };
}
