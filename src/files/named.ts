// Files that the user names on the command line. They may be anywhere, but a symbolic link in a checkout cannot lead out of it.

import { accessSync, constants, lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";
import { ProjectFolder } from "./folder.ts";
import { fileError, readFrom, type FileProblem, type Location } from "./location.ts";

/** What marks the root of files that somebody else may have committed. */
const ROOTS = [".git", "linkform.yaml"];

/** The place that a path on the command line names. Throws a path error if a link of a checkout leads it out of there. */
export function locateNamed(cwd: string, named: string): Location {
  const file = path.resolve(cwd, named);
  const { root } = path.parse(file);
  const steps = file.slice(root.length).split(path.sep);
  // Resolved so far, and the nearest checkout around it. Links outside any checkout are this machine's own.
  let real = root;
  let checkout = hasRoot(real) ? real : null;
  for (const [at, step] of steps.entries()) {
    const next = path.join(real, step);
    if (!isLink(next)) {
      real = next;
      if (at < steps.length - 1 && hasRoot(real)) checkout = real;
      continue;
    }
    if (checkout !== null) {
      const inside = path.join(path.relative(checkout, real), ...steps.slice(at));
      return new ProjectFolder(checkout).locate(inside.split(path.sep).join("/"), named);
    }
    try {
      real = realpathSync(next);
    } catch {
      break;
    }
    checkout = rootAround(real);
  }
  return { path: checkout === null ? file : real, shown: named, isConfined: checkout !== null };
}

/** The text of a file that the user names, `what` in messages. Throws a path error, or a user error if it cannot be read. */
export async function readNamed(
  cwd: string,
  file: string,
  what: string,
  problem: FileProblem,
  limit?: number,
): Promise<string> {
  try {
    return (await readFrom(locateNamed(cwd, file), limit)).toString("utf8");
  } catch (cause) {
    throw fileError(`${what} cannot be read`, cause, problem);
  }
}

/** What is at such a place; links outside a checkout are followed. */
export function typeAt({ path: file, isConfined }: Location): "file" | "folder" | "other" | "missing" {
  const found = statsAt(file, isConfined ? lstatSync : statSync);
  return found === undefined ? "missing" : found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

function rootAround(folder: string): string | null {
  if (hasRoot(folder)) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? null : rootAround(parent);
}

function hasRoot(folder: string): boolean {
  return ROOTS.some((name) => exists(path.join(folder, name)));
}

/** Whether anything has this name, if only a link that leads nowhere. */
export function exists(file: string): boolean {
  return statsAt(file, lstatSync) !== undefined;
}

export function isLink(file: string): boolean {
  return statsAt(file, lstatSync)?.isSymbolicLink() === true;
}

/** What `read` finds; undefined if nothing is there, or it cannot be read. */
function statsAt(file: string, read: typeof statSync): Stats | undefined {
  try {
    return read(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The folders that a system searches without PATH. */
const DEFAULT_PATH = "/usr/bin:/bin";

/**
 * The absolute path of a program in the folders of PATH; null if there is none. A commit may have added one in the folder `excluded` or
 * in the working directory, so these are not searched.
 */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  excluded: string,
): string | null {
  const isWindows = process.platform === "win32";
  const variable = Object.keys(env).find((key) => (isWindows ? key.toUpperCase() : key) === "PATH");
  const folders = (variable === undefined ? undefined : env[variable]) ?? DEFAULT_PATH;
  for (const folder of folders.split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const file = path.join(folder, isWindows ? `${name}.exe` : name);
    try {
      accessSync(file, constants.X_OK);
      const isFound = statSync(file).isFile() && ![folder, file].some((one) => isBelow(realpathSync(one), excluded));
      if (isFound) return file;
    } catch {
      // It does not exist, or this user cannot run it.
    }
  }
  return null;
}

function isBelow(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
