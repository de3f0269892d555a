// Globs of paths: `*`, `?`, `**` and `{a,b}`; `\` before a character means the character itself. Matching takes linear time.

import { globMatcher } from "../domain/glob.ts";
import { isGitFolder } from "../files/follow.ts";

export const ABSOLUTE = /^([\\/~]|[a-zA-Z]:)/;
export const CLIMBS = /(^|[\\/{(,|])\.\.([\\/}),|]|$)/;

/** Whether a path or glob is absolute or has `..`, on any system. */
export function leavesFolder(path: string): boolean {
  return ABSOLUTE.test(path) || CLIMBS.test(path);
}

/** The part between two slashes, as a test of a name. `**` is any number of folders. */
type Segment = "**" | ((name: string) => boolean);

/** The alternatives of a glob. It matches a path if one of them does. */
export type PathGlob = readonly (readonly Segment[])[];

interface GlobProblem {
  readonly code: "wrong-glob" | "outside-project";
  /** What follows the glob in a sentence. */
  readonly message: string;
  readonly hint: string;
}

/** Each pair of braces multiplies the alternatives. */
const MAX_ALTERNATIVES = 100;
const MAX_LENGTH = 1000;
const EXAMPLE = "Name the files or their folder, such as `links/**/*.yaml`.";

export function parsePathGlob(text: string): { readonly glob: PathGlob } | GlobProblem {
  const wrong = (message: string, hint = EXAMPLE): GlobProblem => ({ code: "wrong-glob", message, hint });
  // A glob may begin with an escaped character. Before another one, `\` is the root of a disk.
  if (leavesFolder(text.replace(/^\\(?=[*?{},[\]()])/, ""))) {
    const hint = "Move the files into the folder of the project file.";
    return { code: "outside-project", message: "leads out of the project folder.", hint };
  }
  if (text.length > MAX_LENGTH) return wrong(`is longer than ${MAX_LENGTH} characters.`);
  const special = tokens(text).find((token) => "[]()".includes(token));
  if (special !== undefined)
    return wrong(
      `contains \`${special}\`, which globs do not support.`,
      `Use \`*\`, \`?\`, \`**\` or \`{a,b}\`. For the character itself, write \`\\${special}\`.`,
    );
  const alternatives = expandBraces(tokens(text));
  if (alternatives === "unbalanced")
    return wrong(
      "has braces that are not closed or contain no comma.",
      "Write alternatives as `{a,b}`. For the character itself, write `\\{`.",
    );
  if (alternatives === "too-many")
    return wrong(`has more than ${MAX_ALTERNATIVES} alternatives.`, "Write several globs, or use `*`.");
  const paths = alternatives.map(partsOf);
  if (paths.some((parts) => parts.length === 0)) return wrong("does not name a file.");
  if (paths.some((parts) => parts.flat().every((token) => token === "*")))
    return wrong("matches every file.", "Name the files to read: `**/*.yaml`.");
  return { glob: paths.map(segmentsOf) };
}

/** Characters, the escaped ones with their `\`. */
type Tokens = readonly string[];

function tokens(text: string): Tokens {
  return text.match(/\\[^]|[^]/gu) ?? [];
}

/** One list of tokens for each combination of alternatives in braces. */
function expandBraces(text: Tokens): Tokens[] | "unbalanced" | "too-many" {
  const open = text.indexOf("{");
  if (open < 0) return text.includes("}") ? "unbalanced" : [text];
  // The choices of the first braces, which may have others inside.
  const choices: string[][] = [[]];
  let depth = 1;
  let end = open + 1;
  for (; depth > 0 && end < text.length; end += 1) {
    const token = text[end] ?? "";
    depth += token === "{" ? 1 : token === "}" ? -1 : 0;
    if (token === "," && depth === 1) choices.push([]);
    else if (depth > 0) choices.at(-1)?.push(token);
  }
  if (depth > 0 || choices.length < 2 || text.slice(0, open).includes("}")) return "unbalanced";
  const all: Tokens[] = [];
  for (const choice of choices) {
    const expanded = expandBraces([...text.slice(0, open), ...choice, ...text.slice(end)]);
    if (typeof expanded === "string") return expanded;
    all.push(...expanded);
    if (all.length > MAX_ALTERNATIVES) return "too-many";
  }
  return all;
}

function partsOf(text: Tokens): Tokens[] {
  const parts: string[][] = [[]];
  for (const token of text) {
    if (token === "/") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0 && part.join("") !== ".");
}

/** A `**` at the end means the files below the folder. */
function segmentsOf(parts: readonly Tokens[]): Segment[] {
  const all = parts.at(-1)?.join("") === "**" ? [...parts, ["*"]] : parts;
  return all.map((part): Segment => {
    const text = part.join("");
    if (text === "**") return text;
    const matches = globMatcher(part);
    // Wildcards do not match the dot of a hidden name.
    return (name) => (!name.startsWith(".") || /^\\?\./.test(text)) && matches(name);
  });
}

/** Positions in a `PathMatcher`. */
export type States = readonly number[];

/** Matches paths name by name, against all globs at once. */
export class PathMatcher {
  /** The segments of all alternatives, each list followed by null, with the number of their glob. */
  readonly #program: { readonly segment: Segment | null; readonly glob: number }[] = [];
  readonly start: States;

  constructor(globs: readonly PathGlob[]) {
    const starts: number[] = [];
    for (const [glob, alternatives] of globs.entries())
      for (const segments of alternatives) {
        starts.push(this.#program.length);
        for (const segment of [...segments, null]) this.#program.push({ segment, glob });
      }
    this.start = this.#closed(starts);
  }

  matches(file: string): boolean {
    let states = this.start;
    for (const name of file.split("/")) states = isIgnored(name) ? [] : this.step(states, name);
    return this.globs(states).matched.length > 0;
  }

  step(states: States, name: string): States {
    const next = states.flatMap((state) => {
      const segment = this.#program[state]?.segment ?? null;
      if (segment === null) return [];
      if (segment === "**") return name.startsWith(".") ? [] : [state];
      return segment(name) ? [state + 1] : [];
    });
    return next.length === 0 ? [] : this.#closed(next);
  }

  /** The numbers of the globs that match a path with these states, and of those that may match one below it. */
  globs(states: States): Record<"matched" | "pending", number[]> {
    const found = states.flatMap((state) => this.#program[state] ?? []);
    const numbers = (isEnd: boolean): number[] =>
      found.flatMap(({ segment, glob }) => ((segment === null) === isEnd ? glob : []));
    return { matched: numbers(true), pending: numbers(false) };
  }

  /** Adds the states in which `**` is no folder. */
  #closed(states: readonly number[]): States {
    const all = new Set(states);
    for (const state of all) if (this.#program[state]?.segment === "**") all.add(state + 1);
    return [...all].toSorted((a, b) => a - b);
  }
}

/** Whether linkform never reads a folder of this name. */
export function isIgnored(name: string): boolean {
  return name === "node_modules" || isGitFolder(name);
}
