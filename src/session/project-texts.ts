// The texts of a project's files as they stand on disk.

import { UserError } from "../errors.ts";
import { ProjectFolder } from "../files/folder.ts";
import { PathError } from "../files/location.ts";
import { codeOf } from "../files/location.ts";
import type { OpenedProject } from "./project.ts";

/** Reads them, by their path in the project folder, with their byte order marks. Throws a user error for one that can't be read. */
export async function readTexts({
  folder,
  files,
}: Pick<OpenedProject, "folder" | "files">): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const from = new ProjectFolder(folder);
  for (const file of files) {
    try {
      texts.set(file, (await from.read(file)).toString("utf8"));
    } catch (cause) {
      if (cause instanceof PathError) throw cause;
      throw new UserError("file-unreadable", `${file} can't be read (${codeOf(cause)}).`, {
        hint: "Make it readable for the user that runs linkform.",
        cause,
      });
    }
  }
  return texts;
}
