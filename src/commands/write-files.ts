// Several files written together: all of them, or none.

import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { codeOf } from "./context.ts";

/** A file's text as it is to be; null where the file is to go. */
export type NewTexts = ReadonlyMap<string, string | null>;

/** A file that was read before it is written: what was read must still stand there. Null: it was not there. */
export type OldTexts = ReadonlyMap<string, string | null>;

/**
 * Writes files, by their path in a folder, and makes the folders they need. Each is written whole beside its place first; only when all
 * are there do they take it. What is no longer as in `before` has been changed by somebody else, and then nothing is written. Returns
 * what went wrong; what had taken its place by then has been put back, or is named.
 */
export async function writeFiles(folder: string, texts: NewTexts, before: OldTexts): Promise<Diagnostic | null> {
  const steps: Step[] = [];
  for (const [file, text] of texts) {
    const named = path.join(folder, file);
    // A link stays one: what it leads to is written.
    const target = await realpath(named).catch(() => named);
    steps.push({ file, target, text, unfinished: `${target}.${randomUUID()}` });
  }
  const done: { readonly step: Step; readonly bytes: Buffer | null }[] = [];
  const made: string[] = [];
  let current = "";
  try {
    for (const step of steps) {
      current = step.file;
      made.push(...(await stage(step)));
    }
    for (const step of steps) {
      current = step.file;
      const bytes = await readFile(step.target).catch(() => null);
      const expected = before.get(step.file) ?? null;
      if ((bytes?.toString("utf8") ?? null) !== expected) throw new Moved();
      if (step.text === null) await rm(step.target, { force: true });
      else await rename(step.unfinished, step.target);
      done.push({ step, bytes });
    }
    return null;
  } catch (cause) {
    const stuck = await putBack(done);
    await removeUnfinished(steps);
    // What others have put there meanwhile stays.
    for (const dir of made.toReversed()) await rmdir(dir).catch(() => undefined);
    const why = cause instanceof Moved ? "somebody has changed it meanwhile" : codeOf(cause);
    const message = `${current} can't be written (${why}).`;
    const left = stuck.length === 0 ? "Nothing was written" : `These could not be put back: ${stuck.join(", ")}`;
    return error("files-unwritable", message, null, `${left}. Mend that, and run it again.`);
  } finally {
    await removeUnfinished(steps);
  }
}

/** Where a file stands in the place of a folder there is none to remove, and that is said by what failed before. */
async function removeUnfinished(steps: readonly Step[]): Promise<void> {
  for (const { unfinished } of steps) await rm(unfinished, { force: true }).catch(() => undefined);
}

class Moved extends Error {}

interface Step {
  readonly file: string;
  readonly target: string;
  readonly text: string | null;
  readonly unfinished: string;
}

/** Writes a file beside its place, with the permissions of the one that is there, and returns the folders that were made for it. */
async function stage({ target, text, unfinished }: Step): Promise<string[]> {
  if (text === null) return [];
  const folder = path.dirname(target);
  const first = await mkdir(folder, { recursive: true });
  await writeFile(unfinished, text, { flag: "wx" });
  const old = await stat(target).catch(() => null);
  if (old !== null) await chmod(unfinished, old.mode);
  return first === undefined ? [] : foldersFrom(first, folder);
}

/** Every folder from one to another that lies in it, the outer ones first. */
function foldersFrom(first: string, last: string): string[] {
  return last === first ? [first] : [...foldersFrom(first, path.dirname(last)), last];
}

/** Undoes what was done, and returns the files for which that failed. */
async function putBack(done: readonly { step: Step; bytes: Buffer | null }[]): Promise<string[]> {
  const stuck: string[] = [];
  for (const { step, bytes } of done.toReversed()) {
    const undone = bytes === null ? rm(step.target, { force: true }) : writeFile(step.target, bytes);
    await undone.catch(() => stuck.push(step.file));
  }
  return stuck;
}
