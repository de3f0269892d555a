// Live objects as CSV (RFC 4180 with `\n`) for a spreadsheet or `linkform import csv`. Columns are named by field paths.

import { fieldAt, FIELDS, KEY_FIELD, pathsOf, REFERENCE_FIELD, type ResourceKind } from "../../domain/table.ts";
import { showPlace } from "../../domain/place.ts";
import type { Format } from "../format.ts";
import { isList, isSetSecret, liveWords, type Word } from "../values.ts";
import type { ListReport, InspectedRecord } from "../inspect.ts";
import { visible } from "../../domain/control-characters.ts";

/**
 * Spreadsheets assume a legacy encoding without it. It is written only for non-ASCII text, because other programs
 * show it as a character.
 */
const BYTE_ORDER_MARK = "\ufeff";

/** Only the table; diagnostics go to stderr. */
export const csv: Format = {
  render: (report) => {
    if (report.of !== "list") return "";
    const text = csvText(tableOf(report));
    return /^\p{ASCII}*$/u.test(text) ? text : `${BYTE_ORDER_MARK}${text}`;
  },
};

/** The rows as cells. A literal `\u{` is escaped, because invisible characters are written like that. */
function tableOf(report: ListReport): string[][] {
  const { kind, rows, zones } = report;
  const paths = columnsOf(kind);
  const heads = [kind === "link" ? "key" : null, ...paths, kind === "link" ? "secrets" : null];
  const more = kind === "link" ? ["id", "clicks", "status", "title"] : ["id"];
  const head = [
    ...heads.filter((one) => one !== null),
    ...more,
    "created_at",
    "updated_at",
    "declared",
    ...(kind === "link" ? ["owner", "review_by"] : []),
  ];
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

/** The fields, key first, without secrets: an import would take a placeholder for the secret. */
function columnsOf(kind: ResourceKind): string[] {
  const readable = FIELDS[kind].filter((field) => field.kind !== "secret");
  const paths = readable.flatMap(pathsOf);
  return [KEY_FIELD[kind], ...paths.filter((path) => path !== KEY_FIELD[kind])];
}

/** A target group with all its pairs, because the service keeps duplicate keys; null for other fields. */
function pairsOf({ live }: InspectedRecord, path: string): string | null {
  const value = live.values.get(path);
  if (fieldAt(live.kind, path)?.kind !== "map" || !Array.isArray(value)) return null;
  return value.flatMap((pair) => (typeof pair === "string" ? [] : [`${pair[0]}: ${pair[1]}`])).join("; ");
}

function secretsOf(words: ReadonlyMap<string, Word>): string {
  const secrets = FIELDS.link.filter(({ path }) => isSetSecret(words.get(path) ?? null));
  return secrets.map(({ path }) => path).join("; ");
}

function moreOf({
  live,
  statuses,
  title,
  createdAt,
  updatedAt,
  declared,
  owners,
  reviewBy,
}: InspectedRecord): string[] {
  const dates = [createdAt ?? "", updatedAt ?? "", declared === null ? "" : showPlace(declared)];
  const own =
    live.kind === "link" ? [live.clicks === null ? "" : String(live.clicks), statuses.join("; "), title ?? ""] : [];
  const lifecycle = live.kind === "link" ? [owners.join("; "), reviewBy ?? ""] : [];
  return [String(live.id), ...own, ...dates, ...lifecycle];
}

/**
 * A value in one cell; lists are joined by `; `. Names that would be read as a list or as `none` are
 * quoted.
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
 * The lines of a table. Control and invisible characters are written as code points, so a row is one
 * line.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(escapeFormula(visible(cell)))).join(",")}\n`).join("");
}

/**
 * A spreadsheet would run such a cell as a formula; an apostrophe makes it text. An existing apostrophe gets
 * another one, so that an import knows which to remove.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Cells that no program splits or trims. */
const UNQUOTED = /^(?! )[\w ./:?=&%#+-]*(?<! )$/;

/** Quotes more than RFC 4180 requires: some programs also split at semicolons. */
function quoted(cell: string): string {
  return UNQUOTED.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}
