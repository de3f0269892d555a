// Draws the README's picture from a real run: a Markdown report as GitHub shows it in a comment. --check checks that it is fresh.

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { drawComment } from "./comment-picture.mjs";
import { linkform, main, ROOT, scratchFolder, startSandbox } from "./processes.mjs";
import { writeGenerated } from "./source.mjs";

/** The first plan of the README: files now and on the base branch, and the account. */
const SCENE = path.join(ROOT, "test/fixtures/plans/readme-first");
const ARGS = ["plan", "--base", "origin/main"];

/** Nothing of the caller's settings reaches a run. */
const ENV = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
/** What the commit is called in the picture, as in the README: its real name depends on the moment it was made. */
const COMMIT = "5d1c2a7";

await main(async () => {
  const size = { title: `linkform ${ARGS.join(" ")}`, width: 860, height: 760 };
  await writeGenerated([["docs/comment.svg", drawComment(await readmePlan(), size)]], "npm run pictures");
});

/** The report of the README's plan, in a repository whose `origin/main` has the base. */
async function readmePlan() {
  const cwd = path.join(await scratchFolder(), "project");
  const git = (...args) =>
    execFileSync("git", ["-C", cwd, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { env: ENV });
  cpSync(path.join(SCENE, "base"), cwd, { recursive: true });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  const commit = git("rev-parse", "HEAD").toString().slice(0, COMMIT.length);
  git("rm", "--quiet", "-r", ".");
  cpSync(path.join(SCENE, "now"), cwd, { recursive: true });
  const { url, apiKey } = await startSandbox(["--seed", path.join(SCENE, "live.json")], ENV);
  const env = { ...ENV, LINKFORM_API_KEY: apiKey };
  const { out } = await linkform([...ARGS, "--base-url", url, "--format", "markdown"], cwd, env);
  return out.replaceAll(commit, COMMIT);
}
