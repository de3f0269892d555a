// Positions in files, and the texts that they are positions in.

/** A file, relative to the project folder with `/`, and a line and column that both count from 1 (characters as editors count). */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The length in characters; undefined if only the start is known. */
  readonly length?: number;
  /** The text of the file. Reports take the line from here and never read the file again. */
  readonly source?: SourceText;
}

/** Whether a place is in generated input outside the project folder: `<stdin>`, `../links.json` or an absolute path. */
export function isOutsideProject({ file }: Pick<Place, "file">): boolean {
  return /^(?:<stdin>$|\/|\.\.\/|[a-z]:[\\/])/i.test(file);
}

export function startOf(file: string): Place {
  return { file, line: 1, column: 1 };
}

export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** `file:line:column`, the form that editors and terminals link. */
export function showPlace(place: Pick<Place, "file" | "line" | "column">): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** The place of the first or last occurrence of a part inside a place; the whole place if the part is not found, or without the text. */
export function placeIn(place: Place, part: string, which: "first" | "last"): Place {
  const { source, line, column, length } = place;
  const text = source?.line(line)?.slice(column - 1, column - 1 + (length ?? 0)) ?? "";
  const at = which === "first" ? text.indexOf(part) : text.lastIndexOf(part);
  return at < 0 || part === "" ? place : { ...place, column: column + at, length: part.length };
}

/** Compares by code unit, so that the order is the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text is private, so that JSON and inspection of a place do not show it: it may contain a password. */
export class SourceText {
  readonly #file: string;
  readonly #text: string;
  /** The offset at which each line begins. */
  readonly #starts = [0];
  /** The commit as the user named it; null for a file on disk. */
  readonly ref: string | null;

  constructor(text: string, file: string, ref: string | null = null) {
    this.#file = file;
    this.#text = text;
    this.ref = ref;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) this.#starts.push(end + 1);
  }

  /** The line of this number, which counts from 1, without its end; null where there is none. */
  line(number: number): string | null {
    const start = this.#starts[number - 1];
    return start === undefined ? null : this.#text.slice(start, this.#endOfLine(number - 1));
  }

  /** The place of a range of offsets, cut at the end of its first line. */
  place(offset: number, end: number = offset): Place {
    const start = Math.min(offset, this.#text.length);
    const index = this.#lineOf(start);
    const length = Math.min(end, this.#endOfLine(index)) - start;
    const file = this.#file;
    const line = index + 1;
    const column = start - (this.#starts[index] ?? 0) + 1;
    // One object for each of these many places, with the same fields in the same order.
    return length > 0 ? { file, line, column, source: this, length } : { file, line, column, source: this };
  }

  #lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The offset before the line break. */
  #endOfLine(index: number): number {
    const next = this.#starts[index + 1];
    if (next === undefined) return this.#text.length;
    return this.#text[next - 2] === "\r" ? next - 2 : next - 1;
  }
}
