// Several files written together: all of them, or none. A log of what is to be written comes first: if the process is killed, the next
// command that writes finishes it.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { ProjectFolder } from "./folder.ts";
import {
  PathError,
  removeAbandoned,
  removeAt,
  replaceAt,
  systemCode,
  writeBeside,
  writeTo,
  type Location,
} from "./location.ts";

/** A file's text as it is to be; null where the file is to go. */
export type NewTexts = ReadonlyMap<string, string | null>;

/** The bytes that were read before the write, which must still be there. Null: there was no file. */
export type OldTexts = ReadonlyMap<string, string | null>;

/** In the project folder; it is there only while files are written, or after that was interrupted. */
export const WRITE_LOG = ".linkform/unfinished-write.json";

const logSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      file: z.string().refine((file) => !file.startsWith("/")),
      /** SHA-256 of the previous content; null if there was no file. */
      before: z.string().nullable(),
      text: z.string().nullable(),
    }),
  ),
});

interface WriteStep {
  readonly file: string;
  readonly place: Location;
  readonly text: string | null;
  /** The content that must still be there. */
  readonly isExpected: (bytes: Buffer | null) => boolean;
}

/**
 * Writes files, by their path in a folder, and makes the folders they need. What is no longer as in `before` has been changed by somebody
 * else, and then nothing is written. Returns what went wrong; what had taken its place by then has been put back, or is named.
 */
export async function writeFiles(folder: ProjectFolder, texts: NewTexts, before: OldTexts): Promise<Diagnostic | null> {
  let logged: { readonly place: Location; readonly made: readonly string[] } | null = null;
  let current = WRITE_LOG;
  const steps: WriteStep[] = [];
  try {
    for (const [file, text] of texts) {
      current = file;
      const expected = before.get(file) ?? null;
      const isExpected = (bytes: Buffer | null): boolean => (bytes?.toString("utf8") ?? null) === expected;
      steps.push({ file, place: folder.locate(file), text, isExpected });
    }
    for (const step of steps) {
      current = step.file;
      check(step);
    }
    current = WRITE_LOG;
    const made = folder.makeFolderOf(WRITE_LOG);
    logged = { place: folder.locate(WRITE_LOG), made };
    const files = steps.map(({ file, place, text }) => ({ file, before: digest(bytesAt(place)), text }));
    replaceAt(logged.place, JSON.stringify({ files }), { mode: 0o600, isNew: true });
  } catch (cause) {
    if (logged !== null) removeFolders(logged.made);
    return failure(current, cause, []);
  }
  const problem = await runSteps(folder, steps);
  removeAt(logged.place);
  removeFolders(logged.made);
  return problem;
}

/**
 * Finishes what a killed process has begun to write in a folder, and removes its temporary files. Throws a user error if somebody has
 * changed the files since, or if the log is not this machine's. Returns the files that were written.
 */
export async function finishWrites(folder: ProjectFolder): Promise<readonly string[]> {
  if ("unresolved" in folder.resolve(WRITE_LOG)) return [];
  const place = folder.locate(WRITE_LOG);
  removeAbandoned(path.dirname(place.path));
  if (!hasUnfinishedWrites(folder)) {
    // The process may have been killed before it wrote the log.
    removeFolders([path.dirname(place.path)]);
    return [];
  }
  const bytes = bytesAt(place);
  if (bytes === null) throw unfinished("Its log is not a regular file.");
  const steps = readLog(folder, place, bytes);
  for (const { place: target } of steps) removeAbandoned(path.dirname(target.path));
  // A file with its new text is done.
  const open = steps.filter(({ place: target, text }) => digest(bytesAt(target)) !== digest(text));
  const problem = await runSteps(folder, open);
  if (problem !== null) throw unfinished(problem.message);
  removeAt(place);
  removeFolders([path.dirname(place.path)]);
  return open.map(({ file }) => file);
}

function readLog(folder: ProjectFolder, place: Location, bytes: Buffer): WriteStep[] {
  const { mode } = lstatSync(place.path);
  // A commit has no files that only their owner may read.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) throw unfinished("It was not written on this machine.");
  let log: z.infer<typeof logSchema>;
  try {
    log = logSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw unfinished("Its log cannot be read.");
  }
  return log.files.map(({ file, before, text }) => ({
    file,
    place: folder.locate(file),
    text,
    isExpected: (there) => digest(there) === before,
  }));
}

function unfinished(why: string): UserError {
  return new UserError(
    "files-unfinished",
    `A command was interrupted while it wrote files, and linkform cannot complete the write. ${why}`,
    {
      hint: `Check the files with \`git diff\`, and then delete ${WRITE_LOG}.`,
    },
  );
}

/** Whether a folder has files that are half written. */
export function hasUnfinishedWrites(folder: ProjectFolder): boolean {
  try {
    const found = folder.resolve(WRITE_LOG);
    return "type" in found && found.type !== "missing";
  } catch {
    return false;
  }
}

/** Each file is written beside its place first; only when all are there do they take it. */
async function runSteps(folder: ProjectFolder, steps: readonly WriteStep[]): Promise<Diagnostic | null> {
  const done: { readonly step: WriteStep; readonly bytes: Buffer | null }[] = [];
  const staged = new Map<WriteStep, string>();
  const made: string[] = [];
  let current = "";
  try {
    for (const step of steps) {
      current = step.file;
      if (step.text === null) continue;
      made.push(...folder.makeFolderOf(step.file));
      staged.set(step, writeBeside(step.place, step.text));
      const old = lstatSync(step.place.path, { throwIfNoEntry: false });
      if (old !== undefined) chmodSync(staged.get(step) ?? "", old.mode);
    }
    for (const step of steps) {
      current = step.file;
      const bytes = check(step);
      const written = staged.get(step);
      if (written === undefined) removeAt(step.place);
      else renameSync(written, step.place.path);
      done.push({ step, bytes });
    }
    return null;
  } catch (cause) {
    for (const written of staged.values()) removeAt({ path: written, shown: written, isConfined: true });
    const stuck = await putBack(done);
    // Files that others have added in the meantime stay.
    removeFolders(made);
    return failure(current, cause, stuck);
  }
}

class Moved extends Error {}

/** The current content. Throws if it has changed since it was read. */
function check({ place, isExpected }: WriteStep): Buffer | null {
  const bytes = bytesAt(place);
  if (!isExpected(bytes)) throw new Moved();
  return bytes;
}

function bytesAt({ path: file }: Location): Buffer | null {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : null;
  } catch {
    return null;
  }
}

function digest(content: string | Buffer | null): string | null {
  return content === null ? null : createHash("sha256").update(content).digest("hex");
}

function failure(file: string, cause: unknown, stuck: readonly string[]): Diagnostic {
  if (cause instanceof PathError) return error(cause.code, cause.message, null, cause.hint);
  const why = cause instanceof Moved ? "it changed in the meantime" : systemCode(cause);
  const message = `${file} cannot be written (${why}).`;
  const left = stuck.length === 0 ? "Nothing was written" : `These files could not be restored: ${stuck.join(", ")}`;
  return error("files-unwritable", message, null, `${left}. Fix the cause and run the command again.`);
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder is not empty.
    }
  }
}

/** Undoes what was done, and returns the files for which that failed. */
async function putBack(done: readonly { step: WriteStep; bytes: Buffer | null }[]): Promise<string[]> {
  const stuck: string[] = [];
  for (const { step, bytes } of done.toReversed()) {
    try {
      if (bytes === null) removeAt(step.place);
      else await writeTo(step.place, bytes);
    } catch {
      stuck.push(step.file);
    }
  }
  return stuck;
}
