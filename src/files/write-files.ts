// Writes several files. Each appears complete under its name, and the first one only when all texts are on the disk.

import { chmodSync, lstatSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { ProjectFolder } from "./folder.ts";
import { PathError, removeAbandoned, removeAt, osCode, systemError, writeBeside, type Location } from "./location.ts";

/** A new text for a file, by its path in the project folder. `before` is the text that must still be there; null for no file. */
export interface TextEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

interface WriteStep extends TextEdit {
  readonly place: Location;
}

/**
 * Writes files, and makes the folders they need. If somebody has changed one of the files since it was read, nothing is written. Returns what
 * went wrong, with the files that were written by then.
 */
export async function writeFiles(folder: ProjectFolder, edits: readonly TextEdit[]): Promise<Diagnostic | null> {
  const steps: WriteStep[] = [];
  const staged = new Map<WriteStep, string>();
  const made: string[] = [];
  const done: string[] = [];
  let current = "";
  try {
    for (const edit of edits) {
      current = edit.file;
      const step = { ...edit, place: folder.locate(edit.file) };
      check(step);
      steps.push(step);
    }
    for (const at of new Set(steps.map(({ place }) => path.dirname(place.path)))) removeAbandoned(at);
    for (const step of steps) {
      current = step.file;
      made.push(...folder.makeFolderOf(step.file));
      const written = writeBeside(step.place, step.after);
      staged.set(step, written);
      const old = lstatSync(step.place.path, { throwIfNoEntry: false });
      if (old?.isDirectory() === true) throw systemError("EISDIR");
      if (old !== undefined) chmodSync(written, old.mode);
    }
    for (const [step, written] of staged) {
      current = step.file;
      check(step);
      renameSync(written, step.place.path);
      done.push(step.file);
    }
    return null;
  } catch (cause) {
    for (const written of staged.values()) removeAt({ path: written, shown: written, isConfined: true });
    removeFolders(made);
    const left = edits.flatMap(({ file }) => (done.includes(file) ? [] : [file]));
    return failure(current, cause, done, left);
  }
}

class Moved extends Error {}

/** Throws if the content has changed since it was read. */
function check({ place, before }: WriteStep): void {
  if (textAt(place) !== before) throw new Moved();
}

function textAt({ path: file }: Location): string | null {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}

function failure(file: string, cause: unknown, done: readonly string[], left: readonly string[]): Diagnostic {
  if (cause instanceof PathError) return error(cause.code, cause.message, null, cause.hint);
  const why = cause instanceof Moved ? "it changed in the meantime" : osCode(cause);
  const state =
    done.length === 0 ? "Nothing was written" : `Written: ${done.join(", ")}. Not written: ${left.join(", ")}`;
  const message = `${file} cannot be written (${why}).`;
  return error("files-unwritable", message, null, `${state}. Fix the cause and run the command again.`);
}

/** Removes new folders, unless others have added files in the meantime. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder is not empty.
    }
  }
}
