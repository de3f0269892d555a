// The text of a CSV file -> a sheet, and what keeps it from being read. Nothing here knows what its columns mean.

import { CsvError, parse } from "csv-parse/sync";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText } from "../domain/place.ts";
import { findDelimiter } from "./delimiter.ts";
import { LINE_ENDS, numbered, Sheet, type SheetRow } from "./sheet.ts";

/** How a file is to be read. */
export interface CsvOptions {
  /** One character; null: it is guessed. */
  readonly delimiter: string | null;
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean;
}

/** The sheet of a text; null where it can't be read. `file` is what the file is called in messages. */
export function readCsv(
  written: string,
  file: string,
  { delimiter: given, hasHeader }: CsvOptions,
): { readonly sheet: Sheet | null; readonly diagnostics: readonly Diagnostic[] } {
  // Lines that end as they once did on a Mac are lines to nobody else.
  const text = written.includes("\n") ? written : written.replaceAll("\r", "\n");
  const found = findDelimiter(text);
  const delimiter = given ?? found.delimiter;
  const { records, problem } = recordsOf(text, file, { delimiter, skip: found.skip });
  if (problem !== null) return { sheet: null, diagnostics: [problem] };
  const filled = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [first] = filled;
  if (first === undefined) return { sheet: null, diagnostics: [noRows(file, "This file is empty.")] };
  const rows = hasHeader ? filled.slice(1) : filled;
  if (rows.length === 0) return { sheet: null, diagnostics: [noRows(file, "This file has a header, and no rows.")] };
  const width = hasHeader ? first.cells.length : rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, at) => {
    const name = hasHeader ? (first.cells[at] ?? "").replaceAll(/\s+/g, " ") : "";
    return name === "" ? numbered(at) : name;
  });
  const read = rows.map((row) => ({ ...row, cells: columns.map((_, at) => row.cells[at] ?? "") }));
  const sheet = new Sheet(file, text, { delimiter, columns, rows: read });
  return { sheet, diagnostics: rows.flatMap((row) => tooLong(row, sheet)) };
}

/** Rows with cells beyond the last column: nobody knows which of them the columns mean. */
function tooLong(row: SheetRow, sheet: Sheet): Diagnostic[] {
  const { length } = sheet.columns;
  if (row.cells.slice(length).every((cell) => cell === "")) return [];
  const message = `This row has ${row.cells.length} cells, and the header ${length}.`;
  const hint = `A cell that holds \`${shownDelimiter(sheet.delimiter)}\` needs quotes around it.`;
  return [error("csv-row", message, sheet.placeOf(row, length), hint)];
}

function noRows(file: string, message: string): Diagnostic {
  const hint = "Export it anew with the names of its columns in the first row, and the rows below.";
  return error("csv-empty", message, { file, line: 1, column: 1 }, hint);
}

/** The rows of the text from an offset on, or what is wrong with its quotes. */
function recordsOf(
  text: string,
  file: string,
  { delimiter, skip }: { readonly delimiter: string; readonly skip: number },
): { readonly records: readonly SheetRow[]; readonly problem: Diagnostic | null } {
  const records: SheetRow[] = [];
  const body = text.slice(skip);
  const charactersUpTo = offsetsOf(body);
  let from = skip;
  let number = skip === 0 ? 0 : 1;
  try {
    parse(body, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      on_record: (cells, { bytes }) => {
        const to = skip + charactersUpTo(bytes);
        number += 1;
        records.push({ number, from, to, cells: cells.map((cell) => cell.trim()) });
        from = to;
        return null;
      },
    });
    return { records, problem: null };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const { line } = new SourceText(text, file).place(from);
    return { records, problem: quoteProblem(cause.code, { file, line, column: 1 }) };
  }
}

/** Tells how many UTF-16 units of a text so many of its bytes are; asked for ever more of them. */
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
    const hint = 'Close it; a quote that belongs to the text is written twice (`""`).';
    return error("csv-quotes", "A quote that opens in this row is never closed.", place, hint);
  }
  const hint = 'Put the whole cell in quotes, and write those in it twice: `"a ""b"" c"`.';
  return error("csv-quotes", "A cell of this row has a quote in its middle.", place, hint);
}

/** A delimiter as people call it. */
export function shownDelimiter(delimiter: string): string {
  return delimiter === "\t" ? "TAB" : delimiter;
}
