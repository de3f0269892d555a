// Insertions and deletions at offsets of a text, applied together.

import type { TextLines, TextSpan } from "./lines.ts";

/** Inserted text, or whole lines with a number of empty lines above them. */
type Inserted =
  | { readonly at: number; readonly text: string }
  | { readonly at: number; readonly lines: readonly string[]; readonly gap: number };

export class Splices {
  readonly #lines: TextLines;
  readonly #deleted: TextSpan[] = [];
  readonly #inserted: Inserted[] = [];

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  /** Deletes characters. Deletions may overlap. */
  delete(start: number, end: number): void {
    if (end > start) this.#deleted.push({ start, end });
  }

  /** Inserts text. Insertions at the same offset keep the order of the calls. */
  insert(at: number, text: string): void {
    this.#inserted.push({ at, text });
  }

  /** Inserts lines at the start of a line or at the end of the text, with at least `gap` empty lines above them. */
  insertLines(at: number, lines: readonly string[], gap = 0): void {
    this.#inserted.push({ at, lines, gap });
  }

  /** Those of these sorted spans that are not deleted. */
  leaves<S extends TextSpan>(spans: readonly S[]): S[] {
    const kept = keptSpans(this.#deleted, this.#lines.text.length);
    let at = 0;
    return spans.filter(({ start }) => {
      while ((kept[at]?.end ?? Infinity) <= start) at += 1;
      return (kept[at]?.start ?? Infinity) <= start;
    });
  }

  apply(): string {
    const { text, lineBreak } = this.#lines;
    const kept = keptSpans(this.#deleted, text.length);
    const inserted = this.#inserted.toSorted((a, b) => a.at - b.at);
    const written = new WrittenSplices(lineBreak);
    let next = 0;
    const insertUpTo = (offset: number): void => {
      for (; next < inserted.length; next += 1) {
        const one = inserted[next];
        if (one === undefined || one.at > offset) return;
        if ("text" in one) written.add(one.text);
        else written.addLines(one.lines, one.gap);
      }
    };
    for (const { start, end } of kept) {
      let from = start;
      insertUpTo(from);
      while (from < end) {
        const to = Math.min(inserted[next]?.at ?? end, end);
        written.add(text.slice(from, to));
        from = to;
        insertUpTo(from);
      }
    }
    insertUpTo(text.length);
    // If the text had no line break at its end, it still has none.
    return text === "" || text.endsWith("\n") ? written.text : written.text.replace(/\r?\n$/, "");
  }
}

/** The spans between deletions, in order. */
function keptSpans(deleted: readonly TextSpan[], length: number): TextSpan[] {
  const kept: TextSpan[] = [];
  let from = 0;
  for (const { start, end } of deleted.toSorted((a, b) => a.start - b.start)) {
    if (start > from) kept.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (length > from) kept.push({ start: from, end: length });
  return kept;
}

class WrittenSplices {
  readonly #break: string;
  readonly #parts: string[] = [];
  #tail = "";

  constructor(lineBreak: string) {
    this.#break = lineBreak;
  }

  get text(): string {
    return this.#parts.join("");
  }

  add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#tail = (this.#tail + text).slice(-20);
  }

  addLines(lines: readonly string[], gap: number): void {
    if (this.#tail !== "" && !this.#tail.endsWith("\n")) this.add(this.#break);
    const above = /(^|\n)((?:[ \t]*\r?\n)*)$/.exec(this.#tail);
    const blanks = (above?.[2] ?? "").split("\n").length - 1;
    if (this.#tail !== "") this.add(this.#break.repeat(Math.max(0, gap - blanks)));
    for (const line of lines) this.add(line + this.#break);
  }
}
