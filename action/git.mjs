// The git commands of a deploy: whether the checkout is the newest commit, and the push of the tags that moved.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withoutSecrets } from "./program.mjs";

const run = promisify(execFile);

/** The author of the commits by this action. Commits by people have other authors. */
const [NAME, EMAIL] = ["github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"];
const AUTHOR = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

/**
 * Git in a checkout. The token is only in the environment, because other processes can read arguments. The empty setting removes a token
 * that actions/checkout left: GitHub refuses two.
 */
export function openGit(cwd, { token }, env) {
  const login = Buffer.from(`x-access-token:${token}`).toString("base64");
  const name = `http.${env.GITHUB_SERVER_URL || "https://github.com"}/.extraheader`;
  const from = Number(env.GIT_CONFIG_COUNT || "0");
  const own = {
    ...withoutSecrets(env),
    ...AUTHOR,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: `${from + 2}`,
    [`GIT_CONFIG_KEY_${from}`]: name,
    [`GIT_CONFIG_VALUE_${from}`]: "",
    [`GIT_CONFIG_KEY_${from + 1}`]: name,
    [`GIT_CONFIG_VALUE_${from + 1}`]: `AUTHORIZATION: basic ${login}`,
  };
  return async (...args) => (await run("git", args, { cwd, env: own, maxBuffer: 1 << 28 })).stdout.trim();
}

/** Whether this action made a commit and all its ancestors that the checkout does not have. An amended commit has another committer. */
export async function isOwn(git, commit) {
  const base = await git("merge-base", "HEAD", `${commit}^`).catch(() => "");
  const log = await git("log", "--format=%ae %ce", `${base}..${commit}`);
  return log.split("\n").every((line) => line === `${EMAIL} ${EMAIL}`);
}

/** Whether the branch of the run has the same commit as the checkout. True if the run is for a tag. */
export async function isNewest(git, { GITHUB_REF: ref = "" }) {
  if (!ref.startsWith("refs/heads/")) return true;
  const tracked = ref.replace("refs/heads/", "refs/remotes/origin/");
  await git("fetch", "--quiet", "--no-tags", "origin", `+${ref}:${tracked}`);
  return (await git("rev-parse", "HEAD")) === (await git("rev-parse", tracked));
}

/** The objects of all tags, by their full names. */
export async function readTags(git) {
  const lines = (await git("for-each-ref", "--format=%(refname) %(objectname)", "refs/tags")).split("\n");
  return new Map(lines.filter(Boolean).map((line) => line.split(" ")));
}

/** Pushes the tags that have changed. The lease refuses a tag that somebody else has moved. */
export async function pushTags(git, before) {
  const moved = [...(await readTags(git))].filter(([tag, object]) => before.get(tag) !== object).map(([tag]) => tag);
  const leases = moved.map((tag) => `--force-with-lease=${tag}:${before.get(tag) ?? ""}`);
  if (moved.length > 0) await git("push", "--quiet", ...leases, "origin", ...moved);
}
