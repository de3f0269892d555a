// The lines of a text, by its offsets.

/** A part of the text: from an offset to before another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class TextLines {
  readonly text: string;
  /** How the lines of this text end: as its first one does. */
  readonly lineBreak: string;

  constructor(text: string) {
    this.text = text;
    const first = text.indexOf("\n");
    this.lineBreak = first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
  }

  /** Where the line of an offset begins. */
  start(offset: number): number {
    return offset <= 0 ? 0 : this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Where it ends, before its line break. */
  end(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    if (at < 0) return this.text.length;
    return at > offset && this.text[at - 1] === "\r" ? at - 1 : at;
  }

  /** Where the next line begins; the end of the text where there is none. */
  next(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    return at < 0 ? this.text.length : at + 1;
  }

  /** How many characters stand before this one on its line. */
  column(offset: number): number {
    return offset - this.start(offset);
  }

  /** Whether nothing but white space stands before it on its line. */
  beginsLine(offset: number): boolean {
    return /^[ \t]*$/.test(this.text.slice(this.start(offset), offset));
  }

  /** Whether nothing but white space, or a comment, stands behind it on its line. */
  endsLine(offset: number): boolean {
    return /^[ \t]*($|(?<=[ \t])#)/.test(this.text.slice(offset, this.end(offset)));
  }

  /** Whether the line that begins here is empty, or there is none. */
  isBlank(start: number): boolean {
    return this.text.slice(start, this.end(start)).trim() === "";
  }

  /** The column of the comment that the line beginning here consists of; null for any other line. */
  commentColumn(start: number): number | null {
    const [indent] = /^[ \t]*(?=#)/.exec(this.text.slice(start, this.end(start))) ?? [];
    return indent?.length ?? null;
  }

  /** How many empty lines stand directly above the line that begins here. */
  blanksAbove(start: number): number {
    let count = 0;
    for (let at = start; at > 0; count += 1) {
      at = this.start(at - 1);
      if (!this.isBlank(at)) break;
    }
    return count;
  }
}
