// Where the command of a scene runs: a new folder with its files, with a history if it needs one, and a sandbox with its account.

import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { linkform, ROOT, scratchFolder, startSandbox } from "../processes.mjs";

const run = promisify(execFile);

/** Nothing of the caller's settings reaches a run. */
const ENV = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
/** What a commit is called in every picture, as in the README: its real name depends on the moment it was made. */
const COMMIT = "5d1c2a7";

/** The report of a scene in Markdown. */
export async function reportOf({ seed, args, ...project }) {
  const cwd = path.join(await scratchFolder(), "project");
  await mkdir(cwd);
  const commit = await layOut(project, cwd);
  const sandbox = await startSandbox(await seedOf(seed), ENV);
  try {
    const online = [...args, "--base-url", sandbox.url, "--format", "markdown"];
    const { out } = await linkform(online, cwd, { ...ENV, LINKFORM_API_KEY: sandbox.apiKey });
    return commit === null ? out : out.replaceAll(commit, COMMIT);
  } finally {
    await sandbox.stop();
  }
}

/** Lays out the files; with a base, in a repository whose `origin/main` has it. Returns that commit's short name. */
async function layOut({ base, folders = [], files = {} }, folder) {
  const git = async (...args) => (await run("git", ["-C", folder, ...AUTHOR, ...args], { env: ENV })).stdout.trim();
  let commit = null;
  if (base !== undefined) {
    await git("init", "--quiet");
    await cp(path.join(ROOT, base), folder, { recursive: true });
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "base");
    await git("update-ref", "refs/remotes/origin/main", "HEAD");
    commit = (await git("rev-parse", "HEAD")).slice(0, COMMIT.length);
    await git("rm", "--quiet", "-r", ".");
  }
  for (const from of folders) await cp(path.join(ROOT, from), folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return commit;
}

/** A seed is a file of the repository, or the state itself. */
async function seedOf(seed) {
  if (seed === undefined) return [];
  if (typeof seed === "string") return ["--seed", path.join(ROOT, seed)];
  const file = path.join(await scratchFolder(), "seed.json");
  await writeFile(file, JSON.stringify(seed));
  return ["--seed", file];
}
