// Live objects as CSV (RFC 4180 with `\n`) for a spreadsheet or `linkform import csv`. Columns are named by field paths.

import { visible } from "../../domain/control-characters.ts";
import { showPlace } from "../../domain/place.ts";
import { FIELDS, KEY_FIELD, pathsOf, REFERENCE_FIELD, type ResourceKind } from "../../domain/table.ts";
import type { Format } from "../format.ts";
import type { ListDocument } from "../json/inspect.ts";
import { isList, isMap, isSetSecret, type Word } from "../values.ts";

/** Spreadsheets assume a legacy encoding without it. Other programs show it as a character, so ASCII text has none. */
const BYTE_ORDER_MARK = "\ufeff";

export const csv: Format = (report) => {
  if (report.of !== "list") return "";
  const text = csvText(tableOf(report.document));
  return /^\p{ASCII}*$/u.test(text) ? text : `${BYTE_ORDER_MARK}${text}`;
};

/** A literal `\u{` is escaped, because invisible characters are written like that. */
function tableOf({ kind, rows }: ListDocument): string[][] {
  const isLink = kind !== "pixel";
  const paths = columnsOf(kind ?? "link");
  const dates = ["created_at", "updated_at", "declared"];
  const head = isLink
    ? ["key", ...paths, "secrets", "id", "clicks", "status", "title", ...dates, "owner", "review_by"]
    : [...paths, "id", ...dates];
  const cells = rows.map((row) => {
    const values = paths.map((path) => cellOf(row.fields[path] ?? null, path));
    const { key, id, clicks, status, title, created_at: created, updated_at: updated, declared } = row;
    const secrets = FIELDS.link.filter(({ path }) => isSetSecret(row.fields[path] ?? null)).map(({ path }) => path);
    const last = [created ?? "", updated ?? "", declared === null ? "" : showPlace(declared)];
    if (!isLink) return [...values, String(id), ...last];
    const about = [secrets.join("; "), String(id), String(clicks ?? ""), status.join("; "), title ?? ""];
    return [key, ...values, ...about, ...last, row.owner.join("; "), row.review_by ?? ""];
  });
  return [head, ...cells.map((row) => row.map((cell) => cell.replaceAll(String.raw`\u{`, String.raw`\u{5c}u{`)))];
}

/** The fields, key first, without secrets: an import would take a placeholder for the secret. */
function columnsOf(kind: ResourceKind): string[] {
  const readable = FIELDS[kind].filter((field) => field.kind !== "secret");
  const paths = readable.flatMap(pathsOf);
  return [KEY_FIELD[kind], ...paths.filter((path) => path !== KEY_FIELD[kind])];
}

/** Names that would be read as a list or as `none` are quoted. */
function cellOf(word: Word, path: string): string {
  if (word === null) return "";
  if (typeof word !== "object") return String(word);
  if (isList(word)) return word.map((item) => (path === REFERENCE_FIELD.pixel ? quotedName(item) : item)).join("; ");
  if (!isMap(word)) return "";
  return Object.entries(word)
    .map(([key, value]) => `${key}: ${value}`)
    .join("; ");
}

function quotedName(name: string): string {
  return /[;,"\n]|^none$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** Control and invisible characters are written as code points, so a row is one line. */
function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(visible(cell).replace(FORMULA, "'$&"))).join(",")}\n`).join("");
}

/** A spreadsheet would run such a cell as a formula. An apostrophe makes it text; an import removes one. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Cells that no program splits or trims. */
const UNQUOTED = /^(?! )[\w ./:?=&%#+-]*(?<! )$/;

/** Quotes more than RFC 4180 requires: some programs also split at semicolons. */
function quoted(cell: string): string {
  return UNQUOTED.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}
