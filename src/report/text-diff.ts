// The differences of two versions of a file.

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { visible } from "../domain/control-characters.ts";

/** A file before and after. `before` is null for a new file. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** True for a copied file: its text is not shown. */
  readonly isCopy?: boolean;
}

/** The unified diff of a file, as git shows it. With too many changes for a smallest difference, it deletes the file and creates it. */
export function filePatch({ file, before, after }: FileEdit): string {
  // As git does: otherwise `patch` ends a name at its first space.
  const end = file.includes(" ") ? "\t" : "";
  const patchOf = (from: string, to: string, old: string, next: string, maxEditLength: number): string | undefined => {
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength };
    const lines = createTwoFilesPatch(from, to, old, next, "", "", options)?.split("\n");
    return lines?.map((line, at) => applicable(line) + (at < 2 ? end : "")).join("\n");
  };
  const [from, to, old] = [before === null ? NO_FILE : `a/${file}`, `b/${file}`, before ?? ""];
  return (
    patchOf(from, to, old, after, old === "" ? Infinity : MAX_EDITS) ??
    `${patchOf(from, NO_FILE, old, "", Infinity)}${patchOf(NO_FILE, to, "", after, Infinity)}`
  );
}

const NO_FILE = "/dev/null";

/** The time of a diff grows with the square of this number of added and removed lines. */
const MAX_EDITS = 3000;

/** Shows invisible characters, except a byte order mark and a carriage return: the patch would not apply without them. */
function applicable(line: string): string {
  const [, start = "", text = "", end = ""] = /^([-+ ]\uFEFF)?(.*?)(\r?)$/s.exec(line) ?? [];
  return start + visible(text) + end;
}
