// Changes to a text at its offsets, made all at once: what is not meant stays byte for byte.

import type { TextLines, Span } from "./lines.ts";

/** What is put in: some text, or whole lines, which begin on a line of their own and have empty lines above them. */
type Inserted =
  | { readonly at: number; readonly text: string }
  | { readonly at: number; readonly lines: readonly string[]; readonly gap: number };

export class Splices {
  readonly #lines: TextLines;
  readonly #deleted: Span[] = [];
  readonly #inserted: Inserted[] = [];

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  /** Takes characters out; those that are out already don't matter. */
  delete(start: number, end: number): void {
    if (end > start) this.#deleted.push({ start, end });
  }

  /** Puts text in. What is put in at one offset stands in the order of the calls, whatever is taken out around it. */
  insert(at: number, text: string): void {
    this.#inserted.push({ at, text });
  }

  /** Puts lines in where a line begins or the text ends, with at least `gap` empty lines above them, unless nothing is above. */
  insertLines(at: number, lines: readonly string[], gap = 0): void {
    this.#inserted.push({ at, lines, gap });
  }

  /** Those of these spans, which stand in order, that are not taken out. */
  leaves<S extends Span>(spans: readonly S[]): S[] {
    const kept = keptSpans(this.#deleted, this.#lines.text.length);
    let at = 0;
    return spans.filter(({ start }) => {
      while ((kept[at]?.end ?? Infinity) <= start) at += 1;
      return (kept[at]?.start ?? Infinity) <= start;
    });
  }

  /** The text with all of it done. */
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
    // A text without a line break at its end stays one.
    return text === "" || text.endsWith("\n") ? written.text : written.text.replace(/\r?\n$/, "");
  }
}

/** What is left when these spans are taken out, in order. */
function keptSpans(deleted: readonly Span[], length: number): Span[] {
  const kept: Span[] = [];
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
