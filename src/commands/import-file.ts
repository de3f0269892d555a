// Where the rows of a spreadsheet go: a file that the project reads.

import path from "node:path";
import type { FileGlob, FileSource } from "../config/source.ts";
import { overlaid } from "../config/overlay.ts";
import { UserError, EXIT } from "../errors.ts";

/** A file of the project folder, as it is now. */
export interface IntoFile {
  /** From the project folder, with `/`. */
  readonly file: string;
  /** Null where there is none yet. */
  readonly before: string | null;
}

/** What is read where the project names no globs. */
const FOLDER = "links";

/**
 * The file that rows go into: the one that is named, from the project folder; else one that is called as the sheet, in the first
 * folder whose new files the project reads. Throws a user error where that can't be.
 */
export async function chooseFile(
  source: FileSource,
  project: { readonly file: string; readonly globs: readonly FileGlob[] },
  {
    into,
    sheet,
    before,
  }: {
    readonly into: string | undefined;
    readonly sheet: string;
    readonly before: (file: string) => Promise<string | null>;
  },
): Promise<IntoFile> {
  if (into !== undefined) {
    const file = path.posix.normalize(into.replaceAll("\\", "/"));
    if (path.isAbsolute(into) || file.startsWith(".."))
      throw wrong(
        `${into} lies outside the project folder.`,
        "Name a file below the project file: --into links/new.yaml.",
      );
    if (!(await isRead(source, project, file))) throw notRead(file);
    return { file, before: await before(file) };
  }
  const name = `${slugOf(sheet)}.yaml`;
  const folders = [FOLDER, ...project.globs.map(({ pattern }) => folderOf(pattern))];
  for (const folder of new Set(folders)) {
    const file = path.posix.join(folder, name);
    if (!(await isRead(source, project, file))) continue;
    if ((await before(file)) === null) return { file, before: null };
    throw wrong(
      `${file} is there already.`,
      `To add the rows to it: --into ${file}. To begin another: --into ${path.posix.join(folder, "NAME.yaml")}.`,
    );
  }
  throw notRead(path.posix.join(FOLDER, name));
}

/** Whether the project would read a file of this name. */
async function isRead(
  source: FileSource,
  { file: projectFile, globs }: { readonly file: string; readonly globs: readonly FileGlob[] },
  file: string,
): Promise<boolean> {
  const { files } = await overlaid(source, new Map([[file, ""]])).find(projectFile, globs);
  return file === projectFile || files.includes(file);
}

function notRead(file: string): UserError {
  const folder = path.posix.dirname(file);
  const glob = folder === "." ? file : `${folder}/**/*.yaml`;
  return wrong(
    `The project would not read ${file}.`,
    `Name a file that its \`files\` match with --into, or add \`${glob}\` to \`files\` in the project file.`,
  );
}

function wrong(message: string, hint: string): UserError {
  return new UserError("wrong-into", message, { hint, exit: EXIT.usage });
}

/** The folder in which a glob looks, before its first wildcard. */
function folderOf(pattern: string): string {
  const parts = pattern.replace(/^\.\//, "").split("/").slice(0, -1);
  const wild = parts.findIndex((part) => /[*?[\]{}()!]/.test(part));
  return parts.slice(0, wild < 0 ? parts.length : wild).join("/");
}

/** What a sheet is called, as the name of a file that needs no quotes anywhere. */
function slugOf(sheet: string): string {
  const base = path.basename(sheet).replace(/\.[a-z]{1,4}$/i, "");
  const slug = base
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return slug === "" ? "imported" : slug;
}

const SCHEMA_LINE = /^# yaml-language-server: \$schema=(\S+)[ \t]*(?=\r?\n)/m;

/** The first line of a new file for editors, as another file of the project has it; empty where none has one. */
export function schemaLine(file: string, others: readonly { readonly file: string; readonly text: string }[]): string {
  for (const other of others) {
    const schema = SCHEMA_LINE.exec(other.text)?.[1];
    if (schema === undefined) continue;
    const isAddress = /^[a-z]+:/i.test(schema) || path.isAbsolute(schema);
    const from = path.posix.dirname(file);
    const own = isAddress ? schema : path.posix.relative(from, path.posix.join(path.posix.dirname(other.file), schema));
    return `# yaml-language-server: $schema=${own}\n`;
  }
  return "";
}
