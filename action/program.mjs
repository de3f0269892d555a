// Installs and runs linkform.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The checkout of the action. */
const ROOT = path.resolve(import.meta.dirname, "..");

/**
 * The path of the program: the build in the action's checkout if no version is requested, otherwise the package that npm
 * installs. npm runs in a new folder, so that `.npmrc` and `node_modules` of the checkout have no effect. It runs no scripts
 * and no shell. Null if the installation fails.
 */
export async function findProgram(version, env) {
  const built = path.join(ROOT, "dist/cli.js");
  if (version === "" && existsSync(built)) return built;
  const spec = specOf(version || versionOf(ROOT), env);
  const folder = path.join(
    env.RUNNER_TEMP || ".",
    `linkform-${createHash("sha256").update(spec).digest("hex").slice(0, 16)}`,
  );
  const own = path.join(folder, "node_modules/linkform");
  if (!existsSync(path.join(own, "package.json"))) {
    mkdirSync(folder, { recursive: true });
    const args = [
      "install",
      "--prefix",
      folder,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--",
      spec,
    ];
    if ((await runCommand("npm", args, folder, withoutSecrets(env))) !== 0) return null;
  }
  return path.join(own, JSON.parse(readFileSync(path.join(own, "package.json"), "utf8")).bin.linkform);
}

/** A version of linkform, or a package specifier of npm if it has a slash or is a tarball. Paths start at the root of the checkout. */
function specOf(version, env) {
  if (!version.includes("/") && !version.endsWith(".tgz")) return `linkform@${version}`;
  const file = path.resolve(env.GITHUB_WORKSPACE || ".", version);
  return existsSync(file) ? file : version;
}

function versionOf(root) {
  return JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).version;
}

function withoutSecrets(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:INPUT_|LINKFORM_|GITHUB_TOKEN$|GH_TOKEN$)/.test(name)),
  );
}

/** Runs linkform; resolves to its exit code. */
export async function runProgram(program, args, cwd, env) {
  return runCommand(process.execPath, [program, ...args], cwd, env);
}

/** Writes stdout and stderr to one stream to keep their order. Forwards signals and waits for the end. */
async function runCommand(command, args, cwd, env) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", 1, 1] });
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
