#!/usr/bin/env node
// The entry point. Prints the version without loading more than that, or runs the program. Where Node can (22.8 and later), it keeps compiled
// code between runs: a command then starts in less time.

import { VERSION } from "./version.ts";

const [argument, ...others] = process.argv.slice(2);
if (others.length === 0 && (argument === "--version" || argument === "-v")) {
  process.stdout.on("error", () => undefined);
  process.stdout.write(`${VERSION}\n`);
} else {
  enableCompileCache();
  await (await import("./cli/main.ts")).main();
}

/**
 * Enables the cache in a folder that only this user can write to, because its content runs as code. Does nothing in CI, where it would be
 * written for each job and read by none, and on Windows, whose folders have no such mode.
 */
function enableCompileCache(): void {
  const user = process.getuid?.();
  // Imports would also be loaded for `--version`.
  const module = process.getBuiltinModule("node:module");
  if (user === undefined || process.env["CI"] || !("enableCompileCache" in module)) return;
  const { enableCompileCache: enable } = module;
  const folder = cacheFolder();
  if (typeof enable === "function" && folder !== null && isOwn(folder, user)) enable(folder);
}

/** Null without a home. A relative path would be in the project, and is invalid. */
function cacheFolder(): string | null {
  const path = process.getBuiltinModule("node:path");
  const [caches = "", home = ""] = [process.env["XDG_CACHE_HOME"], process.env["HOME"]];
  if (path.isAbsolute(caches)) return path.join(caches, "linkform");
  return path.isAbsolute(home) ? path.join(home, ".cache", "linkform") : null;
}

/** Whether this is a folder and no link, belongs to the user, and is closed to others. Creates it if it is missing. */
function isOwn(folder: string, user: number): boolean {
  const { lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o777) === 0o700;
  } catch {
    return false;
  }
}
