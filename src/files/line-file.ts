// A file of lines. Each line is written at once.

import { closeSync, writeFileSync } from "node:fs";
import { openToWrite, type Location } from "./location.ts";

export class LineFile {
  readonly #handle: number;

  /** Throws a path error, or the system's error. */
  constructor(location: Location) {
    this.#handle = openToWrite(location);
  }

  /** Writes everything or throws. On a full disk, a write may succeed partially, and only the next one fails. */
  write(text: string): void {
    writeFileSync(this.#handle, text);
  }

  close(): void {
    closeSync(this.#handle);
  }
}
