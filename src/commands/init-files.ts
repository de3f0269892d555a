// The files that `linkform init` is to write, and whether the project is valid with them.

import { lstat, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { folderSource } from "../config/folder.ts";
import type { FileSource } from "../config/source.ts";
import { error } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { ciFiles, type CiValues } from "../adopt/ci-files.ts";
import { exampleText, projectText, type NewProject } from "../adopt/new-project.ts";
import type { FileEdit } from "../report/patch.ts";
import { CI_TEXTS } from "./ci-texts.ts";
import type { Account } from "./init-account.ts";
import { findSchemas, type Place } from "./init-place.ts";
import type { Keyed } from "./init-service.ts";

/** What there is to write about. */
export interface Answers {
  readonly baseUrl: string;
  /** Null where the project is there already. */
  readonly project: NewProject | null;
  /** What the service names; null where it was not asked. */
  readonly account: Account | null;
  readonly ci: CiValues | null;
  readonly start: "pull" | "fresh" | null;
  readonly isKeyTyped: boolean;
  /** What the service is asked with; null where it is asked nothing. */
  readonly keyed: Keyed | null;
}

/** The pipeline of GitLab, of which a repository has one. */
export const PIPELINE = ".gitlab-ci.yml";

/** Where the example lies. */
const EXAMPLE = "links/example.yaml";

/** A file to write: from the project folder, with `/`. */
export interface NewFile extends FileEdit {
  readonly before: null;
  readonly after: string;
}

/** All files that there should be. `isComplete`: what is live is in files already, as far as this repository owns it. */
export async function newFiles(place: Place, { project, ci, start }: Answers, isComplete: boolean): Promise<NewFile[]> {
  const files: NewFile[] = [];
  const add = (file: string, after: string, isCopy = false): void =>
    void files.push({ file, before: null, after, isCopy });
  if (project !== null) {
    const schemas = await findSchemas(place);
    const schema = (name: string, from: string): string | null =>
      schemas === null ? null : path.posix.relative(from, path.posix.join(schemas.folder, name));
    add(place.file, projectText(project, schema("project.schema.json", ""), isComplete));
    if (start === "fresh")
      add(EXAMPLE, exampleText(project, schema("resource.schema.json", path.posix.dirname(EXAMPLE))));
    for (const [file, text] of schemas?.copies ?? []) add(file, text, true);
  }
  const up = path.posix.relative(ci?.folder ?? "", "");
  for (const [file, text] of ci === null ? [] : ciFiles(CI_TEXTS, ci)) add(path.posix.join(up, file), text);
  return files;
}

/**
 * Which of them are to be written, and which are there and left. Throws a user error for a file that would lie elsewhere: a folder on
 * the way to it is a link out of the project and its repository.
 */
export async function sortOut(place: Place, files: readonly NewFile[]): Promise<{ edits: NewFile[]; left: NewFile[] }> {
  const [edits, left]: [NewFile[], NewFile[]] = [[], []];
  for (const file of files) {
    if ((await lstat(path.join(place.folder, file.file)).catch(() => null)) !== null) {
      left.push(file);
      continue;
    }
    edits.push(file);
  }
  await checkInside(place, edits);
  return { edits, left };
}

/** Throws a user error for a file that would lie elsewhere. */
export async function checkInside(place: Place, files: readonly NewFile[]): Promise<void> {
  for (const { file } of files) {
    const outside = await leadsOut(place, file);
    if (outside !== null)
      throw new UserError("outside-project", `${outside} is a link that leads out of the project folder.`, {
        hint: "Put the folder itself here.",
      });
  }
}

/** The files of the project as they are. */
export async function sourceOf({ folder }: Place): Promise<FileSource> {
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory() === true;
  return isFolder ? folderSource(folder) : NOTHING;
}

/** The folder on the way to a file that leads out, from the project folder; null for none. */
async function leadsOut({ folder, repository }: Place, file: string): Promise<string | null> {
  const root = await realpath(repository?.root ?? folder).catch(() => null);
  // What is not there yet leads nowhere.
  if (root === null) return null;
  let at = path.join(folder, path.dirname(file));
  let real = await realpath(at).catch(() => null);
  while (real === null) {
    at = path.dirname(at);
    real = await realpath(at).catch(() => null);
  }
  const relative = path.relative(root, real);
  const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return isOutside ? path.relative(folder, at) : null;
}

/** A folder that is not there yet. */
const NOTHING: FileSource = {
  ref: null,
  read: (file) =>
    Promise.resolve({ problem: error("file-unreadable", "This file is not there.", { file, line: 1, column: 1 }) }),
  find: () => Promise.resolve({ files: [], diagnostics: [] }),
};
