// Runs the built program for the scripts: to its end, or as a sandbox. Nothing outlives the script, whatever ends it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..");
export const CLI = path.join(ROOT, "dist/cli.js");

/** The environment of what the scripts run: without settings, keys, proxies or the CI system of the caller. */
export const cleanEnv = { PATH: process.env.PATH };

const children = new Set();
const folders = [];

function cleanUp() {
  for (const child of children) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

process.once("exit", cleanUp);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

/** Runs a script's main function; what it throws is said in one line, and the script then ends with 1. */
export async function main(run) {
  try {
    await run();
  } catch (cause) {
    console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`);
    process.exitCode = 1;
  } finally {
    cleanUp();
  }
}

/** A new folder that goes with the script. */
export async function scratchFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-script-"));
  folders.push(folder);
  return folder;
}

function start(args, options) {
  const child = spawn(process.execPath, [CLI, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  child.once("close", () => children.delete(child));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8");
  return child;
}

/** Runs `linkform` with these arguments to its end; resolves to its exit code and both streams. */
export async function linkform(args, cwd, env) {
  const child = start(args, { cwd, env });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  const [code] = await once(child, "close");
  return { code, ...said };
}

/** Starts a sandbox on a free port and waits until it says where. `stop` resolves when it has ended. */
export async function startSandbox(args, env) {
  const child = start(["sandbox", "--port", "0", "--rate-limit", "0", ...args], { env });
  const ended = once(child, "close");
  let said = "";
  const ready = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => {
        said += text;
        const url = /listens on (http:\S+)/.exec(said)?.[1];
        const apiKey = /LINKFORM_API_KEY=(\S+)\n/.exec(said)?.[1];
        if (url !== undefined && apiKey !== undefined) resolve({ url, apiKey });
      });
    }
    child.once("close", (code) => reject(new Error(`The sandbox ended with exit code ${code}.\n${said}`)));
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { ...(await ready), stop };
}
