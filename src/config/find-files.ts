// The resource files that a project's globs match: one search, on disk and in a commit.

import { append } from "../domain/collections.ts";
import type { Clock } from "../domain/clock.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText, type Place } from "../domain/place.ts";
import { follow, type Resolved, type PathTree } from "../files/follow.ts";
import { systemCode } from "../files/location.ts";
import { leavesFolder } from "./field-schema.ts";
import { isIgnored, parsePathGlob, PathMatcher, type PathGlob, type States } from "./path-glob.ts";
import type { FileGlob } from "./source.ts";

/** Files and folders that a search may look at: far above honest use, and searched in seconds. */
const MAX_ENTRIES = 100_000;
const MAX_SECONDS = 120;

/** What limits the time of a search. */
export type SearchClock = Pick<Clock, "now">;

/** A clock that never ends a search. */
export const NO_CLOCK: SearchClock = { now: () => 0 };

/** The remaining budget of a search, shared by all searches for one list of globs. */
class Budget {
  readonly #clock: SearchClock;
  readonly #end: number;
  #entries = MAX_ENTRIES;

  constructor(clock: SearchClock) {
    this.#clock = clock;
    this.#end = clock.now() + MAX_SECONDS * 1000;
  }

  /** Takes one entry from the budget. Returns the limit that is exceeded, or null. */
  spend(): string | null {
    this.#entries -= 1;
    if (this.#entries < 0) return `looks at more than ${MAX_ENTRIES.toLocaleString("en-US")} files and folders.`;
    return this.#clock.now() > this.#end ? `takes more than ${MAX_SECONDS} seconds to search.` : null;
  }
}

/** A name, and the globs that match it or may match something below it. */
interface Match {
  readonly name: string;
  readonly globs: readonly number[];
}

/** A file, and its path without links. */
interface FoundFiles extends Match {
  readonly real: string;
}

interface Search {
  readonly found: readonly FoundFiles[];
  /** Links that lead out of the folder, where a glob would follow them. */
  readonly outside: readonly Match[];
  /** Links to nothing that globs match. */
  readonly broken: readonly FoundFiles[];
  readonly unreadable: ReadonlyMap<string, string>;
  /** What was used up before the end, and by which glob. */
  readonly exceeded: { readonly glob: number; readonly what: string } | null;
}

/** Walks the folders that globs may match something in, each once for the same rest of the globs, the first by name first. */
function search(tree: PathTree, globs: readonly PathGlob[], budget: Budget): Search {
  const matcher = new PathMatcher(globs);
  const [found, broken]: [FoundFiles[], FoundFiles[]] = [[], []];
  const outside: Match[] = [];
  const unreadable = new Map<string, string>();
  const open: { path: readonly string[]; prefix: string; states: States }[] = [
    { path: [], prefix: "", states: matcher.start },
  ];
  const seen = new Set<string>();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const key = `${folder.path.join("/")}\0${folder.states.join(",")}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const below: typeof open = [];
    for (const name of namesIn(tree, folder, unreadable)) {
      const what = budget.spend();
      if (what !== null) {
        const exceeded = { glob: matcher.pending(folder.states)[0] ?? 0, what };
        return { found, outside, broken, unreadable, exceeded };
      }
      const states = isIgnored(name) ? [] : matcher.step(folder.states, name);
      if (states.length === 0) continue;
      const [matched, pending] = [matcher.matched(states), matcher.pending(states)];
      const named = `${folder.prefix}${name}`;
      const there = followed(tree, folder.path, name);
      if (there === null) {
        unreadable.set(named, "EACCES");
        continue;
      }
      if ("unresolved" in there && there.unresolved !== "broken") {
        // A file that no glob matches is none of the project's, such as `venv/bin/python`.
        if (matched.length > 0 || tree.isFileOutside?.([...folder.path, name]) !== true)
          outside.push({ name: named, globs: [...matched, ...pending] });
      } else if ("unresolved" in there || there.type === "missing") {
        if (matched.length > 0) broken.push({ name: named, real: named, globs: matched });
      } else if (there.type === "folder") {
        if (pending.length > 0) below.push({ path: there.path, prefix: `${named}/`, states });
      } else if (matched.length > 0) found.push({ name: named, real: there.path.join("/"), globs: matched });
    }
    append(open, below.toReversed());
  }
  return { found, outside, broken, unreadable, exceeded: null };
}

/** Null if the system cannot list the folder. */
function followed(tree: PathTree, from: readonly string[], name: string): Resolved | null {
  try {
    return follow(tree, from, name);
  } catch {
    return null;
  }
}

function namesIn(
  tree: PathTree,
  { path, prefix }: { readonly path: readonly string[]; readonly prefix: string },
  unreadable: Map<string, string>,
): string[] {
  try {
    return tree.names(path).toSorted(compareText);
  } catch (cause) {
    unreadable.set(prefix.replace(/\/$/, "") || ".", systemCode(cause));
    return [];
  }
}

/** A valid glob, and where it is. */
interface ParsedGlob extends FileGlob {
  readonly glob: PathGlob;
}

/**
 * The files that the globs match, sorted, each once: the first name by which it is found; not the project file. Globs that are wrong or
 * match nothing are errors, and so is what keeps the search from its end. On disk (`isStrict`) links that lead nowhere or out of the
 * folder are errors as well; in a commit they are no files.
 */
export async function findFiles(
  tree: PathTree,
  projectFile: string,
  globs: readonly FileGlob[],
  { isStrict, clock }: { readonly isStrict: boolean; readonly clock: SearchClock },
): Promise<{ files: string[]; diagnostics: Diagnostic[] }> {
  const { parsed, diagnostics } = parseGlobs(globs);
  const budget = new Budget(clock);
  const result = search(
    tree,
    parsed.map(({ glob }) => glob),
    budget,
  );
  const start = (file: string): Place => ({ file, line: 1, column: 1 });
  if (result.exceeded !== null) {
    const { pattern = "", place = null } = parsed[result.exceeded.glob] ?? {};
    const hint = "Name the folders that hold resource files: `links/**/*.yaml`.";
    const message = `\`${pattern}\` ${result.exceeded.what}`;
    return {
      files: [],
      diagnostics: [...diagnostics, error("files-budget", message, place ?? start(projectFile), hint)],
    };
  }
  const found = isStrict ? [...result.found, ...result.broken] : result.found;
  if (isStrict) {
    for (const { name } of result.outside) diagnostics.push(leadsOut(name));
    for (const [folder, code] of result.unreadable)
      diagnostics.push(
        error("file-unreadable", `This cannot be read (${code}).`, start(folder), "Correct its permissions."),
      );
  }
  const project = follow(tree, [], projectFile);
  const itself = "path" in project ? project.path.join("/") : projectFile;
  for (const [at, one] of parsed.entries()) {
    const matches = isStrict ? [...found, ...result.outside] : found;
    if (one.place === null || matches.some((match) => match.globs.includes(at))) continue;
    const hint = await hintFor(one.pattern, (_, other) => search(tree, [other], budget).found.length > 0);
    diagnostics.push(error("no-such-files", `\`${one.pattern}\` matches no file.`, one.place, hint));
  }
  const byReal = new Map<string, string>();
  for (const { name, real } of found.toSorted((a, b) => compareText(a.name, b.name)))
    if (name !== projectFile && real !== itself && !byReal.has(real)) byReal.set(real, name);
  return { files: [...byReal.values()], diagnostics };
}

