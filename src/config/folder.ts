// The files of a project folder on disk, and nothing outside it.

import * as fs from "node:fs";
import { lstat, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { glob } from "tinyglobby";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { matchGlobs, NEVER_READ, textOf, type FileGlob, type FileSource, type FileText } from "./source.ts";

/** The files of the folder with this absolute path. */
export function folderSource(folder: string): FileSource {
  return {
    ref: null,
    read: (file) => readText(folder, file),
    find: (projectFile, globs) => findResourceFiles(folder, projectFile, globs),
  };
}

async function readText(folder: string, file: string): Promise<FileText> {
  try {
    return textOf(await readFile(path.join(folder, file)), file, null);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const isGone = code === "ENOENT" && (await lstat(path.join(folder, file)).catch(() => null)) === null;
    const [message, hint] = UNREADABLE.get(isGone ? "gone" : code) ?? [
      `This file can't be read (${code}).`,
      "Check the file.",
    ];
    return { problem: error("file-unreadable", message, { file, line: 1, column: 1 }, hint) };
  }
}

const UNREADABLE = new Map<string, [message: string, hint: string]>([
  ["gone", ["This file was there when the project was searched, and is gone.", "Run it again."]],
  ["EACCES", ["There is no permission to read this file.", "Correct its permissions."]],
  ["EISDIR", ["This is a folder, not a file.", "Name the file in it."]],
  ["ELOOP", ["This file is a link that leads back to itself.", "Put the file itself here."]],
  ["ENOENT", ["This file is a link to one that does not exist.", "Remove the link, or put the file where it leads."]],
]);

/** A file that a link leads out of the folder is an error. */
async function findResourceFiles(
  folder: string,
  projectFile: string,
  globs: readonly FileGlob[],
): ReturnType<FileSource["find"]> {
  const { files, diagnostics } = await matchGlobs(globs, (pattern) =>
    glob(pattern, {
      cwd: folder,
      ignore: [NEVER_READ],
      expandDirectories: false,
      fs: { realpath: realpathOrItself, stat: statOrItself },
    }),
  );
  files.delete(projectFile);
  const root = await realpath(folder);
  // A file that is reached in two ways is one file; the first way by name is the one that is shown.
  const byRealPath = new Map<string, string>();
  const leading = new Set<string>();
  for (const file of [...files].toSorted(compareText)) {
    const real = await realpath(path.join(folder, file)).catch(() => path.join(root, file));
    if (isOutside(root, real)) {
      leading.add(await firstOutside(root, file));
    } else if (!byRealPath.has(real) && real !== path.join(root, projectFile)) byRealPath.set(real, file);
  }
  diagnostics.push(...[...leading].map((link) => leadsOut(link, files.has(link) ? "file" : "folder")));
  return { files: [...byRealPath.values()], diagnostics };
}

/** Of a path, as much as leads to the link that leaves the folder: the names behind it are nobody's business here. */
async function firstOutside(root: string, file: string): Promise<string> {
  const names = file.split("/");
  const paths = names.map((_, at) => names.slice(0, at + 1).join("/"));
  const real = await Promise.all(paths.map((each) => realpath(path.join(root, each)).catch(() => root)));
  return paths.find((_, at) => isOutside(root, real[at] ?? root)) ?? file;
}

function leadsOut(link: string, what: "file" | "folder"): Diagnostic {
  const message = `This ${what} is a link that leads out of the project folder.`;
  return error("outside-project", message, { file: link, line: 1, column: 1 }, `Put the ${what} itself here.`);
}

type Call<Result> = (problem: Error | null, result: Result) => void;

/** A link that leads nowhere is passed over by the search unless it is taken for a file, and must not be: see `readText`. */
const realpathOrItself = Object.assign((file: string, call: Call<string>): void => {
  fs.realpath(file, (problem, real) => call(null, problem === null ? real : file));
}, fs.realpath);

const statOrItself = Object.assign((file: string, call: Call<fs.Stats>): void => {
  fs.stat(file, (problem, found) => (problem === null ? call(null, found) : fs.lstat(file, call)));
}, fs.stat);

function isOutside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}
