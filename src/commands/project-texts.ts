// The texts of a project's files as they stand on disk.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../errors.ts";
import { codeOf } from "./context.ts";
import type { Opened } from "./project.ts";

/** Reads them, by their path in the project folder, with their byte order marks. Throws a user error for one that can't be read. */
export async function readTexts({ folder, files }: Pick<Opened, "folder" | "files">): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const file of files) {
    try {
      texts.set(file, await readFile(path.join(folder, file), "utf8"));
    } catch (cause) {
      throw new UserError("file-unreadable", `${file} can't be read (${codeOf(cause)}).`, {
        hint: "Make it readable for the user that runs linkform.",
        cause,
      });
    }
  }
  return texts;
}
