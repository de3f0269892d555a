// The text of a file as it was read: where its offsets lie, and its lines.

import type { Place } from "./place.ts";

/** Nothing of the text shows when a place that holds it is written as JSON or inspected: it may have a password in it. */
export class SourceText {
  readonly #file: string;
  readonly #text: string;
  /** The offset at which each line begins. */
  readonly #starts: readonly number[];
  /** The commit it stands in, as a person named it; null for a file on disk. */
  readonly ref: string | null;

  constructor(text: string, file: string, ref: string | null = null) {
    this.#file = file;
    this.#text = text;
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.ref = ref;
  }

  /** The line of this number, which counts from 1, without its end; null where there is none. */
  line(number: number): string | null {
    const start = this.#starts[number - 1];
    return start === undefined ? null : this.#text.slice(start, this.#endOfLine(number - 1));
  }

  /** The place of what begins at an offset and ends before another: as much of it as stands on its first line. */
  place(offset: number, end: number = offset): Place {
    const start = Math.min(offset, this.#text.length);
    const line = this.#lineOf(start);
    const length = Math.min(end, this.#endOfLine(line)) - start;
    const place = { file: this.#file, line: line + 1, column: start - (this.#starts[line] ?? 0) + 1, source: this };
    return length > 0 ? { ...place, length } : place;
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

  /** The offset at which the line of this index ends, before its line break. */
  #endOfLine(index: number): number {
    const next = this.#starts[index + 1];
    if (next === undefined) return this.#text.length;
    return this.#text[next - 2] === "\r" ? next - 2 : next - 1;
  }
}
