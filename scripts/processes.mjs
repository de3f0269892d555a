// Runs the built program for the scripts: to its end, or its sandbox in this process. Nothing outlives a script.

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");
export const CLI = path.join(ROOT, "dist/cli.js");

/** The environment of what the scripts run: without settings, keys, proxies or the CI system of the caller. */
export const cleanEnv = { PATH: process.env.PATH };

const folders = [];
const sandboxes = [];

process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

/** Runs a script's main function. An error is printed as one line, and the script then ends with 1. */
export async function main(run) {
  try {
    await run();
  } catch (cause) {
    console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`);
    process.exitCode = 1;
  }
  for (const sandbox of sandboxes) await sandbox.close();
}

/** A new folder that is deleted at the end of the script. */
export async function scratchFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-script-"));
  folders.push(folder);
  return folder;
}

/** Runs `linkform` with these arguments to its end. Resolves to its exit code and both streams. */
export function linkform(args, cwd, env) {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd, env }, (failed, out, err) =>
      resolve({ code: failed === null ? 0 : (failed.code ?? 1), out, err }),
    );
  });
}

/** Starts a sandbox of the built program without a rate limit, which ends with the script. */
export async function startSandbox(options) {
  const { startSandbox: start } = await import("../dist/sandbox.js");
  const sandbox = await start({ rateLimit: 0, ...options });
  sandboxes.push(sandbox);
  return sandbox;
}
