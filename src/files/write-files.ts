// Writes several files. Each appears complete under its name, and the first one only when all texts are on the disk.

import { chmodSync, lstatSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { UserError } from "../errors.ts";
import type { ProjectFolder } from "./folder.ts";
import { PathError, osCode, systemError, writeBeside, type Location } from "./location.ts";

/** `file` is a path in the project folder. `before` is the text that must still be there; null for no file. */
export interface TextEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

/** Writes nothing if one of the files has changed since it was read. Throws a user error with the files that were written by then. */
export function writeFiles(folder: ProjectFolder, edits: readonly TextEdit[]): void {
  /** The edits whose texts are in temporary files. */
  const staged: { readonly edit: TextEdit; readonly place: Location; readonly written: string }[] = [];
  const newFolders: string[] = [];
  let done = 0;
  let current = "";
  try {
    for (const edit of edits) {
      current = edit.file;
      check(folder.locate(edit.file), edit);
    }
    for (const edit of edits) {
      current = edit.file;
      const place = folder.locate(edit.file);
      newFolders.push(...folder.makeFolderOf(edit.file));
      const written = writeBeside(place, edit.after);
      staged.push({ edit, place, written });
      const old = lstatSync(place.path, { throwIfNoEntry: false });
      if (old?.isDirectory() === true) throw systemError("EISDIR");
      if (old !== undefined) chmodSync(written, old.mode);
    }
    for (const { edit, place, written } of staged) {
      current = edit.file;
      check(place, edit);
      renameSync(written, place.path);
      done += 1;
    }
  } catch (cause) {
    for (const { written } of staged) rmSync(written, { force: true });
    for (const made of newFolders.toReversed())
      try {
        rmdirSync(made);
      } catch {
        // Others have added files in the meantime.
      }
    const files = edits.map(({ file }) => file);
    throw failure(current, cause, files.slice(0, done), files.slice(done));
  }
}

class Moved extends Error {}

/** Throws if the content has changed since it was read. */
function check(place: Location, { before }: TextEdit): void {
  if (textAt(place) !== before) throw new Moved();
}

function textAt({ path: file }: Location): string | null {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}

function failure(file: string, cause: unknown, done: readonly string[], left: readonly string[]): UserError {
  if (cause instanceof PathError) return cause;
  const why = cause instanceof Moved ? "it changed in the meantime" : osCode(cause);
  const state =
    done.length === 0 ? "Nothing was written" : `Written: ${done.join(", ")}. Not written: ${left.join(", ")}`;
  const hint = `${state}. Fix the cause and run the command again.`;
  return new UserError("files-unwritable", `${file} cannot be written (${why}).`, { hint });
}
