// A spreadsheet as it was read: its columns, its rows, and where each cell stands in the file.

import { parse } from "csv-parse/sync";
import { SourceText, type Place } from "../domain/place.ts";

/** A row as it stands in the file. */
export interface SheetRow {
  /** As a spreadsheet counts: the first row of the file is 1, whatever line breaks are in its cells. */
  readonly number: number;
  /** Where it begins in the file's text, and where the next one does. */
  readonly from: number;
  readonly to: number;
  /** As many as there are columns, and none has space around it. */
  readonly cells: readonly string[];
}

/** Ends of rows, whichever the file has. */
export const LINE_ENDS: string[] = ["\r\n", "\n", "\r"];

export class Sheet {
  readonly file: string;
  readonly delimiter: string;
  /** What each column is called: as the first row says, or `#3`. */
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
  readonly #text: string;
  readonly #lines: SourceText;

  constructor(
    file: string,
    text: string,
    read: { readonly delimiter: string; readonly columns: readonly string[]; readonly rows: readonly SheetRow[] },
  ) {
    this.file = file;
    this.delimiter = read.delimiter;
    this.columns = read.columns;
    this.rows = read.rows;
    this.#text = text;
    this.#lines = new SourceText(text, file);
  }

  /**
   * Where a row begins, or one of its cells. The place knows no text: what stands beside it may be a password, and is not to be
   * shown.
   */
  placeOf({ from, to }: SheetRow, column: number | null): Place {
    const offset = column === null ? from : from + (startsOf(this.#text.slice(from, to), this.delimiter)[column] ?? 0);
    const { line, column: at } = this.#lines.place(offset);
    return { file: this.file, line, column: at };
  }
}

/** The offset at which each cell of a row begins. */
function startsOf(row: string, delimiter: string): number[] {
  const bytes = new TextEncoder().encode(row);
  const starts: number[] = [0];
  parse(row, {
    delimiter,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    cast: (cell, { bytes: end }) => {
      starts.push(new TextDecoder().decode(bytes.subarray(0, end)).length + delimiter.length);
      return cell;
    },
  });
  return starts;
}

/** `1` is the first column. */
export function numbered(index: number): string {
  return `#${index + 1}`;
}
