// The lines of a text, by its offsets.

/** From `start` up to `end`, exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export class TextLines {
  readonly text: string;
  /** The line break of the first line. */
  readonly lineBreak: string;

  constructor(text: string) {
    this.text = text;
    const first = text.indexOf("\n");
    this.lineBreak = first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
  }

  /** The start of a line. */
  start(offset: number): number {
    return offset <= 0 ? 0 : this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The end of a line, before its line break. */
  end(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    if (at < 0) return this.text.length;
    return at > offset && this.text[at - 1] === "\r" ? at - 1 : at;
  }

  /** The start of the next line, or the end of the text. */
  next(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    return at < 0 ? this.text.length : at + 1;
  }

  column(offset: number): number {
    return offset - this.start(offset);
  }

  /** Whether only white space comes before it on its line. */
  beginsLine(offset: number): boolean {
    return /^[ \t]*$/.test(this.text.slice(this.start(offset), offset));
  }

  /** Whether only white space or a comment follows on its line. */
  endsLine(offset: number): boolean {
    return /^[ \t]*($|(?<=[ \t])#)/.test(this.text.slice(offset, this.end(offset)));
  }

  isBlank(start: number): boolean {
    return this.text.slice(start, this.end(start)).trim() === "";
  }

  /** The column of a comment on a line without other content; null for any other line. */
  commentColumn(start: number): number | null {
    const [indent] = /^[ \t]*(?=#)/.exec(this.text.slice(start, this.end(start))) ?? [];
    return indent?.length ?? null;
  }

  /** The number of empty lines directly above a line. */
  blanksAbove(start: number): number {
    let count = 0;
    for (let at = start; at > 0; count += 1) {
      at = this.start(at - 1);
      if (!this.isBlank(at)) break;
    }
    return count;
  }
}
