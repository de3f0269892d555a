// A file of lines. Each line is written at once.

import { closeSync, fstatSync, readSync, writeFileSync } from "node:fs";
import { openToRead, openToWrite, type Location } from "./location.ts";

export class LineFile {
  readonly #handle: number;
  /** Whether the file ended with a partial line, because the disk was full. */
  readonly isCut: boolean;

  /** Throws a path error, or the system's error. */
  constructor(location: Location, from: "beginning" | "end", mode?: number) {
    this.#handle = openToWrite(location, from, mode);
    const { size } = fstatSync(this.#handle);
    this.isCut = from === "end" && size > 0 && isCut(location, size);
  }

  /** Writes everything or throws. On a full disk, a write may succeed partially, and only the next one fails. */
  write(text: string): void {
    writeFileSync(this.#handle, text);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** A file that cannot be read counts as complete. */
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
