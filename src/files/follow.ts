// Resolving a path in a tree with symbolic links. A link that leads out of the tree is an answer; nothing outside is looked at.

/** What is at a path. The target of a link has `/` between its names. */
export type PathEntry =
  | { readonly type: "file" | "folder" | "other" }
  | { readonly type: "link"; readonly target: string };

/** A folder on disk, or in a commit. Paths are lists of names from its root; no name on the way may be a link. */
export interface PathTree {
  entry(path: readonly string[]): PathEntry | null;
  names(path: readonly string[]): readonly string[];
  /** Whether a link that leads out leads to a file. The file is not read. Left out: not known. */
  isFileOutside?(path: readonly string[]): boolean;
}

export type ResolvedPath =
  | { readonly type: "file" | "folder" | "other"; readonly path: readonly string[] }
  /** `path` has no links, so a file can be created at it. `link` is the link that names it, if any. */
  | { readonly type: "missing"; readonly path: readonly string[]; readonly link: string | null }
  | Unresolved;

/**
 * `outside`: a link, or the path itself, leads out. `git`: it leads into git's own folder. `broken`: a cycle of links, or a link
 * through a missing folder.
 */
export interface Unresolved {
  readonly unresolved: "outside" | "git" | "broken";
  readonly link: string;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Whether a name is git's own folder, on any file system: its configuration may hold a token, and its hooks are run. */
export function isGitFolder(name: string): boolean {
  return /^(?:\.git|git~1)[ .]*$/i.test(name);
}

/** Resolves a path, with `/`, from a folder of the tree. */
export function follow(tree: PathTree, from: readonly string[], named: string): ResolvedPath {
  const names = named.split("/");
  /** The next name is the last one. `at` is the name of `names` that led to it. */
  const rest = names.map((name, at) => ({ name, at })).toReversed();
  const path = [...from];
  let links = 0;
  let lastLink: string | null = null;
  let last: "file" | "folder" | "other" | "missing" = "folder";
  for (let step = rest.pop(); step; step = rest.pop()) {
    const { name, at } = step;
    const asNamed = names.slice(0, at + 1).join("/");
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (last !== "folder") return { unresolved: "broken", link: asNamed };
      if (path.pop() === undefined) return { unresolved: "outside", link: asNamed };
      last = "folder";
      continue;
    }
    if (isGitFolder(name)) return { unresolved: "git", link: asNamed };
    path.push(name);
    // No file system has a name with NUL.
    const entry: PathEntry | null = last !== "folder" || name.includes("\0") ? null : tree.entry(path);
    if (entry?.type !== "link") {
      last = entry?.type ?? "missing";
      continue;
    }
    path.pop();
    links += 1;
    lastLink = asNamed;
    // An absolute path differs between machines, so it leads out even if it names a place in the tree.
    if (/^(?:$|\/|[a-z]:\/)/i.test(entry.target)) return { unresolved: "outside", link: asNamed };
    if (links > MAX_LINKS) return { unresolved: "broken", link: asNamed };
    for (const each of entry.target.split("/").toReversed()) rest.push({ name: each, at });
    last = "folder";
  }
  return last === "missing" ? { type: last, path, link: lastLink } : { type: last, path };
}
