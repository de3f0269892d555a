// Where a project's files come from: a folder on disk, the same with changed texts, or a commit (base.ts).

import { isUtf8 } from "node:buffer";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText, SourceText } from "../domain/place.ts";
import { Checkout, type GitProblem } from "./checkout.ts";
import {
  findFiles,
  linkOutside,
  noSuchFiles,
  NO_CLOCK,
  parseGlobs,
  type FileGlob,
  type SearchClock,
} from "./find-files.ts";
import type { GitEnvironment } from "./git.ts";
import { ProjectFolder } from "../files/folder.ts";
import { PathError, osCode } from "../files/location.ts";
import { PathMatcher, type PathGlob } from "./path-glob.ts";

/** The files of one project folder. Paths are relative to it, with `/`. */
export interface FileSource {
  /** The commit as the user named it; null for files on disk. */
  readonly ref: string | null;
  /** A file's text without its byte order mark, or the error that prevents reading it. */
  read(file: string): Promise<FileText>;
  /**
   * The resource files that the globs match, sorted, without the project file. Errors: a glob from the project file that matches
   * nothing or leaves the folder, a file outside the folder, and a tracked file that is not checked out.
   */
  find(projectFile: string, globs: readonly FileGlob[]): Promise<FoundFiles>;
}

export interface FoundFiles {
  readonly files: string[];
  readonly diagnostics: Diagnostic[];
  /** Why missing files may not have been detected. */
  readonly problem?: GitProblem | null;
}

/** The clock that limits a search for files, and the environment of git. */
export interface SearchContext {
  readonly clock: SearchClock;
  readonly env: GitEnvironment;
}

export type FileText = { readonly text: string } | { readonly problem: Diagnostic };

/** Decodes UTF-8 and removes a byte order mark, or returns the error. `ref` is the commit, as in `FileSource`. */
export function decodeText(bytes: Uint8Array, file: string, ref: string | null): FileText {
  if (isUtf16(bytes)) {
    const message = "This file is not UTF-8 text. It is UTF-16 or binary.";
    const hint = "Save it as UTF-8. In Windows PowerShell, use `Out-File -Encoding utf8`.";
    return { problem: error("file-encoding", message, { file, line: 1, column: 1 }, hint) };
  }
  return isUtf8(bytes) ? { text: new TextDecoder().decode(bytes) } : { problem: encodingError(bytes, file, ref) };
}

/** Whether there is a byte order mark of UTF-16, or a zero byte, which text in UTF-8 does not have. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0);
}

/** The error for a text that is not UTF-8, at the first byte that is not. */
function encodingError(bytes: Uint8Array, file: string, ref: string | null): Diagnostic {
  let [valid, tooLong] = [0, bytes.length + 1];
  while (tooLong - valid > 1) {
    const middle = Math.floor((valid + tooLong) / 2);
    if (validStart(bytes.subarray(0, middle)) === null) tooLong = middle;
    else valid = middle;
  }
  const at = validStart(bytes.subarray(0, valid))?.length ?? 0;
  const place = new SourceText(new TextDecoder().decode(bytes), file, ref).place(at, at + 1);
  return error("file-encoding", "This character is not valid UTF-8.", place, "Save the file as UTF-8.");
}

/** The text of bytes that may end within a character; null if they are not UTF-8. */
function validStart(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The files of the folder at an absolute path. Without a context, the checkout is assumed to be complete. */
export function folderSource(path: string, context: SearchContext | null = null): FileSource {
  const folder = new ProjectFolder(path);
  let opened: Promise<Checkout> | null = null;
  return {
    ref: null,
    read: (file) => readText(folder, file),
    find: async (projectFile, globs) => {
      if (context === null) return findFiles(folder, projectFile, globs, { isStrict: true, clock: NO_CLOCK });
      const checkout = await (opened ??= Checkout.open(folder, context.env));
      for (;;) {
        const found = findFiles(checkout, projectFile, globs, { isStrict: true, clock: context.clock });
        if (!(await checkout.openSubmodules())) return { ...found, problem: checkout.problem };
      }
    },
  };
}

async function readText(folder: ProjectFolder, file: string): Promise<FileText> {
  try {
    return decodeText(await folder.read(file), file, null);
  } catch (cause) {
    const place = { file, line: 1, column: 1 };
    if (cause instanceof PathError)
      return {
        problem:
          cause.code === "outside-project" ? linkOutside(file) : error(cause.code, cause.message, place, cause.hint),
      };
    const code = osCode(cause);
    const [message, hint] = UNREADABLE.get(code) ?? [
      `This file cannot be read (${code}).`,
      "Check the file and its permissions.",
    ];
    return { problem: error("file-unreadable", message, place, hint) };
  }
}

const UNREADABLE = new Map<string, [message: string, hint: string]>([
  [
    "ENOENT",
    [
      "This file is a symbolic link to a file that does not exist, or it was removed in the meantime.",
      "Remove the link, create the file that it points to, or run the command again.",
    ],
  ],
  ["EACCES", ["linkform has no permission to read this file.", "Fix its permissions."]],
]);

/** The files of a source with some texts replaced or added, by path. Null removes a file. */
export function overlayFiles(source: FileSource, texts: ReadonlyMap<string, string | null>): FileSource {
  return {
    ref: source.ref,
    read: (file) => {
      const text = texts.get(file);
      return typeof text === "string" ? Promise.resolve({ text: text.replace(/^\uFEFF/, "") }) : source.read(file);
    },
    find: async (projectFile, globs) => {
      const added = [...texts].flatMap(([file, text]) => (text === null ? [] : [file]));
      const { parsed, diagnostics } = parseGlobs(globs);
      const matching = async (pattern: string, glob: PathGlob): Promise<string[]> => {
        const found = await source.find(projectFile, [{ pattern, place: null }]);
        const matcher = new PathMatcher([glob]);
        const remaining = found.files.filter((file) => texts.get(file) !== null);
        return [...remaining, ...[projectFile, ...added].filter((file) => matcher.matches(file))];
      };
      const files = new Set<string>();
      for (const { pattern, place, glob } of parsed) {
        const matches = await matching(pattern, glob);
        for (const file of matches) files.add(file);
        if (matches.length === 0 && place !== null) diagnostics.push(noSuchFiles(pattern, place));
      }
      files.delete(projectFile);
      // Problems with the files that the globs match in the source remain.
      const inSource = await source.find(
        projectFile,
        globs.map(({ pattern }) => ({ pattern, place: null })),
      );
      const outside = inSource.diagnostics.filter(({ place }) => place !== null);
      return { ...inSource, files: [...files].toSorted(compareText), diagnostics: [...diagnostics, ...outside] };
    },
  };
}
