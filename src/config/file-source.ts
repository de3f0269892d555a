// Where a project's files come from: a folder on disk, the same with changed texts, or a commit (base.ts).

import { isUtf8 } from "node:buffer";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText } from "../domain/place.ts";
import { follow } from "../files/follow.ts";
import { Checkout } from "./checkout.ts";
import {
  findFiles,
  linkOutside,
  NO_CLOCK,
  type FileGlob,
  type SearchClock,
  type SearchOptions,
  type SearchTree,
} from "./find-files.ts";
import type { GitEnvironment } from "./git.ts";
import { ProjectFolder } from "../files/folder.ts";
import { PathError, osCode } from "../files/location.ts";

/** The files of one project folder. Paths are relative to it, with `/`. */
export interface FileSource {
  /** The commit as the user named it; null for files on disk. */
  readonly ref: string | null;
  /** A file's text without its byte order mark, or the error that prevents reading it. */
  read(file: string): Promise<FileText>;
  /** The folders and files, for a search. */
  tree(): Promise<SearchTree>;
  /** How to search it. */
  readonly search: SearchOptions;
}

/** The resource files that the globs match, as `findFiles` returns them. */
export async function findIn(
  source: FileSource,
  projectFile: string,
  globs: readonly FileGlob[],
): Promise<ReturnType<typeof findFiles>> {
  return findFiles(await source.tree(), projectFile, globs, source.search);
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

/** The error for a text that is not UTF-8, at the first character that cannot be decoded. */
function encodingError(bytes: Uint8Array, file: string, ref: string | null): Diagnostic {
  const text = new TextDecoder().decode(bytes);
  const encoded = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const wrong = bytes.findIndex((byte, index) => byte !== encoded[index]);
  // `stream` leaves out a character without its end.
  const before = new TextDecoder().decode(wrong < 0 ? bytes : bytes.subarray(0, wrong), { stream: true });
  const place = new SourceText(text, file, ref).place(before.length, before.length + 1);
  return error("file-encoding", "This character is not valid UTF-8.", place, "Save the file as UTF-8.");
}

/** The files of the folder at an absolute path. Without a context, the checkout is assumed to be complete. */
export function folderSource(path: string, context: SearchContext | null = null): FileSource {
  const folder = new ProjectFolder(path);
  let opened: Promise<Checkout> | null = null;
  return {
    ref: null,
    read: (file) => readText(folder, file),
    tree: async () => (context === null ? folder : (opened ??= Checkout.open(folder, context.env))),
    search: { isStrict: true, clock: context?.clock ?? NO_CLOCK },
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
    const [message, hint] = UNREADABLE[code] ?? [
      `This file cannot be read (${code}).`,
      "Check the file and its permissions.",
    ];
    return { problem: error("file-unreadable", message, place, hint) };
  }
}

const UNREADABLE: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOENT: [
    "This file is a symbolic link to a file that does not exist, or it was removed in the meantime.",
    "Remove the link, create the file that it points to, or run the command again.",
  ],
  EACCES: ["linkform has no permission to read this file.", "Fix its permissions."],
};

/** The files of a source with some texts replaced or added, by path. Null removes a file. */
export function overlayFiles(source: FileSource, texts: ReadonlyMap<string, string | null>): FileSource {
  return {
    ...source,
    read: (file) => {
      const text = texts.get(file);
      return typeof text === "string" ? Promise.resolve({ text: text.replace(/^\uFEFF/, "") }) : source.read(file);
    },
    tree: async () => overlayTree(await source.tree(), texts),
  };
}

function overlayTree(tree: SearchTree, texts: ReadonlyMap<string, string | null>): SearchTree {
  /** What is at each path without links: a new file or folder, or nothing any more. */
  const entries = new Map<string, "file" | "folder" | null>();
  for (const [file, text] of texts) {
    const found = follow(tree, [], file);
    if (!("path" in found)) continue;
    const { path } = found;
    if (text === null) entries.set(path.join("/"), null);
    else
      for (const at of path.keys())
        entries.set(path.slice(0, at + 1).join("/"), at + 1 < path.length ? "folder" : "file");
  }
  return {
    entry: (path) => {
      const type = entries.get(path.join("/"));
      return type === undefined ? tree.entry(path) : type && { type };
    },
    names: (path) => {
      const prefix = path.map((name) => `${name}/`).join("");
      const added = [...entries.keys()].flatMap((one) =>
        one.startsWith(prefix) && !one.includes("/", prefix.length) ? [one.slice(prefix.length)] : [],
      );
      const here = tree.entry(path) === null ? [] : tree.names(path);
      return [...new Set([...here, ...added])].filter((name) => entries.get(prefix + name) !== null);
    },
    isFileOutside: (path) => tree.isFileOutside?.(path) === true,
    absence: (path) => (entries.has(path.join("/")) ? null : (tree.absence?.(path) ?? null)),
    problem: tree.problem ?? null,
  };
}
