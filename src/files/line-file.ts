// A file of lines. Each line is written at once.

import { closeSync, fstatSync, writeFileSync } from "node:fs";
import { openToAppend, openToWrite, systemError, type Location } from "./location.ts";

/** Only the owner may read the record of a run: it contains complete destinations. */
export const OWNER_ONLY = 0o600;

export class LineFile {
  readonly #handle: number;

  /** `isContinued`: adds to the file, which must exist. Throws a path error, or the system's error. */
  constructor(location: Location, isContinued: boolean = false) {
    this.#handle = isContinued ? openToAppend(location) : openToWrite(location, OWNER_ONLY);
  }

  /** Writes everything or throws, also if the file was removed. On a full disk, a write may succeed in part, and only the next one fails. */
  write(text: string): void {
    if (fstatSync(this.#handle).nlink === 0) throw systemError("ENOENT");
    writeFileSync(this.#handle, text);
  }

  close(): void {
    closeSync(this.#handle);
  }
}
