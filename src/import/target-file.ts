// Where the rows of a spreadsheet go: a file that the project reads.

import path from "node:path";
import { overlayFiles, type FileSource } from "../config/file-source.ts";
import type { ResourceKind } from "../domain/table.ts";
import { FileNames } from "../pull/file-names.ts";
import { EXIT, UserError } from "../errors.ts";

/** What a file is called that comes from a sheet without a name. */
const NAMELESS = "imported";

/** A project, as far as it says which files it reads. */
interface Reads {
  readonly source: FileSource;
  readonly projectFile: string;
  readonly globs: readonly string[];
}

/**
 * The path that a person names for the rows, from the project folder and with `/`. Throws a user error for one that the project would
 * not read.
 */
export async function namedFile(into: string, { source, projectFile, globs }: Reads): Promise<string> {
  const file = path.posix.normalize(into.replaceAll("\\", "/"));
  if (path.isAbsolute(into) || file === ".." || file.startsWith("../"))
    throw wrong(
      `${into} is no path inside the project folder.`,
      "Name a file below the project file: --into links/new.yaml.",
    );
  const found = globs.map((pattern) => ({ pattern, place: null }));
  const { files } = await overlayFiles(source, new Map([[file, ""]])).find(projectFile, found);
  if (file === projectFile || files.includes(file)) return file;
  const folder = path.posix.dirname(file);
  const listed = globs.map((glob) => `\`${glob}\``).join(", ");
  const glob = folder === "." ? file : `${folder}/**/*.yaml`;
  throw wrong(
    `The project would not read ${file}: its \`files\` are ${listed}.`,
    `Name a file that these match, or add \`${glob}\` to \`files\` in ${projectFile}.`,
  );
}

/** A new file that is called as the sheet, where the project's globs find it. Throws a user error where they find no new file. */
export function fileForSheet(kind: ResourceKind, sheet: string, globs: readonly string[]): string {
  const name = sheet === "" ? NAMELESS : path.basename(sheet).replace(/\.[a-z]{1,4}$/i, "");
  return new FileNames(globs, []).pathFor(kind, name, NAMELESS);
}

/** Says that a file is there, and how rows come into it all the same. */
export function isThere(file: string): UserError {
  const other = path.posix.join(path.posix.dirname(file), "NAME.yaml");
  return wrong(`${file} already exists.`, `To add the rows to it: --into ${file}. To begin another: --into ${other}.`);
}

/** A mistake in what `--into` says, or in what it leaves to be found. */
function wrong(message: string, hint: string): UserError {
  return new UserError("wrong-into", message, { hint, exit: EXIT.usage });
}
