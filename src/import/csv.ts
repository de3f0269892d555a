// Reads a CSV file as columns and rows, with the position of each cell. columns.ts decides what the columns mean.

import { Refusal } from "../config/located-error.ts";
import { decodeText } from "../config/file-source.ts";
import { codePoint } from "../domain/control-characters.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import { UserError } from "../errors.ts";
import { osCode, PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import type { World } from "../session/context.ts";
import { piped } from "../session/resources.ts";

export interface SheetRow {
  /** The first row of the file is 1, even if cells contain line breaks. */
  readonly number: number;
  /** Trimmed. */
  readonly cells: readonly string[];
  /** Offsets in the file. */
  readonly starts: readonly number[];
}

export interface Sheet {
  readonly file: string;
  readonly delimiter: string;
  /** The names in the first row, or `#3`. */
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
  /** The place of a row or a cell. It has no source text, because other cells of the line may be passwords. */
  readonly placeOf: (row: SheetRow, column: number | null) => Place;
}

export interface RowProblem {
  /** The index; null for the row as a whole. */
  readonly column: number | null;
  /** The message with the column, on one line. */
  readonly reason: string;
  readonly diagnostic: Diagnostic;
}

export function rowProblem(
  sheet: Sheet,
  row: SheetRow,
  column: number | null,
  { code, message, hint }: Pick<Diagnostic, "code" | "message" | "hint">,
): RowProblem {
  const place = sheet.placeOf(row, column);
  const reason = column === null ? message : `\`${sheet.columns[column]}\`: ${message}`;
  // Cells with line breaks make line numbers differ from the row numbers of a spreadsheet.
  const number = row.number === place.line ? "" : `Row ${row.number}: `;
  return { column, reason, diagnostic: error(code, `${number}${reason}`, place, hint) };
}

export const PIPED = "-";

export interface SheetFlags {
  /** One character. */
  readonly delimiter?: string;
  /** False if the first row does not name the columns. */
  readonly header?: boolean;
}

/** From a file or standard input. Throws a refusal or a user error if it cannot be read. */
export async function openSheet(world: World, file: string, flags: SheetFlags): Promise<Sheet> {
  const name = file === PIPED ? "stdin" : file;
  const bytes = file === PIPED ? await piped(world) : await fileBytes(world, file);
  const read = decodeText(bytes, name, null);
  if ("problem" in read) {
    const { message, place } = read.problem;
    // The line is not shown, because it may contain a password.
    const where = { file: name, line: place?.line ?? 1, column: place?.column ?? 1 };
    const hint = "Save it as CSV in UTF-8 (in Excel: `CSV UTF-8 (Comma delimited)`).";
    throw refusal("csv-encoding", message, where, hint);
  }
  return readCsv(read.text.replace(/^\uFEFF/, ""), name, flags);
}

async function fileBytes({ cwd }: World, file: string): Promise<Uint8Array> {
  try {
    return await readFrom(locateNamed(cwd, file));
  } catch (cause) {
    if (cause instanceof PathError) throw cause;
    const code = osCode(cause);
    const message = code === "ENOENT" ? `${file} does not exist.` : `${file} cannot be read (${code}).`;
    const hint = code === "EISDIR" ? "Pass a file in this folder." : "Check the path, or pass `-` to read from stdin.";
    throw new UserError("csv-unreadable", message, { hint, cause });
  }
}

export function numbered(index: number): string {
  return `#${index + 1}`;
}

/** `file` is its name in messages. Throws a refusal with the errors that prevent reading it. */
export function readCsv(
  written: string,
  file: string,
  { delimiter: given, header: hasHeader = true }: SheetFlags,
): Sheet {
  // Old Mac programs end lines with `\r` only.
  const all = written.includes("\n") ? written : written.replaceAll("\r", "\n");
  // Excel's first line names the delimiter.
  const [line = "", named = null] = /^sep=([^\r\n])(?=\r?\n)/i.exec(all) ?? [];
  const text = all.slice(line.length);
  const delimiter = given ?? named ?? findDelimiter(text);
  const source = new SourceText(text, file);
  const placeOf = ({ starts }: SheetRow, column: number | null): Place => {
    const { line: number, column: at } = source.place(starts[column ?? 0] ?? starts[0] ?? 0);
    return { file, line: number, column: at };
  };
  const { rows: records, quote } = parseRows(text, delimiter);
  if (quote !== null) {
    const [message, hint] = quote.isOpen
      ? ["A quote in this row is never closed.", 'Close the quote. Write a quote in the text twice (`""`).']
      : [
          "A cell of this row has a quote in the middle.",
          'Put the whole cell in quotes, and write each quote in it twice: `"a ""b"" c"`.',
        ];
    throw refusal("csv-quotes", message, { file, line: source.place(quote.start).line, column: 1 }, hint);
  }
  const filled = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const rows = hasHeader ? filled.slice(1) : filled;
  const [first] = filled;
  const start = { file, line: 1, column: 1 };
  if (first === undefined || rows.length === 0) {
    const message = first === undefined ? "This file is empty." : "This file has a header, but no rows.";
    throw refusal("csv-empty", message, start, "Export the file again, with the column names in the first row.");
  }
  const width = hasHeader ? first.cells.length : rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, at) => {
    const name = hasHeader ? (first.cells[at] ?? "").replaceAll(/\s+/g, " ") : "";
    return name === "" ? numbered(at) : name;
  });
  // It is unclear which cell of a longer row belongs to which column.
  const longer = rows.filter(({ cells }) => cells.slice(width).some((cell) => cell !== ""));
  if (longer.length > 0)
    throw new Refusal(
      longer.map((row) => {
        const message = `This row has ${row.cells.length} cells, but the header has ${width}.`;
        const hint = `Put quotes around a cell that contains \`${shownDelimiter(delimiter)}\`.`;
        return error("csv-row", message, placeOf(row, width), hint);
      }),
    );
  // The other cells of a first row with an address are not shown: they may be passwords.
  const looksLikeData = columns.find(isAddress);
  if (looksLikeData !== undefined) {
    const message = `The first row must have column names, but it contains \`${looksLikeData}\`.`;
    const hint = "If the file has no header, pass --no-header. The columns are then #1, #2 and so on.";
    throw refusal("csv-no-header", message, start, hint);
  }
  const read = rows.map((row) => ({ ...row, cells: columns.map((_, at) => row.cells[at] ?? "") }));
  return { file, delimiter, columns, rows: read, placeOf };
}

