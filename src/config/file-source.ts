// Where a project's files come from: a folder on disk, the same with changed texts, or a commit (base.ts).

import { isUtf8 } from "node:buffer";
import type { Clock } from "../domain/clock.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, startOf } from "../domain/place.ts";
import { follow, type PathTree } from "../files/follow.ts";

/** The files of a project folder. Paths are relative to it. */
export interface FileSource extends PathTree {
  /** The commit as the user named it; null for files on disk. */
  readonly ref: string | null;
  /** The text with its byte order mark, or the error that prevents reading it. */
  read(file: string): Promise<FileText>;
  /** A search reports links that are broken or lead out of the folder, and missing folders that may have wanted files. */
  readonly isStrict: boolean;
  /** Without it, a search may take any time. */
  readonly clock?: SearchClock | undefined;
  /** Null if a path is here, not tracked, or removed before a commit. */
  absence?(path: readonly string[]): Absence | null;
  /** Why git cannot list the tracked files, so that missing ones may not be detected. */
  readonly problem?: Pick<Diagnostic, "message" | "hint"> | null | undefined;
}

/** Why a tracked path is missing, although nobody removed it. */
export interface Absence {
  readonly why: "skipped" | "submodule" | "ci";
  readonly mayBeFolder: boolean;
}

export type SearchClock = Pick<Clock, "now">;

export type FileText = { readonly text: string } | { readonly problem: Diagnostic };

/** Decodes UTF-8 and keeps a byte order mark. `ref` as in `FileSource`. */
export function decodeText(bytes: Uint8Array, file: string, ref: string | null): FileText {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Text in UTF-8 does not have a zero byte.
  if (isUtf16 || bytes.includes(0)) {
    const message = "This file is not UTF-8 text. It is UTF-16 or binary.";
    const hint = "Save it as UTF-8. In Windows PowerShell, use `Out-File -Encoding utf8`.";
    return { problem: error("file-encoding", message, startOf(file), hint) };
  }
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return isUtf8(bytes) ? { text: decoded } : { problem: encodingError(bytes, decoded, file, ref) };
}

/** At the first character that cannot be decoded. */
function encodingError(bytes: Uint8Array, decoded: string, file: string, ref: string | null): Diagnostic {
  const text = new TextDecoder().decode(bytes);
  const encoded = Buffer.from(decoded);
  const wrong = bytes.findIndex((byte, index) => byte !== encoded[index]);
  // `stream` leaves out a character without its end.
  const before = new TextDecoder().decode(wrong < 0 ? bytes : bytes.subarray(0, wrong), { stream: true });
  const place = new SourceText(text, file, ref).place(before.length, before.length + 1);
  return error("file-encoding", "This character is not valid UTF-8.", place, "Save the file as UTF-8.");
}

/** Replaces or adds texts, by path. Null removes a file. */
export function overlayFiles(source: FileSource, texts: ReadonlyMap<string, string | null>): FileSource {
  /** By path without links: a new file or folder, or nothing any more. */
  const entries = new Map<string, "file" | "folder" | null>();
  for (const [file, text] of texts) {
    const found = follow(source, [], file);
    if (!("path" in found)) continue;
    const { path } = found;
    if (text !== null) for (const at of path.keys()) entries.set(path.slice(0, at + 1).join("/"), "folder");
    entries.set(path.join("/"), text === null ? null : "file");
  }
  return {
    ...source,
    read: async (file) => {
      const text = texts.get(file);
      return typeof text === "string" ? { text } : source.read(file);
    },
    entry: (path) => {
      const type = entries.get(path.join("/"));
      return type === undefined ? source.entry(path) : type && { type };
    },
    names: (path) => {
      const prefix = path.map((name) => `${name}/`).join("");
      const added = [...entries.keys()].flatMap((one) =>
        one.startsWith(prefix) && !one.includes("/", prefix.length) ? [one.slice(prefix.length)] : [],
      );
      const here = source.entry(path) === null ? [] : source.names(path);
      return [...new Set([...here, ...added])].filter((name) => entries.get(prefix + name) !== null);
    },
    isFileOutside: (path) => source.isFileOutside?.(path) === true,
    absence: (path) => (entries.has(path.join("/")) ? null : (source.absence?.(path) ?? null)),
  };
}
