// The files of a project while they are edited: each is opened when something of it is to be changed.

import type { Place } from "../domain/place.ts";
import { EditedFile } from "./edited-file.ts";

export class EditedFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #open = new Map<string, EditedFile>();

  /** `texts`: of every file, by its path relative to the project folder, without byte order marks. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** The file in which a place is. */
  at({ file }: Pick<Place, "file">): EditedFile {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    const text = this.#texts.get(file);
    if (text === undefined) throw new Error(`the file ${file} was not read`);
    const opened = new EditedFile(text, file);
    this.#open.set(file, opened);
    return opened;
  }

  /** The texts of the files that are not as they were. */
  changed(): Map<string, string> {
    return new Map([...this.#open].flatMap(([file, edited]) => (edited.isChanged ? [[file, edited.text]] : [])));
  }
}
