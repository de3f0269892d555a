// Names for new files: valid on every file system, and matched by the globs of the project.

import { isJsonFile } from "../config/json.ts";
import { parsePathGlob, PathMatcher } from "../config/path-glob.ts";
import { fold } from "../domain/fold.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import { UserError } from "../errors.ts";

export class FileNames {
  readonly #globs: readonly string[];
  /** Folded, because some file systems ignore case and accents. */
  readonly #taken: Set<string>;
  readonly #exists: (path: string) => boolean;

  /** `taken`: paths of the project's files. `exists`: whether there is another file, or a folder. */
  constructor(globs: readonly string[], taken: Iterable<string>, exists: (path: string) => boolean = () => false) {
    this.#globs = globs;
    this.#taken = new Set([...taken].map(fold));
    this.#exists = exists;
  }

  /** A path in the project; without valid characters in `name`, that of the section. Throws a user error if no glob matches a new file. */
  pathFor(kind: ResourceKind, name: string): string {
    const safe = safeName(name) ?? SECTION[kind];
    // A glob with `pixel` in it is for pixels only.
    const isFitting = (glob: string): boolean => /pixel/i.test(glob) === (kind === "pixel");
    const globs = [...this.#globs.filter(isFitting), ...this.#globs.filter((glob) => !isFitting(glob))];
    const glob = globs.find((one) => pathIn(one, safe) !== null || pathIn(one, `${safe}-2`) !== null);
    if (glob === undefined) {
      const listed = this.#globs.map((one) => `\`${one}\``).join(", ");
      const message = `No glob in \`files\` matches the path of a new file (${listed === "" ? "no globs" : listed}).`;
      const hint = "Add a glob for a folder, such as `links/**/*.yaml`, and create a file in this folder.";
      throw new UserError("no-glob", message, { hint });
    }
    for (let number = 1; ; number += 1) {
      const path = pathIn(glob, number === 1 ? safe : `${safe}-${number}`);
      if (path === null || this.#taken.has(fold(path)) || this.#exists(path)) continue;
      this.#taken.add(fold(path));
      return path;
    }
  }
}

/** The path with this name in the first folder that the glob matches; null if there is none. */
export function pathIn(glob: string, name: string): string | null {
  const plain = glob.replace(/^\.\//, "").replace(/\/$/, "");
  const segments = plain.split("/");
  const isOpen = segments.some((segment) => segment.includes("*"));
  const names = segments.flatMap((segment, at) => {
    if (segment === "**") return at === segments.length - 1 ? [`${name}.yaml`] : [];
    const first = segment.replaceAll(/\{([^{},]*),[^{}]*\}/g, "$1");
    return [first.replace(/\*+/, () => name).replaceAll("*", "")];
  });
  const path = names.join("/");
  const read = parsePathGlob(plain);
  const isRead = "glob" in read && new PathMatcher([read.glob]).matches(path);
  // A new file is YAML.
  return isOpen && !isJsonFile(plain) && isRead ? path : null;
}

/** In characters. Names may have 255 bytes, and a character at most four. */
const MAX_LENGTH = 50;

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** The letters, digits, `-`, `_` and inner dots of a text; null if there are none. */
export function safeName(text: string): string | null {
  const characters = text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replaceAll(/\.(?=\.)/g, "")
    .replaceAll(/-(?=-)/g, "");
  const name = trimmed([...trimmed(characters)].slice(0, MAX_LENGTH).join(""));
  if (name === "") return null;
  return DEVICE.test(name) ? `links-${name}` : name;
}

/** A name cannot begin with a combining mark. */
function trimmed(name: string): string {
  return name.replace(/^[\p{M}._-]+/u, "").replace(/[._-]+$/, "");
}
