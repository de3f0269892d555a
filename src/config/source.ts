// Where a project's files come from: the folder on disk, or a commit. And what holds for both.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";

/** The files of one project folder. Paths are relative to it, with `/`. */
export interface FileSource {
  /** The commit that they stand in, as a person named it; null for files on disk. */
  readonly ref: string | null;
  /** A file's text without its byte order mark, or what keeps it from being read. */
  read(file: string): Promise<FileText>;
  /**
   * The resource files that the globs name, sorted, each once; not the project file. A named glob that matches nothing, one
   * that leaves the folder, and a file that lies outside are errors.
   */
  find(projectFile: string, globs: readonly FileGlob[]): Promise<{ files: string[]; diagnostics: Diagnostic[] }>;
}

export type FileText = { readonly text: string } | { readonly problem: Diagnostic };

/** A glob of the project file, and where it stands; null where it is the default. */
export interface FileGlob {
  readonly pattern: string;
  readonly place: Place | null;
}

/** The text of these bytes without its byte order mark, or where they are no UTF-8. `ref`: as in `FileSource`. */
export function textOf(bytes: Uint8Array, file: string, ref: string | null): FileText {
  if (isUtf16(bytes)) {
    const message = "This file is no UTF-8 text, but UTF-16 or binary.";
    const hint = "Save it as UTF-8; in Windows PowerShell, with `Out-File -Encoding utf8`.";
    return { problem: error("file-encoding", message, { file, line: 1, column: 1 }, hint) };
  }
  const text = decode(bytes);
  return text === null ? { problem: firstNonText(bytes, file, ref) } : { text };
}

/** With a byte order mark of it, or with zero bytes, which no text in UTF-8 has. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0);
}

/** Text without its byte order mark, or null for what is no UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where the first byte stands that is no UTF-8: no character spans a line break, so lines can be tried one by one. */
function firstNonText(bytes: Uint8Array, file: string, ref: string | null): Diagnostic {
  const lineBreak = 0x0a;
  let start = 0;
  for (;;) {
    const next = bytes.indexOf(lineBreak, start);
    const line = bytes.subarray(start, next < 0 ? bytes.length : next);
    if (decode(line) === null || next < 0) break;
    start = next + 1;
  }
  const before = new TextDecoder().decode(bytes.subarray(0, start));
  const rest = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start));
  const at = Math.max(0, rest.indexOf("\uFFFD"));
  const byte = bytes[start + new TextEncoder().encode(rest.slice(0, at)).length] ?? 0;
  const place = new SourceText(before + rest, file, ref).place(before.length + at, before.length + at + 1);
  const message = `The byte ${byte.toString(16).toUpperCase().padStart(2, "0")} here is no UTF-8.`;
  const meant = new TextDecoder("windows-1252").decode(Uint8Array.of(byte));
  const hint = `Save the file as UTF-8; in Windows-1252 (ANSI) this byte would be \`${meant}\`.`;
  return error("file-encoding", message, place, hint);
}
