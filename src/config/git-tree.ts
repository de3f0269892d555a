// Files by their path, as git lists them in a commit or in the index.

interface Leaf {
  readonly type: "file" | "link" | "submodule";
  /** The object. */
  readonly id: string;
  /** The index says not to look at the file in the work tree (skip-worktree, assume-unchanged). */
  readonly isSkipped: boolean;
}

export interface Folder {
  readonly type: "folder";
  readonly entries: Map<string, Leaf | Folder>;
}

export function entryAt(folder: Folder, path: readonly string[]): Leaf | Folder | undefined {
  let here: Leaf | Folder | undefined = folder;
  for (const name of path) here = here?.type === "folder" ? here.entries.get(name) : undefined;
  return here;
}

/** The prefix is empty or ends with `/`. */
export function folderAt(root: Folder, prefix: string): Folder {
  const found = entryAt(root, prefix.split("/").slice(0, -1));
  return found?.type === "folder" ? found : { type: "folder", entries: new Map() };
}

const TYPES = new Map<string, Leaf["type"]>([
  ["120000", "link"],
  ["160000", "submodule"],
]);

/**
 * Parses lines that end with NUL: `<mode> <type> <id>\t<path>` of `git ls-tree -r -z --full-tree`, or `<tag> <mode> <id> <stage>\t<path>`
 * of `git ls-files -v -s -z`. Of several lines with one path, the last one counts.
 */
export function parseListing(listing: string): Folder {
  const root: Folder = { type: "folder", entries: new Map() };
  for (const line of listing.split("\0")) {
    const [, tag = "", mode = "", id = "", file] =
      /^(?:([A-Za-z]) )?([0-7]{6}) (?:[a-z]+ )?([0-9a-f]+)(?: \d)?\t(.+)$/s.exec(line) ?? [];
    if (file === undefined) continue;
    const steps = file.split("/");
    let folder = root;
    for (const step of steps.slice(0, -1)) {
      const inner: Leaf | Folder = folder.entries.get(step) ?? { type: "folder", entries: new Map() };
      folder.entries.set(step, inner);
      if (inner.type === "folder") folder = inner;
    }
    folder.entries.set(steps.at(-1) ?? "", { type: TYPES.get(mode) ?? "file", id, isSkipped: /[a-zS]/.test(tag) });
  }
  return root;
}
