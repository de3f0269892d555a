// Where a scene is played: its files in a folder of its own, with a history if it needs one, and a sandbox with its account.

import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { linkform, ROOT, scratchFolder, startSandbox } from "../processes.mjs";
import { readScreen } from "./screen.mjs";
import { onTerminal } from "./terminal.mjs";

const run = promisify(execFile);

/** Nothing of the caller's settings reaches a run. */
const ENV = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
/** What a commit is called in every picture, as in the README: its real name depends on the moment it was made. */
const COMMIT = "5d1c2a7";
/** Those that speak to the service. */
const ONLINE = ["plan", "apply", "drift", "doctor"];

/**
 * Plays a scene of scenes.mjs on a terminal with this number of columns.
 * @returns the screen's rows, with the command that a person would have typed in the first
 */
export async function play(scene, columns) {
  return withStage(scene, async ({ args, cwd, env, named }) => {
    const shown = await onTerminal(args, { cwd, env, columns, typed: scene.typed });
    return readScreen(`\u001b[1m$ linkform ${scene.args.join(" ")}\u001b[0m\r\n${named(shown)}`, columns);
  });
}

/** The report of a scene in Markdown. */
export async function reportOf(scene) {
  return withStage(scene, async ({ args, cwd, env, named }) => {
    const { out } = await linkform([...args, "--format", "markdown"], cwd, env);
    return named(out);
  });
}

/** Lays out a scene with its account, and hands over how to run its command. `named` gives the base commit its constant name. */
async function withStage(scene, show) {
  const cwd = path.join(await scratchFolder(), "project");
  await mkdir(cwd);
  const commit = await layOut(scene, cwd);
  const sandbox = await startSandbox(await seedOf(scene.seed), ENV);
  try {
    const secrets = await dummySecrets(cwd);
    const env = { ...ENV, ...secrets, LINKFORM_API_KEY: sandbox.apiKey, ...scene.env };
    const online = (args) => (ONLINE.includes(args[0]) ? [...args, "--base-url", scene.url ?? sandbox.url] : args);
    for (const args of scene.before ?? []) {
      const { code, err } = await linkform(online(args), cwd, env);
      if (code !== 0) throw new Error(`${scene.name}: \`linkform ${args.join(" ")}\` ended with ${code}.\n${err}`);
    }
    await writeAll(cwd, scene.edits ?? {});
    const named = (text) => (commit === null ? text : text.replaceAll(commit, COMMIT));
    return await show({ args: online(scene.args), cwd, env, named });
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
  await writeAll(folder, files);
  return commit;
}

async function writeAll(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

/** A seed is a file of the repository, or the state itself. */
async function seedOf(seed) {
  if (seed === undefined) return [];
  if (typeof seed === "string") return ["--seed", path.join(ROOT, seed)];
  const file = path.join(await scratchFolder(), "seed.json");
  await writeFile(file, JSON.stringify(seed));
  return ["--seed", file];
}

/** A password for every variable that the files name. */
async function dummySecrets(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".yaml"));
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  const names = texts.join("\n").match(/LINKFORM_SECRET_[A-Z0-9_]*[A-Z0-9]/g) ?? [];
  return Object.fromEntries(names.map((name) => [name, "not-a-real-secret"]));
}