export function leadsOut(link: string): Diagnostic {
  const message = "This link leads out of the project folder.";
  const hint = "Replace it with the file or folder itself.";
  return error("outside-project", message, { file: link, line: 1, column: 1 }, hint);
}

/** The valid globs, and an error for each of the others. */
export function parseGlobs(globs: readonly FileGlob[]): { parsed: ParsedGlob[]; diagnostics: Diagnostic[] } {
  const parsed: ParsedGlob[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { pattern, place } of globs) {
    const read = globProblem(pattern, place) ?? parsePathGlob(pattern);
    if ("severity" in read) diagnostics.push(read);
    else if ("problem" in read)
      diagnostics.push(error("wrong-glob", `\`${pattern}\` ${read.problem.message}`, place, read.problem.hint));
    else parsed.push({ pattern, place, glob: read.glob });
  }
  return { parsed, diagnostics };
}

/** A folder's name is no glob of its files, `.yml` is not `.yaml`, and `\` does not separate folders. */
export async function hintFor(
  pattern: string,
  isFound: (pattern: string, glob: PathGlob) => boolean | Promise<boolean>,
): Promise<string> {
  const inFolder = `${pattern.replace(/\/$/, "")}/**/*.yaml`;
  const otherEnd = pattern.endsWith(".yaml") ? pattern.replace(/yaml$/, "yml") : pattern.replace(/yml$/, "yaml");
  for (const other of new Set([inFolder, otherEnd, pattern.replaceAll("\\", "/")])) {
    const read = parsePathGlob(other);
    if (other !== pattern && "glob" in read && (await isFound(other, read.glob))) return `Did you mean \`${other}\`?`;
  }
  return "Correct the glob, or remove it; for a whole folder write `folder/**/*.yaml`.";
}

function globProblem(pattern: string, place: Place | null): Diagnostic | null {
  if (leavesFolder(pattern)) {
    const message = `\`${pattern}\` leaves the project folder.`;
    return error("outside-project", message, place, "Move the files below the project file.");
  }
  if (!pattern.startsWith("!")) return null;
  const hint = "Name the files to read, one glob for each folder.";
  return error("wrong-type", `\`${pattern}\` excludes files. Globs can only include files.`, place, hint);
}
