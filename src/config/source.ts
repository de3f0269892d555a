// Where a project's files come from: the folder on disk, or a commit. And what holds for both.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import { leavesFolder } from "./field-schema.ts";

/** The files of one project folder. Paths are relative to it, with `/`. */
export interface FileSource {
  /** The commit that they stand in, as a person named it; null for files on disk. */
  readonly ref: string | null;
  /** A file's text without its byte order mark, or what keeps it from being read. */
  read(file: string): Promise<FileText>;
  /**
   * The resource files that the globs name, sorted, each once; not the project file. A named glob that matches nothing, one
   * that leaves the folder, and a file that lies outside are errors.
   */
  find(projectFile: string, globs: readonly FileGlob[]): Promise<{ files: string[]; diagnostics: Diagnostic[] }>;
}

export type FileText = { readonly text: string } | { readonly problem: Diagnostic };

/** A glob of the project file, and where it stands; null where it is the default. */
export interface FileGlob {
  readonly pattern: string;
  readonly place: Place | null;
}

/** Files below such a folder are never the project's. */
export const NEVER_READ = "**/node_modules/**";

/** The files that globs match, by `match`, and what is wrong with the globs. */
export async function matchGlobs(
  globs: readonly FileGlob[],
  match: (pattern: string) => Promise<readonly string[]>,
): Promise<{ files: Set<string>; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const files = new Set<string>();
  for (const { pattern, place } of globs) {
    const problem = globProblem(pattern, place);
    if (problem !== null) {
      diagnostics.push(problem);
      continue;
    }
    const matches = await match(pattern);
    if (matches.length === 0 && place !== null) {
      const hint = "Correct the glob, or remove it; for a whole folder write `folder/**/*.yaml`.";
      diagnostics.push(error("no-such-files", `\`${pattern}\` matches no file.`, place, hint));
    }
    for (const file of matches) files.add(file);
  }
  return { files, diagnostics };
}

function globProblem(pattern: string, place: Place | null): Diagnostic | null {
  if (leavesFolder(pattern)) {
    const message = `\`${pattern}\` leaves the project folder.`;
    return error("outside-project", message, place, "Move the files below the project file.");
  }
  if (!pattern.startsWith("!")) return null;
  const hint = "Name the files to read, one glob for each folder.";
  return error("wrong-type", `\`${pattern}\` excludes files, which a glob here can't do.`, place, hint);
}

/** The text of these bytes without its byte order mark, or where they are no UTF-8. */
export function textOf(bytes: Uint8Array, file: string): FileText {
  const text = decode(bytes);
  if (text !== null) return { text };
  const message = "This is no UTF-8 text from here on.";
  return { problem: error("file-encoding", message, firstNonText(bytes, file), "Save the file as UTF-8.") };
}

/** Text without its byte order mark, or null for what is no UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where the first bytes stand that are no UTF-8: no character spans a line break, so lines can be tried one by one. */
function firstNonText(bytes: Uint8Array, file: string): Place {
  const lineBreak = 0x0a;
  let start = 0;
  for (let line = 1; ; line += 1) {
    const next = bytes.indexOf(lineBreak, start);
    const part = bytes.subarray(start, next < 0 ? bytes.length : next);
    if (decode(part) === null || next < 0)
      return { file, line, column: new TextDecoder().decode(part).indexOf("\uFFFD") + 1 || 1 };
    start = next + 1;
  }
}
