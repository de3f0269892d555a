// A file of lines, each written as it comes.

import { closeSync, fstatSync, readSync, writeFileSync } from "node:fs";
import { openToRead, openToWrite, type Location } from "./location.ts";

export class LineFile {
  readonly #handle: number;
  /** The last line that was there before has no end: the disk was full. */
  readonly isCut: boolean;

  /** Throws a path error, or the system's error. */
  constructor(location: Location, from: "beginning" | "end", mode?: number) {
    this.#handle = openToWrite(location, from, mode);
    const { size } = fstatSync(this.#handle);
    this.isCut = from === "end" && size > 0 && isCut(location, size);
  }

  /** Writes all of it, or throws: of a disk that becomes full the system writes what it can, and reports it only when asked again. */
  write(text: string): void {
    writeFileSync(this.#handle, text);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** A file that may not be read counts as complete. */
function isCut(location: Location, size: number): boolean {
  try {
    const handle = openToRead(location);
    try {
      const last = Buffer.alloc(1);
      return readSync(handle, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
    } finally {
      closeSync(handle);
    }
  } catch {
    return false;
  }
}
