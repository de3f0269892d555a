// Opens files; no other module does. The path of a file in a checkout is resolved inside the checkout first.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { UserError, type ExitCode } from "../errors.ts";

/** The most bytes of a project's file. */
export const MAX_BYTES: number = 64 * 1024 * 1024;

export interface Location {
  /** Absolute. */
  readonly path: string;
  /** The path as a person wrote it. */
  readonly shown: string;
  /** Whether the path has no links and must have none when it is opened. False for a file outside a checkout. */
  readonly isConfined: boolean;
}

/** A path leads out of the project or to no regular file, or its file is too large. */
export class PathError extends UserError {}

export function outside(link: string): PathError {
  const message = `\`${link}\` is a symbolic link that leads out of the project folder.`;
  const hint = "Replace the link with the file or folder itself. If it is absolute and stays inside, make it relative.";
  return new PathError("outside-project", message, { hint });
}

export function insideGit(shown: string): PathError {
  const message = `\`${shown}\` leads into the git directory, which is not part of the project.`;
  return new PathError("outside-project", message, { hint: "Use a file of the project." });
}

function notRegular(shown: string): PathError {
  const message = `\`${shown}\` is a device, a pipe or a socket, not a regular file.`;
  return new PathError("file-not-regular", message, { hint: "Replace it with a regular file." });
}

export function tooLarge(shown: string, limit: number): PathError {
  const size = limit >= 1024 * 1024 ? `${Math.round(limit / 1024 / 1024)} MB` : `${limit / 1024} KB`;
  return new PathError("file-too-large", `\`${shown}\` is larger than ${size}.`, {
    hint: "Split it into several files.",
  });
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The system's code for an error, such as `ENOENT`. */
export function osCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}

export interface FileProblem {
  readonly code: string;
  readonly hint: string;
  readonly exit?: ExitCode;
}

/** The error for a file that cannot be read or written; a path error explains itself. */
export function fileError(message: string, cause: unknown, { code, ...options }: FileProblem): UserError {
  if (cause instanceof PathError) return cause;
  return new UserError(code, `${message} (${osCode(cause)}).`, { ...options, cause });
}

/** Opens a file; the caller closes it. Throws a path error, or the system's error. `flags`: those of open(2). */
function open(location: Location, flags: number, mode?: number): number {
  if (!location.isConfined) return openSync(location.path, flags, mode);
  let handle: number;
  try {
    // Does not follow a link that has just been created, and does not wait for the other end of a pipe.
    handle = openSync(location.path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), mode);
  } catch (cause) {
    throw osCode(cause) === "ELOOP" ? outside(location.shown) : cause;
  }
  try {
    const opened = fstatSync(handle);
    if (opened.isDirectory()) throw systemError("EISDIR");
    if (!opened.isFile()) throw notRegular(location.shown);
    // A link may have replaced a parent.
    const here = lstatSync(location.path);
    if (here.ino !== opened.ino || here.dev !== opened.dev || realpathSync(location.path) !== location.path)
      throw outside(location.shown);
    return handle;
  } catch (cause) {
    closeSync(handle);
    throw cause;
  }
}

/** Throws a path error if the file has more than `limit` bytes. */
export async function readFrom(location: Location, limit: number = MAX_BYTES): Promise<Buffer> {
  if (location.isConfined) return readConfined(location, limit);
  const found = await stat(location.path);
  if (found.isFile() && found.size > limit) throw tooLarge(location.shown, limit);
  return readFile(location.path);
}

function readConfined(location: Location, limit: number): Buffer {
  const handle = open(location, constants.O_RDONLY);
  try {
    const { size } = fstatSync(handle);
    if (size > limit) throw tooLarge(location.shown, limit);
    const chunks: Buffer[] = [];
    let total = 0;
    // The reported size may be 0 for special file systems, and may change.
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 4096);
      const count = readSync(handle, chunk, 0, chunk.length, null);
      if (count === 0) return Buffer.concat(chunks, total);
      chunks.push(chunk.subarray(0, count));
      total += count;
      if (total > limit) throw tooLarge(location.shown, limit);
    }
  } finally {
    closeSync(handle);
  }
}

function openToWrite(location: Location, mode?: number): number {
  const handle = open(location, constants.O_WRONLY | constants.O_CREAT, mode);
  // Truncates only after the file has been checked.
  if (fstatSync(handle).isFile()) ftruncateSync(handle);
  return handle;
}

export async function writeTo(location: Location, content: string): Promise<void> {
  if (!location.isConfined) return writeFile(location.path, content);
  const handle = openToWrite(location);
  try {
    writeFileSync(handle, content);
  } finally {
    closeSync(handle);
  }
}

/** Only the owner may read the record of a run: it contains complete destinations. */
export const OWNER_ONLY = 0o600;

/** A file that grows line by line. */
export class LineFile {
  readonly #handle: number;

  /** `isContinued`: adds to a file that exists. Throws a path error, or the system's error. */
  constructor(location: Location, isContinued: boolean = false) {
    const end = constants.O_WRONLY | constants.O_APPEND;
    this.#handle = isContinued ? open(location, end) : openToWrite(location, OWNER_ONLY);
  }

  /** Writes everything or throws, where `writeSync` may write a part on a full disk. Also throws if the file was removed. */
  write(text: string): void {
    if (fstatSync(this.#handle).nlink === 0) throw systemError("ENOENT");
    writeFileSync(this.#handle, text);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** Writes a temporary file beside a location and returns its path. It is hidden, so that no glob matches it. */
export function writeBeside(location: Location, content: string, mode = 0o666): string {
  const name = `.linkform-${process.getBuiltinModule("node:crypto").randomBytes(6).toString("hex")}.tmp`;
  const beside = { ...location, path: path.join(path.dirname(location.path), name) };
  const handle = open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    writeFileSync(handle, content);
    return beside.path;
  } catch (cause) {
    rmSync(beside.path, { force: true });
    throw cause;
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a file atomically: writes a temporary file and renames it. `isNew`: throws EEXIST if the file exists.
 * Throws a path error for a device or pipe such as /dev/null, because the file would replace it.
 */
export function replaceAt(
  location: Location,
  content: string,
  { mode, isNew = false }: { mode?: number; isNew?: boolean } = {},
): void {
  const there = (location.isConfined ? lstatSync : statSync)(location.path, { throwIfNoEntry: false });
  if (!isNew && there !== undefined && !there.isFile() && !there.isDirectory()) throw notRegular(location.shown);
  const written = writeBeside(location, content, mode);
  try {
    if (isNew) takeFreeName(written, location.path);
    else renameSync(written, location.path);
  } finally {
    rmSync(written, { force: true });
  }
}

export function modeAt(place: string): number {
  return lstatSync(place).mode & 0o777;
}

/** The path must not be a link. */
export function setMode(place: string, mode: number): void {
  chmodSync(place, mode);
}

/** Removes a file or link, if it exists. */
export function removeAt(location: Location): void {
  rmSync(location.path, { force: true });
}

/** Renames a file and fails if the new name exists, even if another process has just created it. */
function takeFreeName(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (cause) {
    if (osCode(cause) === "EEXIST" || lstatSync(to, { throwIfNoEntry: false }) !== undefined)
      throw systemError("EEXIST");
    // Not every file system has hard links.
    renameSync(from, to);
  }
}

/** What `read` finds; undefined if nothing is there, or it cannot be read. */
export function statsAt(file: string, read: typeof statSync): Stats | undefined {
  try {
    return read(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** None if the folder cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
