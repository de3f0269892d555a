// Whether git tracks a file: then a commit, such as that of a pull request, may have brought it.

import path from "node:path";
import { repositoryOf, type GitEnvironment } from "./git-program.ts";

/** The tracked files, relative to the folder that the file is in; or why git cannot tell. */
export type Tracked = { readonly files: readonly string[] } | { readonly unknown: string };

/** The tracked files at an absolute path: the file, or those below the folder. */
export async function trackedAt(file: string, env: GitEnvironment): Promise<Tracked> {
  const repository = await repositoryOf(path.dirname(file), env).catch(() => null);
  if (repository === null) return { files: [] };
  const inside = path.posix.join(repository.prefix, path.basename(file));
  // A file system may ignore case where git does not.
  const answer = await repository.run("ls-files", "-z", "--", `:(top,icase,literal)${inside}`);
  if ("says" in answer)
    return { unknown: answer.says === null ? "git is not installed" : (answer.says.trim().split("\n")[0] ?? "") };
  const names = answer.out.toString().split("\0").filter(Boolean);
  return { files: names.map((name) => path.posix.relative(repository.prefix, name)) };
}
