// Names for new files: made of names that people gave, fit for any file system, and found by the project's globs.

import { parsePathGlob, PathMatcher } from "../config/path-glob.ts";
import { fold } from "../domain/fold.ts";
import type { ResourceKind } from "../domain/table.ts";
import { UserError } from "../errors.ts";

/** Paths for new files of a project. Each is given once. */
export class FileNames {
  readonly #globs: readonly string[];
  /** Folded: what some file system takes for one name is one. */
  readonly #taken: Set<string>;

  /** `taken`: paths of files that are there, whether the project reads them or not. */
  constructor(globs: readonly string[], taken: Iterable<string>) {
    this.#globs = globs;
    this.#taken = new Set([...taken].map(fold));
  }

  /**
   * A path, relative to the project folder, for a file of this kind of objects that is named after something; `otherwise` is its
   * name where nothing of that can stand in one. Throws a user error if no glob finds a file of a new name.
   */
  pathFor(kind: ResourceKind, name: string, otherwise: string): string {
    const safe = safeName(name) ?? otherwise;
    // Who keeps pixels in a place of their own wants them there, and nothing else.
    const isFitting = (glob: string): boolean => /pixel/i.test(glob) === (kind === "pixel");
    const globs = [...this.#globs.filter(isFitting), ...this.#globs.filter((glob) => !isFitting(glob))];
    const glob = globs.find((one) => pathIn(one, safe) !== null || pathIn(one, `${safe}-2`) !== null);
    if (glob === undefined) {
      const listed = this.#globs.map((one) => `\`${one}\``).join(", ");
      const message = `No glob of \`files\` finds a new file: there is ${listed === "" ? "none" : `only ${listed}`}.`;
      const hint = "Add one for a folder, as `links/**/*.yaml`, with a file in it to begin with.";
      throw new UserError("no-glob", message, { hint });
    }
    for (let number = 1; ; number += 1) {
      const path = pathIn(glob, number === 1 ? safe : `${safe}-${number}`);
      if (path === null || this.#taken.has(fold(path))) continue;
      this.#taken.add(fold(path));
      return path;
    }
  }
}

/** The path of this name that a glob finds, in the first folder that fits; null where it finds none. */
function pathIn(glob: string, name: string): string | null {
  const segments = plainGlob(glob).split("/");
  const isOpen = segments.some((segment) => segment.includes("*"));
  const path = segments.flatMap((segment, at) => {
    if (segment === "**") return at === segments.length - 1 ? [`${name}.yaml`] : [];
    const first = segment.replaceAll(/\{([^{},]*),[^{}]*\}/g, "$1");
    return [first.replace(/\*+/, () => name).replaceAll("*", "")];
  });
  return isOpen && finds(glob, path.join("/")) ? path.join("/") : null;
}

function finds(glob: string, path: string): boolean {
  const read = parsePathGlob(plainGlob(glob));
  return "glob" in read && new PathMatcher([read.glob]).matches(path);
}

function plainGlob(glob: string): string {
  return glob.replace(/^\.\//, "").replace(/\/$/, "");
}

/** Longest in characters: with four bytes each it still fits where names have 255 bytes. */
const LONGEST = 50;

/** Names that Windows keeps for devices, whatever stands behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** What of a text can be the name of a file anywhere: letters, digits, `-`, `_` and dots within; null where nothing is left. */
export function safeName(text: string): string | null {
  const signs = text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replaceAll(/\.(?=\.)/g, "")
    .replaceAll(/-(?=-)/g, "");
  const name = trimmed([...trimmed(signs)].slice(0, LONGEST).join(""));
  if (name === "") return null;
  return DEVICE.test(name) ? `links-${name}` : name;
}

/** A mark stands behind the letter that it is of. */
function trimmed(name: string): string {
  return name.replace(/^[\p{M}._-]+/u, "").replace(/[._-]+$/, "");
}
