// Finds and runs linkform: the program of this checkout, or a package whose hash the workflow names.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The checkout of the action. */
const ROOT = path.resolve(import.meta.dirname, "..");

/** The path of the program, or the problem as a sentence. */
export async function findProgram({ version, integrity }, env) {
  return version === "" ? ownProgram(env) : packagedProgram(version, integrity, env);
}

/** The program of this checkout. Releases contain the bundle. Other commits are built from the lock file, once for each job. */
async function ownProgram(env) {
  const program = path.join(ROOT, "dist/cli.js");
  const build = path.join(ROOT, "scripts/prepare.mjs");
  if (existsSync(program) || (await runCommand(process.execPath, [build], ROOT, withoutSecrets(env))) === 0)
    return { program };
  return { problem: "linkform could not be built. See the log." };
}

/**
 * Downloads a package with npm, and unpacks it if its hash is the one that the workflow names. npm runs in a new folder, so that
 * `.npmrc` of the checkout has no effect. It installs nothing and runs no scripts.
 */
async function packagedProgram(version, integrity, env) {
  const folder = mkdtempSync(path.join(env.RUNNER_TEMP || ".", "linkform-package-"));
  const clean = withoutSecrets(env);
  const spec = specOf(version, env);
  const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder, "--", spec];
  if ((await runCommand("npm", pack, folder, clean)) !== 0)
    return { problem: `The package ${spec} could not be downloaded. See the log.` };
  const [name] = readdirSync(folder);
  const found = `sha512-${createHash("sha512")
    .update(readFileSync(path.join(folder, name)))
    .digest("base64")}`;
  if (found !== integrity)
    return { problem: `The package ${spec} has the hash ${found}, which is not the one in the input integrity.` };
  if ((await runCommand("tar", ["-xzf", name], folder, clean)) !== 0)
    return { problem: `The package ${spec} could not be unpacked. See the log.` };
  const program = path.join(folder, "package/dist/cli.js");
  return existsSync(program) ? { program } : { problem: `The package ${spec} does not contain linkform.` };
}

/** A version of linkform, or a package specifier of npm if it has a slash or is a tarball. Paths start at the root of the checkout. */
function specOf(version, env) {
  if (!version.includes("/") && !version.endsWith(".tgz")) return `linkform@${version}`;
  const file = path.resolve(env.GITHUB_WORKSPACE || ".", version);
  return existsSync(file) ? file : version;
}

/** The environment without the inputs, the API keys and the tokens of GitHub. */
export function withoutSecrets(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:INPUT_|LINKFORM_|GITHUB_TOKEN$|GH_TOKEN$)/.test(name)),
  );
}

/** Runs linkform; resolves to its exit code. `out`: the descriptor of the file for its stdout. */
export async function runProgram(program, args, cwd, env, out = 1) {
  return runCommand(process.execPath, [program, ...args], cwd, env, out);
}

/** Writes stdout and stderr to one stream to keep their order, unless stdout has a file. Forwards signals and waits for the end. */
async function runCommand(command, args, cwd, env, out = 1) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", out, 1] });
  const signals = ["SIGINT", "SIGTERM"].map((name) => [name, () => child.kill(name)]);
  for (const [name, hand] of signals) process.on(name, hand);
  try {
    return await new Promise((resolve) => {
      child.once("error", (cause) => {
        process.stdout.write(`${command}: ${cause.message}\n`);
        resolve(1);
      });
      child.once("close", (code) => resolve(code ?? 130));
    });
  } finally {
    for (const [name, hand] of signals) process.off(name, hand);
  }
}
