// Live rows for a spreadsheet, or for `linkform import csv`: RFC 4180 with plain line breaks, the columns by the paths of the files.

import { fieldAt, FIELDS, KEY_FIELD, pathsOf, REFERENCE_FIELD, type ResourceKind } from "../../domain/table.ts";
import { showPlace } from "../../domain/place.ts";
import type { Format } from "../format.ts";
import { isList, liveWords, type Word } from "../../view/values.ts";
import type { ListReport, InspectedRecord } from "../../view/inspect.ts";
import { visible } from "../../domain/control-characters.ts";

/**
 * Programs for spreadsheets take a file for one in an older encoding unless it begins so. Only where that matters: others see
 * a sign before the first name.
 */
const BYTE_ORDER_MARK = "\ufeff";

/** Nothing but the table: what there is to say besides stands on stderr. */
export const csv: Format = {
  render: (report) => {
    if (report.of !== "list") return "";
    const text = csvText(tableOf(report));
    return /^\p{ASCII}*$/u.test(text) ? text : `${BYTE_ORDER_MARK}${text}`;
  },
};

/** The rows as cells. What is written like a character that can't be seen, and is none, gets a backslash by its number. */
function tableOf(report: ListReport): string[][] {
  const { kind, rows, zones } = report;
  const paths = columnsOf(kind);
  const heads = [kind === "link" ? "key" : null, ...paths, kind === "link" ? "secrets" : null];
  const more = kind === "link" ? ["id", "clicks", "status", "title"] : ["id"];
  const head = [...heads.filter((one) => one !== null), ...more, "created_at", "updated_at", "declared"];
  return [
    head,
    ...rows.map((seen) => {
      const words = liveWords(seen.live, zones);
      const values = paths.map((path) => pairsOf(seen, path) ?? cellOf(words.get(path) ?? null, path));
      return [
        ...(kind === "link" ? [seen.live.key] : []),
        ...values,
        ...(kind === "link" ? [secretsOf(words)] : []),
        ...moreOf(seen),
      ].map((cell) => cell.replaceAll(String.raw`\u{`, String.raw`\u{5c}u{`));
    }),
  ];
}

/** The fields, the key first; a secret can't be read, and a word in its place would be taken for it. */
function columnsOf(kind: ResourceKind): string[] {
  const readable = FIELDS[kind].filter((row) => row.kind !== "secret");
  const paths = readable.flatMap(pathsOf);
  return [KEY_FIELD[kind], ...paths.filter((path) => path !== KEY_FIELD[kind])];
}

/** A target group with all of its pairs, because the service keeps a key that is there twice; null for other fields. */
function pairsOf({ live }: InspectedRecord, path: string): string | null {
  const value = live.values.get(path);
  if (fieldAt(live.kind, path)?.kind !== "map" || !Array.isArray(value)) return null;
  return value.flatMap((pair) => (typeof pair === "string" ? [] : [`${pair[0]}: ${pair[1]}`])).join("; ");
}

/** Which secrets are set. */
function secretsOf(words: ReadonlyMap<string, Word>): string {
  const set = FIELDS.link.filter((row) => {
    const word = words.get(row.path) ?? null;
    return (
      row.kind === "secret" && word !== null && typeof word === "object" && !isList(word) && word["secret"] === "set"
    );
  });
  return set.map(({ path }) => path).join("; ");
}

function moreOf({ live, statuses, title, createdAt, updatedAt, declared }: InspectedRecord): string[] {
  const dates = [createdAt ?? "", updatedAt ?? "", declared === null ? "" : showPlace(declared)];
  const own =
    live.kind === "link" ? [live.clicks === null ? "" : String(live.clicks), statuses.join("; "), title ?? ""] : [];
  return [String(live.id), ...own, ...dates];
}

/**
 * A value in one cell; of several, each behind `; `. Nothing for none. A name that could be taken for several, or for none, is in
 * quotes.
 */
function cellOf(word: Word, path: string): string {
  if (word === null) return "";
  if (typeof word !== "object") return String(word);
  if (isList(word)) {
    return word.map((item) => (path === REFERENCE_FIELD.pixel ? quotedName(item) : item)).join("; ");
  }
  return "";
}

function quotedName(name: string): string {
  return /[;,"\n]|^none$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/**
 * The lines of a table. What would be obeyed by a terminal, or can't be seen, is shown by its number, so that a row is one
 * line.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(escapeFormula(visible(cell)))).join(",")}\n`).join("");
}

/**
 * A spreadsheet would run what begins like this as a formula; behind an apostrophe it is text. One that is there already gets
 * another, so that what reads the file knows which to take away.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** What no program takes for the end of a cell, or trims. */
const UNQUOTED = /^(?! )[\w ./:?=&%#+-]*(?<! )$/;

/** Quoted wherever that may be of use: some programs read semicolons as we do commas. */
function quoted(cell: string): string {
  return UNQUOTED.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}
