// What stands between the cells of a CSV file: said by its first line, or guessed.

import { parse } from "csv-parse/sync";
import { LINE_ENDS } from "./sheet.ts";

const CANDIDATES = [",", ";", "\t"];

/** Rows that are looked at, and characters: as many as tell one sign from another. */
const ROWS = 20;
const CHARACTERS = 50_000;

/** The first line with which Excel says what stands between cells: `sep=;`. */
const SAID = /^sep=(.)(?:\r\n|\n|\r)/i;

/** The delimiter, and how much of the text says nothing else. */
export function findDelimiter(text: string): { readonly delimiter: string; readonly skip: number } {
  const said = SAID.exec(text);
  if (said?.[1] !== undefined) return { delimiter: said[1], skip: said[0].length };
  const beginning = text.slice(0, CHARACTERS);
  const tried = CANDIDATES.map((delimiter) => ({ delimiter, ...fitOf(beginning, delimiter) }));
  const [best] = tried.toSorted((a, b) => b.columns * b.alike - a.columns * a.alike);
  return { delimiter: best?.delimiter ?? ",", skip: 0 };
}

/** How many columns the first row has with this delimiter, and the share of rows that have as many. */
function fitOf(text: string, delimiter: string): { readonly columns: number; readonly alike: number } {
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
    // The beginning may end in a cell: what was read so far is enough.
  }
  const [columns = 0] = widths;
  return { columns, alike: widths.filter((width) => width === columns).length / Math.max(1, widths.length) };
}
