// The files that `linkform init` is to write, and whether the project is valid with them.

import path from "node:path";
import { folderSource, type FileSource } from "../config/file-source.ts";
import { error } from "../domain/diagnostic.ts";
import { ProjectFolder } from "../files/folder.ts";
import { exists } from "../files/named.ts";
import { ciFiles, type CiValues } from "./ci-files.ts";
import { withIgnored } from "./ignored.ts";
import { exampleText, projectText, type NewProject } from "./new-project.ts";
import type { FileEdit } from "../view/report.ts";
import { CI_TEXTS } from "./ci-texts.ts";
import type { Account } from "./account.ts";
import { findSchemas, type ProjectPlace } from "./place.ts";
import type { KeyedWorld } from "./service.ts";

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
  readonly keyed: KeyedWorld | null;
}

/** The pipeline of GitLab, of which a repository has one. */
export const PIPELINE = ".gitlab-ci.yml";

/** Where the example lies. */
const EXAMPLE = "links/example.yaml";

/** A file to write: from the project folder, with `/`. */
export interface NewFile extends FileEdit {
  readonly after: string;
}

/** All files that there should be. `isComplete`: what is live is in files already, as far as this repository owns it. */
export async function newFiles(
  place: ProjectPlace,
  { project, ci, start }: Answers,
  isComplete: boolean,
): Promise<NewFile[]> {
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
export function sortOut(place: ProjectPlace, files: readonly NewFile[]): { edits: NewFile[]; left: NewFile[] } {
  const [edits, left]: [NewFile[], NewFile[]] = [[], []];
  for (const file of files) (exists(path.join(place.folder, file.file)) ? left : edits).push(file);
  checkInside(place, edits);
  return { edits, left };
}

/** The lines that the repository's `.gitignore` needs; null if it has them, is not UTF-8, or there is no repository. */
export async function ignoreEdit(place: ProjectPlace): Promise<NewFile | null> {
  if (place.repository === null) return null;
  const { folder, at } = writtenIn(place);
  const file = path.posix.join(path.posix.relative(place.repository.prefix, ""), ".gitignore");
  const found = folder.resolve(at(file));
  const bytes = "type" in found && found.type === "missing" ? null : await folder.read(at(file));
  const before = bytes?.toString("utf8") ?? null;
  if (bytes !== null && !Buffer.from(before ?? "").equals(bytes)) return null;
  const after = withIgnored(before);
  return after === before ? null : { file, before, after };
}

/** Throws a user error for a file that would lie elsewhere. */
export function checkInside(place: ProjectPlace, files: readonly NewFile[]): void {
  const { folder, at } = writtenIn(place);
  for (const { file } of files) folder.locate(at(file), file);
}

/** The folder that contains every written file, and a file's path in it. Workflows go to the repository, outside the project. */
export function writtenIn({ folder, repository }: ProjectPlace): {
  folder: ProjectFolder;
  at: (file: string) => string;
} {
  const root = new ProjectFolder(repository?.root ?? folder);
  const prefix = path.relative(root.root, new ProjectFolder(folder).root).split(path.sep).join("/");
  return { folder: root, at: (file) => path.posix.join(prefix, file) };
}

/** The files of the project as they are. */
export function sourceOf({ folder }: ProjectPlace): FileSource {
  return exists(folder) ? folderSource(folder) : NOTHING;
}

/** A folder that is not there yet. */
const NOTHING: FileSource = {
  ref: null,
  read: (file) =>
    Promise.resolve({ problem: error("file-unreadable", "This file is not there.", { file, line: 1, column: 1 }) }),
  find: () => Promise.resolve({ files: [], diagnostics: [] }),
};
