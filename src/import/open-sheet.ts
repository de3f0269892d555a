// Reads the text of a spreadsheet from a file or standard input.

import { decodeText } from "../config/file-source.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";
import { osCode, PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import type { World } from "../session/context.ts";
import { piped } from "../session/resources.ts";

/** The file name for standard input. */
export const PIPED = "-";

/** The text and its name in messages, or the reason why it cannot be read. */
export async function readSheet(
  world: World,
  file: string,
): Promise<{ readonly name: string; readonly text: string } | { readonly problem: Diagnostic }> {
  const name = file === PIPED ? "stdin" : file;
  const bytes = file === PIPED ? await piped(world) : await fileBytes(world, file);
  const read = decodeText(bytes, name, null);
  if ("text" in read) return { name, text: read.text };
  const { message, place } = read.problem;
  // The line is not shown, because it may contain a password.
  const where = { file: name, line: place?.line ?? 1, column: place?.column ?? 1 };
  return { problem: error("csv-encoding", message, where, HOW_TO_SAVE) };
}

const HOW_TO_SAVE = "Save it as CSV in UTF-8 (in Excel: `CSV UTF-8 (Comma delimited)`).";

async function fileBytes({ cwd }: World, file: string): Promise<Uint8Array> {
  try {
    return await readFrom(locateNamed(cwd, file));
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    const code = osCode(cause);
    throw new UserError(
      "csv-unreadable",
      code === "ENOENT" ? `${file} does not exist.` : `${file} cannot be read (${code}).`,
      {
        hint: code === "EISDIR" ? "Pass a file in this folder." : "Check the path, or pass `-` to read from stdin.",
        cause,
      },
    );
  }
}
