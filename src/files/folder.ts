// The folder of a project on disk. Every path is resolved inside it; a link that leads out of it is an error and is not followed.

import { lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";
import { follow, type PathEntry, type ResolvedPath, type PathTree } from "./follow.ts";
import { insideGit, outside, readFrom, osCode, statsAt, systemError, type Location } from "./location.ts";

export class ProjectFolder implements PathTree {
  /** Absolute, and without links. The folder may be missing. */
  readonly root: string;

  constructor(folder: string) {
    this.root = realFolder(path.resolve(folder));
  }

  entry(names: readonly string[]): PathEntry | null {
    const place = path.join(this.root, ...names);
    const found = entryAt(place);
    if (found === undefined) return null;
    if (found.isSymbolicLink()) return { type: "link", target: readlinkSync(place).split(path.sep).join("/") };
    return { type: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other" };
  }

  names(names: readonly string[]): readonly string[] {
    return readdirSync(path.join(this.root, ...names));
  }

  isFileOutside(names: readonly string[]): boolean {
    return statsAt(path.join(this.root, ...names), statSync)?.isFile() === true;
  }

  /** `file` is relative to the folder, with `/`. */
  resolve(file: string): ResolvedPath {
    return follow(this, [], file);
  }

  /** Where a file is or can be created. Throws a path error if that is outside the folder. */
  locate(file: string, shown: string = file): Location {
    const found = this.resolve(file);
    if ("unresolved" in found) {
      if (found.unresolved === "broken") throw systemError("ELOOP");
      throw (found.unresolved === "outside" ? outside : insideGit)(found.link);
    }
    return { path: path.join(this.root, ...found.path), shown, isConfined: true };
  }

  /** Throws a path error, or the system's error. */
  async read(file: string, limit?: number): Promise<Buffer> {
    return readFrom(this.locate(file), limit);
  }

  /** Returns the new folders, the outermost first. */
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

function entryAt(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch (cause) {
    // No file has such a name.
    if (osCode(cause) === "ENAMETOOLONG") return undefined;
    throw cause;
  }
}

/** The path without links, as far as it exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realFolder(parent), path.basename(folder));
  }
}
