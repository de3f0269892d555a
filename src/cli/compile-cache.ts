// Keeps compiled code between runs, where Node can (22.8 and later): a command then starts in less time.

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Enables the cache in a folder that only this user can write to, because its content runs as code. Does nothing in CI, where it would be
 * written for each job and read by none, and on Windows, whose folders have no such mode.
 */
export function enableCompileCache(env: Environment): void {
  const user = process.getuid?.();
  // Imports would also be loaded for `--version`.
  const module = process.getBuiltinModule("node:module");
  if (user === undefined || env["CI"] || !("enableCompileCache" in module)) return;
  const { enableCompileCache: enable } = module;
  const folder = cacheFolder(env);
  if (typeof enable === "function" && folder !== null && isOwn(folder, user)) enable(folder);
}

/** Null without a home. A relative path would be in the project, and is invalid. */
function cacheFolder(env: Environment): string | null {
  const path = process.getBuiltinModule("node:path");
  const [caches = "", home = ""] = [env["XDG_CACHE_HOME"], env["HOME"]];
  if (path.isAbsolute(caches)) return path.join(caches, "linkform");
  return path.isAbsolute(home) ? path.join(home, ".cache", "linkform") : null;
}

const PRIVATE = 0o700;
const MODE = 0o777;

/** Whether this is a folder and no link, belongs to the user, and is closed to others. Creates it if it is missing. */
function isOwn(folder: string, user: number): boolean {
  const { lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & MODE) === PRIVATE;
  } catch {
    return false;
  }
}
