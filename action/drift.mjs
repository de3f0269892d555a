// Drift as a pull request: a branch with what `linkform pull` writes, on top of the commit that was applied. So it does not touch changes
// that were merged since, and merging it keeps the manual changes.

import path from "node:path";
import { isOwn } from "./git.mjs";
import { reportsOf } from "./outputs.mjs";

export const BRANCH = "linkform/drift";
const REF = `refs/heads/${BRANCH}`;

/**
 * Pushes the branch from a separate work tree in this folder. `pull` runs linkform in a folder, and resolves to its exit code. Throws an
 * error that says what to do.
 */
export async function pushDrift(git, { json, folder }, { GITHUB_REF: ref }, pull) {
  if (ref === REF) throw new Error(`${BRANCH} is the branch of this run, so it cannot be replaced.`);
  const drifted = reportsOf(json).filter(({ changes = [] }) => changes.length > 0);
  const [base, ...others] = new Set(drifted.map((report) => report.base?.commit));
  if (base === undefined || others.length > 0)
    throw new Error(
      "A pull request needs one applied commit, but the projects have different ones. Deploy them first.",
    );
  const old = await branchOf(git);
  const tree = path.join(folder, "drift");
  await git("worktree", "add", "--quiet", "--detach", tree, base);
  try {
    for (const { project, changes } of drifted) {
      const keys = changes.map(({ kind, key }) => `${kind}:${key}`);
      if ((await pull(tree, ["pull", "--force", `--config=${project}`, "--", ...keys])) !== 0)
        throw new Error(`linkform could not write the live state into ${project}. See the log.`);
    }
    await git("-C", tree, "add", "--all", "--", ".", ":(exclude,glob)**/.linkform/**");
    await git("-C", tree, "commit", "--quiet", "--message", "Keep manual changes of links");
    const commit = await git("-C", tree, "rev-parse", "HEAD");
    const isSame = old !== "" && (await git("diff", "--name-only", old, commit)) === "";
    if (!isSame) await git("push", "--quiet", `--force-with-lease=${REF}:${old}`, "origin", `${commit}:${REF}`);
  } finally {
    await git("worktree", "remove", "--force", tree);
  }
}

/** Deletes the branch when the drift is gone. */
export async function deleteDrift(git) {
  const old = await branchOf(git);
  if (old !== "") await git("push", "--quiet", `--force-with-lease=${REF}:${old}`, "origin", `:${REF}`);
}

/** The commit of the branch; empty if there is none. */
async function branchOf(git) {
  const [old = ""] = (await git("ls-remote", "origin", REF)).split("\t");
  if (old === "") return "";
  await git("fetch", "--quiet", "--no-tags", "origin", REF);
  if (await isOwn(git, old)) return old;
  throw new Error(`The branch ${BRANCH} has commits by somebody else. Merge or delete the branch.`);
}
