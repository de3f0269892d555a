// Reads a spreadsheet from a file or standard input.

import { decodeText } from "../config/file-source.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { osCode, PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import type { World } from "../session/context.ts";
import { piped } from "../session/resources.ts";
import { readCsv, type Sheet } from "./csv.ts";
import { missingHeader } from "./mapping.ts";

/** The file name for standard input. */
export const PIPED = "-";

export interface SheetFlags {
  readonly delimiter?: string;
  /** False if the first row does not name the columns. */
  readonly header?: boolean;
}

/** The spreadsheet, or the errors that prevent reading it. Throws a user error for a file that cannot be opened. */
export async function openSheet(
  world: World,
  file: string,
  { delimiter, header }: SheetFlags,
): Promise<Sheet | readonly Diagnostic[]> {
  const name = file === PIPED ? "stdin" : file;
  const bytes = file === PIPED ? await piped(world) : await fileBytes(world, file);
  const read = decodeText(bytes, name, null);
  if ("problem" in read) {
    const { message, place } = read.problem;
    // The line is not shown, because it may contain a password.
    const where = { file: name, line: place?.line ?? 1, column: place?.column ?? 1 };
    const hint = "Save it as CSV in UTF-8 (in Excel: `CSV UTF-8 (Comma delimited)`).";
    return [error("csv-encoding", message, where, hint)];
  }
  const sheet = readCsv(read.text, name, { delimiter: delimiter ?? null, hasHeader: header !== false });
  const unnamed = "rows" in sheet ? missingHeader(sheet) : [];
  return unnamed.length > 0 ? unnamed : sheet;
}

async function fileBytes({ cwd }: World, file: string): Promise<Uint8Array> {
  try {
    return await readFrom(locateNamed(cwd, file));
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    const code = osCode(cause);
    const message = code === "ENOENT" ? `${file} does not exist.` : `${file} cannot be read (${code}).`;
    const hint = code === "EISDIR" ? "Pass a file in this folder." : "Check the path, or pass `-` to read from stdin.";
    throw new UserError("csv-unreadable", message, { hint, cause });
  }
}
