// The files of a project folder on disk, and nothing outside it.

import { error } from "../domain/diagnostic.ts";
import { ProjectFolder } from "../files/folder.ts";
import { PathError, systemCode } from "../files/location.ts";
import { findFiles, leadsOut, NO_CLOCK, type SearchClock } from "./find-files.ts";
import { textOf, type FileSource, type FileText } from "./source.ts";

/** The files of the folder with this absolute path. `clock` limits the time of a search. */
export function folderSource(path: string, clock: SearchClock = NO_CLOCK): FileSource {
  const folder = new ProjectFolder(path);
  return {
    ref: null,
    read: (file) => readText(folder, file),
    find: (projectFile, globs) => findFiles(folder, projectFile, globs, { isStrict: true, clock }),
  };
}

async function readText(folder: ProjectFolder, file: string): Promise<FileText> {
  try {
    return textOf(await folder.read(file), file, null);
  } catch (cause) {
    const place = { file, line: 1, column: 1 };
    if (cause instanceof PathError)
      return {
        problem:
          cause.code === "outside-project" ? leadsOut(file) : error(cause.code, cause.message, place, cause.hint),
      };
    const code = systemCode(cause);
    const there = folder.resolve(file);
    const isGone = code === "ENOENT" && (!("link" in there) || there.link === null);
    const [message, hint] = UNREADABLE.get(isGone ? "gone" : code) ?? [
      `This file can't be read (${code}).`,
      "Check the file.",
    ];
    return { problem: error("file-unreadable", message, place, hint) };
  }
}

const UNREADABLE = new Map<string, [message: string, hint: string]>([
  ["gone", ["This file was there when the project was searched, and is gone.", "Run it again."]],
  ["EACCES", ["There is no permission to read this file.", "Correct its permissions."]],
  ["EISDIR", ["This is a folder, not a file.", "Name the file in it."]],
  ["ELOOP", ["This file is a link that leads back to itself.", "Put the file itself here."]],
  ["ENOENT", ["This file is a link to one that does not exist.", "Remove the link, or put the file where it leads."]],
]);
