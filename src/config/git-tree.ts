// The files of a project folder as they stood in a commit.

import { error } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { follow, type PathTree } from "../files/follow.ts";
import { findFiles, NO_CLOCK } from "./find-files.ts";
import type { Objects } from "./git-program.ts";
import { textOf, type FileSource } from "./source.ts";

interface File {
  readonly type: "file";
  readonly id: string;
}

interface Link {
  readonly type: "link";
  readonly id: string;
}

interface Folder {
  readonly type: "folder";
  readonly entries: Map<string, File | Link | Folder>;
}

/** Longer than any path: no system makes such a link. */
const MAX_TARGET = 4096;

/** All files of a commit. */
export class CommitTree {
  readonly #root: Folder;

  /** `listing` is the output of `git ls-tree -r -z --full-tree`. */
  constructor(listing: string) {
    this.#root = parseListing(listing);
  }

  /** The folder with this path; empty, or with `/` at its end. An empty folder where the commit has none. */
  folder(prefix: string): Folder {
    let here: Folder = this.#root;
    for (const step of prefix.split("/").filter((name) => name !== "")) {
      const inner = here.entries.get(step);
      if (inner?.type !== "folder") return { type: "folder", entries: new Map() };
      here = inner;
    }
    return here;
  }

  /** The paths of all files with such a name, sorted; not those that belong to installed packages. */
  named(isWanted: (name: string) => boolean): string[] {
    const found: string[] = [];
    const walk = ({ entries }: Folder, prefix: string): void => {
      for (const [name, entry] of entries) {
        if (entry.type === "folder") {
          if (name !== "node_modules") walk(entry, `${prefix}${name}/`);
        } else if (isWanted(name)) found.push(prefix + name);
      }
    };
    walk(this.#root, "");
    return found.toSorted(compareText);
  }
}

/** A commit's files below the project folder. Links are followed within it; what can't be followed is no file. */
export class CommitFiles implements FileSource {
  readonly #root: Folder;
  readonly #objects: Objects;
  readonly ref: string;
  /** Where the links lead, by the id of their object: read before the first of them is followed. */
  #targets: Map<string, string> | null = null;
  /** An object was asked for that this clone does not have. */
  isIncomplete = false;

  /** `prefix` is the project folder (empty, or with `/` at its end), `ref` the name that the user gave for the commit. */
  constructor(tree: CommitTree, prefix: string, objects: Objects, ref: string) {
    this.ref = ref;
    this.#root = tree.folder(prefix);
    this.#objects = objects;
  }

  /** Whether a file or link of this name lies in the project folder itself. */
  has(file: string): boolean {
    const entry = this.#root.entries.get(file);
    return entry !== undefined && entry.type !== "folder";
  }

  async read(file: string): ReturnType<FileSource["read"]> {
    const found = follow(await this.#tree(), [], file);
    const entry = "type" in found && found.type === "file" ? this.#at(found.path) : undefined;
    const bytes = entry?.type === "file" ? await this.#bytes(entry.id) : null;
    if (bytes !== null) return textOf(bytes, file, this.ref);
    const message = "This file is a link that can't be followed.";
    return { problem: error("file-unreadable", message, { file, line: 1, column: 1 }, "Put the file itself here.") };
  }

  async find(projectFile: string, globs: Parameters<FileSource["find"]>[1]): ReturnType<FileSource["find"]> {
    return findFiles(await this.#tree(), projectFile, globs, { isStrict: false, clock: NO_CLOCK });
  }

  async #tree(): Promise<PathTree> {
    const targets = (this.#targets ??= await this.#readTargets());
    return {
      entry: (path) => {
        const entry = this.#at(path);
        if (entry?.type !== "link") return entry === undefined ? null : { type: entry.type };
        const target = targets.get(entry.id) ?? "";
        const isOutside = target === "" || target.startsWith("/") || target.length > MAX_TARGET;
        return { type: "link", target: isOutside ? null : target };
      },
      names: (path) => {
        const folder = this.#at(path);
        return folder?.type === "folder" ? [...folder.entries.keys()] : [];
      },
    };
  }

  async #readTargets(): Promise<Map<string, string>> {
    const targets = new Map<string, string>();
    const folders = [this.#root];
    for (const { entries } of folders)
      for (const entry of entries.values()) {
        if (entry.type === "folder") folders.push(entry);
        else if (entry.type === "link") targets.set(entry.id, (await this.#bytes(entry.id))?.toString() ?? "");
      }
    return targets;
  }

  #at(path: readonly string[]): File | Link | Folder | undefined {
    let here: File | Link | Folder | undefined = this.#root;
    for (const name of path) here = here?.type === "folder" ? here.entries.get(name) : undefined;
    return here;
  }

  async #bytes(id: string): Promise<Buffer | null> {
    const bytes = await this.#objects.read(id);
    if (bytes === null) this.isIncomplete = true;
    return bytes;
  }
}

/** Lines of `<mode> <type> <id>\t<path>`, each ended by NUL. Submodules are skipped. */
function parseListing(listing: string): Folder {
  const root: Folder = { type: "folder", entries: new Map() };
  for (const line of listing.split("\0")) {
    const [, mode, id, file] = /^([0-7]+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || id === undefined || file === undefined) continue;
    const steps = file.split("/");
    const name = steps.pop() ?? "";
    let folder = root;
    for (const step of steps) {
      const inner: File | Link | Folder = folder.entries.get(step) ?? { type: "folder", entries: new Map() };
      folder.entries.set(step, inner);
      if (inner.type === "folder") folder = inner;
    }
    folder.entries.set(name, { type: mode === "120000" ? "link" : "file", id });
  }
  return root;
}
