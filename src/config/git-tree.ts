// The files of a project folder as they stood in a commit.

import path from "node:path";
import picomatch from "picomatch";
import { error } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import type { Objects } from "./git-program.ts";
import { matchGlobs, NEVER_READ, textOf, type FileSource } from "./source.ts";

interface File {
  readonly type: "file" | "link";
  readonly id: string;
}

interface Folder {
  readonly type: "folder";
  readonly entries: Map<string, File | Folder>;
}

/** What a path leads to, links followed: the way to it that has no links, and what is there. */
interface Found {
  readonly way: readonly string[];
  readonly entry: File | Folder;
}

/** A file as it is found by its name, and where it really lies. */
interface Listed {
  readonly name: string;
  readonly real: string;
}

/** As many as an operating system follows. */
const MOST_LINKS = 40;

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
    const found = await this.#follow([], file);
    const bytes = found?.entry.type === "file" ? await this.#bytes(found.entry.id) : null;
    if (bytes !== null) return textOf(bytes, file, this.ref);
    const message = "This file is a link that can't be followed.";
    return { problem: error("file-unreadable", message, { file, line: 1, column: 1 }, "Put the file itself here.") };
  }

  async find(projectFile: string, globs: Parameters<FileSource["find"]>[1]): ReturnType<FileSource["find"]> {
    const listed = await this.#list(this.#root, [], "", new Set([this.#root]));
    const isIgnored = picomatch([NEVER_READ], { posix: true });
    const names = listed.map(({ name }) => name).filter((name) => !isIgnored(name));
    const { files, diagnostics } = await matchGlobs(globs, async (pattern) => {
      // As tinyglobby puts it in order.
      const matches = picomatch([path.posix.normalize(pattern.replace(/\/$/, ""))], { posix: true });
      return names.filter((name) => matches(name));
    });
    // As on disk: a file that is reached in two ways is one file, by its first name.
    const byReal = new Map<string, string>();
    for (const { name, real } of listed.toSorted((a, b) => compareText(a.name, b.name)))
      if (files.has(name) && real !== projectFile && name !== projectFile && !byReal.has(real)) byReal.set(real, name);
    return { files: [...byReal.values()], diagnostics };
  }

  /**
   * Every file below a folder. A link to a folder that one is in already would have no end; on disk its files are met once
   * more under another name, here they are not.
   */
  async #list(
    { entries }: Folder,
    way: readonly string[],
    prefix: string,
    within: ReadonlySet<Folder>,
  ): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (const [name, entry] of entries) {
      const found = entry.type === "link" ? await this.#follow(way, name) : { way: [...way, name], entry };
      if (found?.entry.type === "file") listed.push({ name: `${prefix}${name}`, real: found.way.join("/") });
      if (found?.entry.type !== "folder" || within.has(found.entry)) continue;
      const inside = new Set([...within, found.entry]);
      for (const file of await this.#list(found.entry, found.way, `${prefix}${name}/`, inside)) listed.push(file);
    }
    return listed;
  }

  /** What a path leads to from a folder, or null where it leads nowhere or out of the project folder. */
  async #follow(from: readonly string[], target: string): Promise<Found | null> {
    let way = [...from];
    const steps = target.split("/");
    for (let links = 0; steps.length > 0;) {
      const step = steps.shift();
      if (step === undefined || step === "" || step === ".") continue;
      if (step === "..") {
        if (way.length === 0) return null;
        way = way.slice(0, -1);
        continue;
      }
      const here = this.#at(way);
      const entry = here?.type === "folder" ? here.entries.get(step) : undefined;
      if (entry === undefined) return null;
      if (entry.type !== "link") {
        way = [...way, step];
        continue;
      }
      links += 1;
      const leads = links > MOST_LINKS ? null : ((await this.#bytes(entry.id))?.toString() ?? null);
      if (leads === null || leads.startsWith("/")) return null;
      steps.unshift(...leads.split("/"));
    }
    const entry = this.#at(way);
    return entry === undefined ? null : { way, entry };
  }

  #at(way: readonly string[]): File | Folder | undefined {
    let here: File | Folder | undefined = this.#root;
    for (const step of way) here = here?.type === "folder" ? here.entries.get(step) : undefined;
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
      const inner: File | Folder = folder.entries.get(step) ?? { type: "folder", entries: new Map() };
      folder.entries.set(step, inner);
      if (inner.type === "folder") folder = inner;
    }
    folder.entries.set(name, { type: mode === "120000" ? "link" : "file", id });
  }
  return root;
}
