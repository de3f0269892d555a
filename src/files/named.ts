// Files that the user names on the command line. They may be anywhere, but a symbolic link in a checkout cannot lead out of it.

import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { ProjectFolder } from "./folder.ts";
import { fileError, readFrom, statsAt, type FileProblem, type Location } from "./location.ts";

/** Throws a path error if a link in a checkout leads the path out of it. */
export function locateNamed(cwd: string, named: string): Location {
  const file = path.resolve(cwd, named);
  const { root } = path.parse(file);
  const steps = file.slice(root.length).split(path.sep);
  // Resolved so far, and the nearest checkout around it. Links outside any checkout belong to this machine.
  let real = root;
  let checkout = rootAround(real);
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

/** The text of a file, `what` in messages. Throws a path error, or a user error if it cannot be read. */
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

/** Links outside a checkout are followed. */
export function typeAt({ path: file, isConfined }: Location): "file" | "folder" | "other" | "missing" {
  const found = statsAt(file, isConfined ? lstatSync : statSync);
  return found === undefined ? "missing" : found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

function rootAround(folder: string): string | null {
  if (hasRoot(folder)) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? null : rootAround(parent);
}

/** Whether a folder may be the root of files that somebody else has committed. */
function hasRoot(folder: string): boolean {
  return [".git", "linkform.yaml"].some((name) => exists(path.join(folder, name)));
}

/** Also for a link that leads nowhere. */
export function exists(file: string): boolean {
  return statsAt(file, lstatSync) !== undefined;
}

export function isLink(file: string): boolean {
  return statsAt(file, lstatSync)?.isSymbolicLink() === true;
}

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
  const isPath = ([key]: [string, unknown]): boolean => (isWindows ? key.toUpperCase() : key) === "PATH";
  // Systems search these folders without PATH.
  const [, folders = "/usr/bin:/bin"] = Object.entries(env).find(isPath) ?? [];
  for (const folder of folders.split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const file = path.join(folder, isWindows ? `${name}.exe` : name);
    try {
      accessSync(file, constants.X_OK);
      const isSafe = ![folder, file].some((one) => isBelow(realpathSync(one), excluded));
      if (isSafe && statSync(file).isFile()) return file;
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
