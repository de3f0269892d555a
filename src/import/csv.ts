// Parses a CSV file into columns and rows, with the position of each cell. mapping.ts decides what the columns mean.

import { parse, CsvError } from "csv-parse/sync";
import { SourceText, type Place } from "../domain/place.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";

export interface SheetRow {
  /** As a spreadsheet counts: the first row of the file is 1, even if cells contain line breaks. */
  readonly number: number;
  /** One for each column, trimmed. */
  readonly cells: readonly string[];
  /** The offset of each cell in the file. */
  readonly starts: readonly number[];
}

const LINE_ENDS: string[] = ["\r\n", "\n", "\r"];

export class Sheet {
  readonly file: string;
  readonly delimiter: string;
  /** The names in the first row, or `#3`. */
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
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
    this.#lines = new SourceText(text, file);
  }

  /** The place of a row or of one of its cells. It has no source text, because other cells of the line may be passwords. */
  placeOf({ starts }: SheetRow, column: number | null): Place {
    const { line, column: at } = this.#lines.place(starts[column ?? 0] ?? starts[0] ?? 0);
    return { file: this.file, line, column: at };
  }
}

export function numbered(index: number): string {
  return `#${index + 1}`;
}

const DELIMITERS = [",", ";", "\t"];

/** The beginning of a file is enough to find the delimiter. */
const ROWS = 20;
const CHARACTERS = 50_000;

function findDelimiter(text: string): string {
  const beginning = text.slice(0, CHARACTERS);
  const tried = DELIMITERS.map((delimiter) => ({ delimiter, ...fitOf(beginning, delimiter) }));
  const [best] = tried.toSorted((a, b) => b.columns * b.consistency - a.columns * a.consistency);
  return best?.delimiter ?? ",";
}

/** The number of columns in the first row with this delimiter, and the share of rows with the same number. */
function fitOf(text: string, delimiter: string): { readonly columns: number; readonly consistency: number } {
  const widths: number[] = [];
  try {
    parse(text, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: ROWS,
      on_record: (cells) => {
        widths.push(cells.length);
        return null;
      },
    });
  } catch {
    // The text may be cut inside of a quoted cell. The rows before it are enough.
  }
  const [columns = 0] = widths;
  return { columns, consistency: widths.filter((width) => width === columns).length / Math.max(1, widths.length) };
}

interface CsvOptions {
  /** One character; null: found in the text. */
  readonly delimiter: string | null;
  readonly hasHeader: boolean;
}

/** The sheet in a text; null if it cannot be read. `file` is its name in messages. */
export function readCsv(
  written: string,
  file: string,
  { delimiter: given, hasHeader }: CsvOptions,
): { readonly sheet: Sheet | null; readonly diagnostics: readonly Diagnostic[] } {
  // Old Mac programs end lines with `\r` only.
  const all = written.includes("\n") ? written : written.replaceAll("\r", "\n");
  // Excel's own first line, which names the delimiter.
  const [line = "", named = null] = /^sep=([^\r\n])(?=\r?\n)/i.exec(all) ?? [];
  const text = all.slice(line.length);
  const delimiter = given ?? named ?? findDelimiter(text);
  const { records, problem } = recordsOf(text, file, delimiter);
  if (problem !== null) return { sheet: null, diagnostics: [problem] };
  const filled = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [first] = filled;
  if (first === undefined) return { sheet: null, diagnostics: [noRows(file, "This file is empty.")] };
  const rows = hasHeader ? filled.slice(1) : filled;
  if (rows.length === 0) return { sheet: null, diagnostics: [noRows(file, "This file has a header, but no rows.")] };
  const width = hasHeader ? first.cells.length : rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, at) => {
    const name = hasHeader ? (first.cells[at] ?? "").replaceAll(/\s+/g, " ") : "";
    return name === "" ? numbered(at) : name;
  });
  const read = rows.map((row) => ({ ...row, cells: columns.map((_, at) => row.cells[at] ?? "") }));
  const sheet = new Sheet(file, text, { delimiter, columns, rows: read });
  return { sheet, diagnostics: rows.flatMap((row) => extraCells(row, sheet)) };
}

/** Rows with more cells than columns are errors, because it is unclear which cell belongs to which column. */
function extraCells(row: SheetRow, sheet: Sheet): Diagnostic[] {
  const { length } = sheet.columns;
  if (row.cells.slice(length).every((cell) => cell === "")) return [];
  const message = `This row has ${row.cells.length} cells, but the header has ${length}.`;
  const hint = `Put quotes around a cell that contains \`${shownDelimiter(sheet.delimiter)}\`.`;
  return [error("csv-row", message, sheet.placeOf(row, length), hint)];
}

function noRows(file: string, message: string): Diagnostic {
  const hint = "Export the file again, with the column names in the first row.";
  return error("csv-empty", message, { file, line: 1, column: 1 }, hint);
}

/** The rows of a text, or the error in its quotes. */
function recordsOf(
  text: string,
  file: string,
  delimiter: string,
): { readonly records: readonly SheetRow[]; readonly problem: Diagnostic | null } {
  const records: SheetRow[] = [];
  const charactersUpTo = offsetsOf(text);
  let starts = [0];
  let number = 0;
  try {
    parse(text, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      cast: (cell, { bytes }) => {
        starts.push(charactersUpTo(bytes) + delimiter.length);
        return cell;
      },
      on_record: (cells, { bytes }) => {
        number += 1;
        records.push({ number, starts, cells: cells.map((cell) => cell.trim()) });
        starts = [charactersUpTo(bytes)];
        return null;
      },
    });
    return { records, problem: null };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const { line } = new SourceText(text, file).place(starts[0] ?? 0);
    return { records, problem: quoteProblem(cause.code, { file, line, column: 1 }) };
  }
}

/** Converts increasing offsets in bytes to offsets in UTF-16 units. */
function offsetsOf(text: string): (bytes: number) => number {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length === text.length) return (bytes) => bytes;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [known, units] = [0, 0];
  return (bytes) => {
    units += decoder.decode(encoded.subarray(known, bytes)).length;
    known = bytes;
    return units;
  };
}

function quoteProblem(code: string, place: Diagnostic["place"]): Diagnostic {
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    const hint = 'Close the quote. Write a quote in the text twice (`""`).';
    return error("csv-quotes", "A quote in this row is never closed.", place, hint);
  }
  const hint = 'Put the whole cell in quotes, and write each quote in it twice: `"a ""b"" c"`.';
  return error("csv-quotes", "A cell of this row has a quote in the middle.", place, hint);
}

/** The name of a delimiter in messages. */
export function shownDelimiter(delimiter: string): string {
  return delimiter === "\t" ? "TAB" : delimiter;
}