function refusal(...problem: Parameters<typeof error>): Refusal {
  return new Refusal([error(...problem)]);
}

export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** The delimiter with the most columns in the first row, and with the same number in the rows after it. */
function findDelimiter(text: string): string {
  // The beginning of a file is enough. A quoted cell may be cut at the end.
  const beginning = text.slice(0, 50_000);
  const tried = [",", ";", "\t"].map((delimiter) => {
    const rows = parseRows(beginning, delimiter).rows.slice(0, 20);
    const widths = rows.flatMap(({ cells }) => (cells.length < 2 && cells[0] === "" ? [] : cells.length));
    const [columns = 0] = widths;
    const share = widths.filter((width) => width === columns).length / Math.max(1, widths.length);
    return { delimiter, fit: columns * share };
  });
  const [best] = tried.toSorted((a, b) => b.fit - a.fit);
  return best?.delimiter ?? ",";
}

interface ParsedRows {
  readonly rows: readonly SheetRow[];
  /** The row with a wrong quote, after which nothing is parsed. `isOpen`: it is never closed. */
  readonly quote: { readonly start: number; readonly isOpen: boolean } | null;
}

/** Parses RFC 4180 with any line ends. A library would give offsets in bytes, which places cannot use. */
function parseRows(text: string, delimiter: string): ParsedRows {
  const separator = codePoint(delimiter);
  const rest = new RegExp(`([^"${separator}\\r\\n]*)(${separator}|\\r\\n|[\\r\\n]|$)`, "uy");
  const rows: SheetRow[] = [];
  let [cells, starts]: [string[], number[]] = [[], []];
  for (let at = 0; at < text.length || cells.length > 0; at = rest.lastIndex) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at) : at;
    rest.lastIndex = end ?? at;
    const [all, plain = "", ending] = rest.exec(text) ?? [];
    if (end === null || all === undefined || (isQuoted && plain !== ""))
      return { rows, quote: { start: starts[0] ?? at, isOpen: end === null } };
    cells.push((isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : plain).trim());
    starts.push(at);
    if (ending === delimiter) continue;
    rows.push({ number: rows.length + 1, cells, starts });
    [cells, starts] = [[], []];
  }
  return { rows, quote: null };
}

/** The offset behind it; null if it is never closed. */
function endOfQuoted(text: string, start: number): number | null {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? null : at + 1;
}

export function shownDelimiter(delimiter: string): string {
  return delimiter === "\t" ? "TAB" : delimiter;
}
