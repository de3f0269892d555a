// The resource files that a project's globs match: one search, on disk and in a commit.

import { append } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText, startOf, type Place } from "../domain/place.ts";
import { follow } from "../files/follow.ts";
import { osCode } from "../files/location.ts";
import { linkOutside, notCheckedOut, type Absent } from "./checkout.ts";
import type { FileSource } from "./file-source.ts";
import { isIgnored, parsePathGlob, PathMatcher, type PathGlob, type States } from "./path-glob.ts";
import { showCount } from "../domain/words.ts";

export const DEFAULT_FILES: readonly string[] = ["links/**/*.yaml"];

/** Far above what real projects need. */
const MAX_ENTRIES = 100_000;
const MAX_SECONDS = 120;

/**
 * The files that the globs match, sorted, without the project file. A file that is found by several names has the first of them.
 *
 * Errors: a glob that is not valid or matches nothing, an exceeded limit, and files that a checkout lacks. With `isStrict` also links
 * that are broken or lead out of the folder, and missing folders that may have such files. In a commit, these are not files.
 */
export function findFiles(
  source: Omit<FileSource, "ref" | "read">,
  projectFile: string,
  globs: readonly FileGlob[],
  isStrict: boolean = source.isStrict,
): { readonly files: string[]; readonly diagnostics: Diagnostic[] } {
  const { parsed, diagnostics } = parseGlobs(globs);
  const matcher = new PathMatcher(parsed.map(({ glob }) => glob));
  const now = (): number => source.clock?.now() ?? 0;
  const end = now() + MAX_SECONDS * 1000;
  let entries = 0;
  const files: { readonly name: string; readonly real: string }[] = [];
  const absent: Absent[] = [];
  const unusable: Diagnostic[] = [];
  /** Null, and an error, if the system refuses to read a path. */
  const attempt = <Result>(file: string, read: () => Result): Result | null => {
    try {
      return read();
    } catch (cause) {
      const message = `This path cannot be read (${osCode(cause)}).`;
      unusable.push(error("file-unreadable", message, startOf(file), "Fix its permissions."));
      return null;
    }
  };
  /** The numbers of the globs that match something. */
  const matching = new Set<number>();
  const open: { path: readonly string[]; prefix: string; states: States }[] = [
    { path: [], prefix: "", states: matcher.start },
  ];
  /** No folder is read twice for the same globs. */
  const seen = new Set<string>();
  for (let folder = open.pop(); folder; folder = open.pop()) {
    const { path, prefix } = folder;
    const key = `${path.join("/")}\0${folder.states.join(",")}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const below: typeof open = [];
    const names = attempt(prefix.replace(/\/$/, "") || ".", () => source.names(path).toSorted(compareText));
    for (const name of names ?? []) {
      entries += 1;
      const isLate = now() > end;
      if (isLate || entries > MAX_ENTRIES) {
        const what = isLate
          ? `takes more than ${MAX_SECONDS} seconds to search.`
          : `searches more than ${showCount(MAX_ENTRIES)} files and folders.`;
        const { pattern = "", place = null } = parsed[matcher.globs(folder.states).pending[0] ?? 0] ?? {};
        const hint = "Name the folders that contain resource files, such as `links/**/*.yaml`.";
        diagnostics.push(error("files-budget", `\`${pattern}\` ${what}`, place ?? startOf(projectFile), hint));
        return { files: [], diagnostics };
      }
      const states = isIgnored(name) ? [] : matcher.step(folder.states, name);
      if (states.length === 0) continue;
      const { matched, pending } = matcher.globs(states);
      const named = `${prefix}${name}`;
      const found = attempt(named, () => follow(source, path, name));
      if (found === null) continue;
      const absence = "path" in found ? (source.absence?.(found.path) ?? null) : null;
      if (absence !== null) {
        const wanted = isStrict && absence.mayBeFolder ? [...matched, ...pending] : matched;
        if (wanted.length > 0) absent.push({ ...absence, name: named });
        for (const one of wanted) matching.add(one);
      } else if ("unresolved" in found && found.unresolved !== "broken") {
        // Skip a link to a file that no glob matches, such as `venv/bin/python`.
        if (!isStrict || (matched.length === 0 && source.isFileOutside?.([...path, name]) === true)) continue;
        unusable.push(linkOutside(named));
        for (const one of [...matched, ...pending]) matching.add(one);
      } else if (!("unresolved" in found) && found.type === "folder") {
        if (pending.length > 0) below.push({ path: found.path, prefix: `${named}/`, states });
      } else if (matched.length > 0) {
        // Reading a broken link reports the error.
        const isBroken = "unresolved" in found || found.type === "missing";
        if (isBroken && !isStrict) continue;
        files.push({ name: named, real: isBroken ? named : found.path.join("/") });
        for (const one of matched) matching.add(one);
      }
    }
    append(open, below.toReversed());
  }
  append(diagnostics, notCheckedOut(absent));
  if (isStrict) append(diagnostics, unusable);
  for (const [at, { pattern, place }] of parsed.entries()) {
    if (place === null || matching.has(at)) continue;
    const hint = "Fix the glob or remove it. To match a whole folder, write `folder/**/*.yaml`.";
    diagnostics.push(error("no-such-files", `\`${pattern}\` matches no file.`, place, hint));
  }
  const project = follow(source, [], projectFile);
  const projectPath = "path" in project ? project.path.join("/") : projectFile;
  const byReal = new Map<string, string>();
  for (const { name, real } of files.toSorted((a, b) => compareText(a.name, b.name)))
    if (name !== projectFile && real !== projectPath && !byReal.has(real)) byReal.set(real, name);
  return { files: [...byReal.values()], diagnostics };
}

interface ParsedGlob extends FileGlob {
  readonly glob: PathGlob;
}

/** The valid globs, and an error for each of the others. */
export function parseGlobs(globs: readonly FileGlob[]): { parsed: ParsedGlob[]; diagnostics: Diagnostic[] } {
  const parsed: ParsedGlob[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { pattern, place } of globs) {
    const read = parsePathGlob(pattern);
    if ("glob" in read) parsed.push({ pattern, place, glob: read.glob });
    else diagnostics.push(error(read.code, `\`${pattern}\` ${read.message}`, place, read.hint));
  }
  return { parsed, diagnostics };
}

/** A glob of the project file and its place; null for the default. */
export interface FileGlob {
  readonly pattern: string;
  readonly place: Place | null;
}
