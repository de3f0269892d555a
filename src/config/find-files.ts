// The resource files that a project's globs match: one search, on disk and in a commit.

import { append } from "../domain/collections.ts";
import type { Clock } from "../domain/clock.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText, type Place } from "../domain/place.ts";
import { follow, type ResolvedPath, type PathTree } from "../files/follow.ts";
import { osCode } from "../files/location.ts";
import { notCheckedOut, type Absence, type Checkout, type GitProblem } from "./checkout.ts";
import { isIgnored, leavesFolder, parsePathGlob, PathMatcher, type PathGlob, type States } from "./path-glob.ts";

/** The default of `files`. */
export const DEFAULT_FILES: readonly string[] = ["links/**/*.yaml"];

/** Far above what real projects need. */
const MAX_ENTRIES = 100_000;
const MAX_SECONDS = 120;

/** The clock that limits a search. */
export type SearchClock = Pick<Clock, "now">;

/** A clock without a limit. */
export const NO_CLOCK: SearchClock = { now: () => 0 };

/** Counts one entry of a folder. Returns the limit that is exceeded, or null. */
type Budget = () => string | null;

/** The budget of all searches for one list of globs. */
function startBudget(clock: SearchClock): Budget {
  const end = clock.now() + MAX_SECONDS * 1000;
  let entries = 0;
  return () => {
    entries += 1;
    if (entries > MAX_ENTRIES) return `searches more than ${MAX_ENTRIES.toLocaleString("en-US")} files and folders.`;
    return clock.now() > end ? `takes more than ${MAX_SECONDS} seconds to search.` : null;
  };
}

/** A name, and the globs that match it or, for a folder that cannot be searched, something below it. */
type Match = { readonly name: string; readonly globs: readonly number[] } & (
  | { readonly is: "file" | "broken"; readonly real: string }
  | { readonly is: "outside" }
  | { readonly is: "absent"; readonly absence: Absence; readonly isMatched: boolean }
);

/** A folder on disk or in a commit. Only a checkout can lack files. */
export type SearchTree = PathTree & Partial<Pick<Checkout, "absence" | "problem">>;

export interface SearchOptions {
  /** Reports links that are broken or lead out of the folder, and missing folders that may have wanted files. */
  readonly isStrict: boolean;
  readonly clock: SearchClock;
}

interface FoundFiles {
  readonly files: string[];
  readonly diagnostics: Diagnostic[];
  /** Why missing files may not have been detected. */
  readonly problem: GitProblem | null;
}

interface Search {
  /** Files after links are resolved, links to nothing or out of the folder, and missing paths. */
  readonly matches: readonly Match[];
  readonly unreadable: ReadonlyMap<string, string>;
  /** The limit that was exceeded, and a glob that was not finished. */
  readonly exceeded: { readonly glob: number; readonly what: string } | null;
}

/** Walks the folders in which globs may match something, in the order of names. No folder is read twice for the same globs. */
function search(tree: SearchTree, globs: readonly PathGlob[], budget: Budget): Search {
  const matcher = new PathMatcher(globs);
  const matches: Match[] = [];
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
      const what = budget();
      if (what !== null) {
        const exceeded = { glob: matcher.pending(folder.states)[0] ?? 0, what };
        return { matches, unreadable, exceeded };
      }
      const states = isIgnored(name) ? [] : matcher.step(folder.states, name);
      if (states.length === 0) continue;
      const [matched, pending] = [matcher.matched(states), matcher.pending(states)];
      const named = `${folder.prefix}${name}`;
      const resolved = resolve(tree, folder.path, name);
      if (resolved === null) {
        unreadable.set(named, "EACCES");
        continue;
      }
      const absence = "path" in resolved ? (tree.absence?.(resolved.path) ?? null) : null;
      if (absence !== null) {
        const wanted = absence.mayBeFolder ? [...matched, ...pending] : matched;
        if (wanted.length > 0)
          matches.push({
            is: "absent",
            name: named,
            globs: wanted,
            absence: absence.why,
            isMatched: matched.length > 0,
          });
      } else if ("unresolved" in resolved && resolved.unresolved !== "broken") {
        // Skip a link to a file that no glob matches, such as `venv/bin/python`.
        if (matched.length > 0 || tree.isFileOutside?.([...folder.path, name]) !== true)
          matches.push({ is: "outside", name: named, globs: [...matched, ...pending] });
      } else if ("unresolved" in resolved || resolved.type === "missing") {
        if (matched.length > 0) matches.push({ is: "broken", name: named, real: named, globs: matched });
      } else if (resolved.type === "folder") {
        if (pending.length > 0) below.push({ path: resolved.path, prefix: `${named}/`, states });
      } else if (matched.length > 0)
        matches.push({ is: "file", name: named, real: resolved.path.join("/"), globs: matched });
    }
    append(open, below.toReversed());
  }
  return { matches, unreadable, exceeded: null };
}

