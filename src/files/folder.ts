// The folder of a project on disk. Every path is resolved inside it; a link that leads out of it is an error and is not followed.

import { lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";
import { follow, isGitFolder, type PathEntry, type Resolved, type PathTree, type Unresolved } from "./follow.ts";
import { insideGit, outside, readFrom, systemCode, systemError, type Location } from "./location.ts";

export class ProjectFolder implements PathTree {
  /** Absolute, and without links. The folder may be missing. */
  readonly root: string;

  constructor(folder: string) {
    this.root = realFolder(path.resolve(folder));
  }

  entry(names: readonly string[]): PathEntry | null {
    const place = path.join(this.root, ...names);
    const found = entryAt(place);
    if (found === null) return null;
    if (found.isSymbolicLink()) return { type: "link", target: this.#target(readlinkSync(place)) };
    return { type: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other" };
  }

  names(names: readonly string[]): readonly string[] {
    return readdirSync(path.join(this.root, ...names));
  }

  isFileOutside(names: readonly string[]): boolean {
    try {
      return statSync(path.join(this.root, ...names)).isFile();
    } catch {
      return false;
    }
  }

  /** An absolute link may lead to a place in the folder, too. */
  #target(target: string): string | null {
    const found = path.isAbsolute(target) ? this.#insideOf(target) : target;
    return found === null ? null : found.split(path.sep).join("/");
  }

  /** An absolute path from the root on; null if it does not go through the root. */
  #insideOf(target: string): string | null {
    const start = this.root.endsWith(path.sep) ? this.root : `${this.root}${path.sep}`;
    if (target.startsWith(start)) return `/${target.slice(start.length)}`;
    // The way to the root may have links: /tmp is one on macOS.
    for (let end = target.indexOf(path.sep, 1); end > 0; end = target.indexOf(path.sep, end + 1))
      if (realFolder(target.slice(0, end)) === this.root) return target.slice(end);
    return null;
  }

  /** What a path, relative to the folder and with `/`, leads to. */
  resolve(file: string): Resolved {
    return follow(this, [], file);
  }

  /** The place of a file that is there, or that can be created. Throws a path error for one that is outside. */
  locate(file: string, shown: string = file): Location {
    const found = this.resolve(file);
    if ("unresolved" in found) throw unresolvedError(found);
    return { path: path.join(this.root, ...found.path), shown, isConfined: true };
  }

  /** The bytes of a file. Throws a path error, or the system's error. */
  async read(file: string, limit?: number): Promise<Buffer> {
    return readFrom(this.locate(file), limit);
  }

  /** Every file below the folder, links among them; what git and packages keep there is nobody's links. Not more than `most`. */
  filesBelow(most: number): string[] {
    const files: string[] = [];
    const folders: (readonly string[])[] = [[]];
    for (const folder of folders) {
      if (files.length >= most || folders.length > most) break;
      for (const name of this.names(folder)) {
        if (isGitFolder(name) || name === "node_modules") continue;
        const found = [...folder, name];
        if (this.entry(found)?.type === "folder") folders.push(found);
        else files.push(found.join("/"));
      }
    }
    return files;
  }

  /** Creates the folder that a file is to be in, and those above it; returns the new ones, the outer ones first. */
  makeFolderOf(file: string): string[] {
    const missing: string[] = [];
    for (let at = path.dirname(this.locate(file).path); ; at = path.dirname(at)) {
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined || at === path.dirname(at)) break;
      missing.unshift(at);
    }
    for (const folder of missing) mkdirSync(folder);
    return missing;
  }
}

function unresolvedError({ unresolved, link }: Unresolved): Error {
  if (unresolved === "outside") return outside(link);
  return unresolved === "git" ? insideGit(link) : systemError("ELOOP");
}

/** No file has a name that is longer than the system allows. */
function entryAt(place: string): Stats | null {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    if (systemCode(cause) === "ENAMETOOLONG") return null;
    throw cause;
  }
}

/** A folder without links, as far as it exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realFolder(parent), path.basename(folder));
  }
}