/** Resolves a name; null if the system cannot list the folder. */
function resolve(tree: PathTree, from: readonly string[], name: string): ResolvedPath | null {
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
    unreadable.set(prefix.replace(/\/$/, "") || ".", osCode(cause));
    return [];
  }
}

/** A valid glob, and where it is. */
interface ParsedGlob extends FileGlob {
  readonly glob: PathGlob;
}

/**
 * The files that the globs match, sorted, without the project file. A file that is found by several names has the first of them.
 * Errors: a glob that is not valid or matches nothing, an exceeded limit, and files that a checkout lacks. With `isStrict` also links
 * that are broken or lead out of the folder, and missing folders that may have such files. In a commit, these are not files.
 */
export function findFiles(
  tree: SearchTree,
  projectFile: string,
  globs: readonly FileGlob[],
  { isStrict, clock }: SearchOptions,
): FoundFiles {
  const { parsed, diagnostics } = parseGlobs(globs);
  const budget = startBudget(clock);
  const valid = parsed.map(({ glob }) => glob);
  const result = search(tree, valid, budget);
  const start = (file: string): Place => ({ file, line: 1, column: 1 });
  if (result.exceeded !== null) {
    const { pattern = "", place = null } = parsed[result.exceeded.glob] ?? {};
    const hint = "Name the folders that contain resource files, such as `links/**/*.yaml`.";
    const message = `\`${pattern}\` ${result.exceeded.what}`;
    diagnostics.push(error("files-budget", message, place ?? start(projectFile), hint));
    return { files: [], diagnostics, problem: tree.problem ?? null };
  }
  const matches = result.matches.filter(
    (one) => isStrict || one.is === "file" || (one.is === "absent" && one.isMatched),
  );
  append(diagnostics, notCheckedOut(matches.flatMap((one) => (one.is === "absent" ? [one] : []))));
  if (isStrict) {
    for (const one of matches) if (one.is === "outside") diagnostics.push(linkOutside(one.name));
    for (const [folder, code] of result.unreadable)
      diagnostics.push(
        error("file-unreadable", `This path cannot be read (${code}).`, start(folder), "Fix its permissions."),
      );
  }
  const project = follow(tree, [], projectFile);
  const projectPath = "path" in project ? project.path.join("/") : projectFile;
  for (const [at, one] of parsed.entries()) {
    if (one.place === null || matches.some((match) => match.globs.includes(at))) continue;
    const hint = "Fix the glob or remove it. To match a whole folder, write `folder/**/*.yaml`.";
    diagnostics.push(error("no-such-files", `\`${one.pattern}\` matches no file.`, one.place, hint));
  }
  const byReal = new Map<string, string>();
  for (const one of matches.toSorted((a, b) => compareText(a.name, b.name)))
    if ("real" in one && one.name !== projectFile && one.real !== projectPath && !byReal.has(one.real))
      byReal.set(one.real, one.name);
  return { files: [...byReal.values()], diagnostics, problem: tree.problem ?? null };
}

export function linkOutside(link: string): Diagnostic {
  const message = "This symbolic link leads out of the project folder.";
  const hint = "Replace the link with the file or folder itself.";
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

function globProblem(pattern: string, place: Place | null): Diagnostic | null {
  if (!leavesFolder(pattern)) return null;
  const message = `\`${pattern}\` leads out of the project folder.`;
  return error("outside-project", message, place, "Move the files into the folder of the project file.");
}

/** A glob of the project file and its place; null for the default. */
export interface FileGlob {
  readonly pattern: string;
  readonly place: Place | null;
}
