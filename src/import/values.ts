// Converts cells to values of files, by kind of field. Reports only ambiguous cells and dates: loading checks the values.

import type { FieldSpec, InstantSpec, SecretSpec, WordSpec } from "../domain/field.ts";
import { decodePercent } from "../domain/named-key.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import { hasUnseen } from "../domain/control-characters.ts";
import type { YamlContent } from "../edit/yaml-text.ts";
import { isAddress, type SheetRow } from "./csv.ts";
import { normalizedName } from "./columns.ts";
import { canonicalInstant, isWallTime, wallTimeOf } from "../domain/zone.ts";

/** The end of the sentence "`CELL` …", and how to fix it. */
export interface CellProblem {
  readonly reason: string;
  readonly hint: string | null;
}

interface ListFormat {
  readonly separator: string;
  /** Whether a pixel of this name is declared. Its name may contain the separator. */
  readonly isName: (text: string) => boolean;
}

/** As Excel writes them in several languages, and other common words. */
const TRUE = new Set(["true", "yes", "y", "1", "x", "on", "wahr", "ja", "vrai", "oui", "verdadero", "sí", "vero"]);
const FALSE = new Set(["false", "no", "n", "0", "off", "falsch", "nein", "faux", "non", "falso"]);

/** Clears a field. */
export const NONE = "none";

/** Converts a cell that is not empty. An unknown text is returned unchanged. */
export function cellContent(
  field: Exclude<FieldSpec, InstantSpec | SecretSpec>,
  cell: string,
  { separator, isName }: ListFormat,
): { readonly content: YamlContent } | { readonly problem: CellProblem } {
  switch (field.kind) {
    case "text":
      return { content: cell };
    case "flag":
      return { content: TRUE.has(cell.toLowerCase()) || (FALSE.has(cell.toLowerCase()) ? false : cell) };
    case "count":
      if (cell.toLowerCase() === NONE) return { content: NONE };
      return { content: /^\d{1,15}$/.test(cell) ? Number(cell) : cell };
    case "word":
      return { content: wordIn(field, cell) };
    case "reference":
      return { content: field.path === REFERENCE_FIELD.domain ? domainOf(cell) : cell };
    case "references":
      if (isName(cell)) return { content: [cell] };
      return { content: cell.toLowerCase() === NONE ? [] : itemsOf(cell, separator) };
    case "map":
      return mapContent(cell);
    case "list":
      return { content: cell.split(BETWEEN_ADDRESSES).filter((item) => item !== "") };
    default:
      return field satisfies never;
  }
}

/** URLs contain no spaces, but may contain or end in a semicolon. */
const BETWEEN_ADDRESSES = /;?\s+/;

/** `isPresence`: the column only shows whether there is a secret. */
export function hasSecret(cell: string, isPresence: boolean): boolean {
  return cell !== "" && cell.toLowerCase() !== NONE && (!isPresence || presenceOf(cell) === true);
}

/** Whether a column only shows whether there are secrets, as in exports that cannot read them. */
export function isPresenceIn(rows: readonly SheetRow[], index: number): boolean {
  return rows.every(({ cells }) => (cells[index] ?? "") === "" || presenceOf(cells[index] ?? "") !== null);
}

function presenceOf(cell: string): boolean | null {
  const word = cell.toLowerCase();
  if (TRUE.has(word) || word === "set") return true;
  return FALSE.has(word) || word === "unset" || word === NONE ? false : null;
}

/** `list` quotes names that contain a separator. */
const QUOTED = String.raw`"([^"]*(?:""[^"]*)*)"\s*(?:[;,\n]|$)`;

/** What separates items besides line breaks: a semicolon, or a comma if no cell has a semicolon. */
export function separatorOf(cells: readonly string[]): ";" | "," {
  return cells.some((cell) => cell.replaceAll(new RegExp(QUOTED, "g"), "").includes(";")) ? ";" : ",";
}

function itemsOf(cell: string, separator: string): string[] {
  const item = new RegExp(String.raw`\s*(?:${QUOTED}|([^${separator}\n]*)(?:[${separator}\n]|$))`, "gy");
  const items = [...cell.matchAll(item)].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim());
  return items.filter((one) => one !== "");
}

/** The word of the files for a word in any case, or for one that the service or its exports use. */
function wordIn(field: WordSpec, cell: string): string {
  const sent = Object.values(field.words).flatMap((sentFor) => Object.entries(sentFor));
  return (
    allWords(field).find((word) => normalizedName(word) === normalizedName(cell)) ??
    sent.find(([, wire]) => String(wire) === cell)?.[0] ??
    cell
  );
}

/** Pairs such as `DE=https://example.com/de`. */
function mapContent(cell: string): { content: YamlContent } | { problem: CellProblem } {
  const pairs = cell.split(BETWEEN_PAIRS).filter((pair) => pair !== "");
  const entries = pairs.map((pair) => {
    const at = pair.search(/[=:]/);
    return { key: pair.slice(0, Math.max(at, 0)).trim(), value: pair.slice(at + 1).trim() };
  });
  if (new Set(entries.map(({ key }) => key)).size < entries.length)
    return { problem: { reason: "has a key more than once", hint: "Keep one pair for each key." } };
  if (entries.every(({ key, value }) => key !== "" && value !== "")) return { content: { entries } };
  const hint = "Separate pairs with `; `: DE=https://example.com/de; FR=https://example.com/fr.";
  return { problem: { reason: "is not a list of pairs", hint } };
}

/** A key such as `OS X` may contain a space. */
const BETWEEN_PAIRS = /\s*(?:;\s+|\n)\s*/;

/** Removes what `list` adds to a cell: the prefix of what a spreadsheet would change (`'=…`, `="0123"`), and escapes (`\u{200b}`). */
export function unescapeCell(cell: string): string {
  const text = /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : (/^="([^"]*)"$/.exec(cell)?.[1] ?? cell);
  return text.replaceAll(/\\u\{([0-9a-f]{1,6})\}/g, (written, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const character = code > 0x10ffff ? "" : String.fromCodePoint(code);
    return character === "\\" || hasUnseen(character) ? character : written;
  });
}

export interface SheetShortUrl {
  readonly domain: string;
  readonly alias: string;
}

/** Without a scheme, the domain needs a letter after a dot: `2026.1/spring` is no short URL. */
const SHORT_URL = /^(?:https?:\/\/(?=[^/]*\.)|(?=[^/]*\.\p{L}))([^/?#@\s]+)\/([^/?#\s]+)\/?$/iu;

/** Parses a short URL, `LABEL/ALIAS`, or an alias alone, which cannot contain a slash. Missing parts are empty. */
export function keyIn(
  text: string,
  isLabel: (domain: string) => boolean,
): SheetShortUrl | { readonly problem: CellProblem } {
  const [, host, ending] = SHORT_URL.exec(text) ?? [];
  if (host !== undefined && ending !== undefined) return { domain: host.toLowerCase(), alias: decodePercent(ending) };
  if (isAddress(text)) return { problem: { reason: "is not a short URL", hint: `Write ${SHORT_URL_FORM}.` } };
  const bare = text.replaceAll(/^\/+|(?<=[^/])\/+$/g, "");
  const [alias = "", domain, ...more] = bare.split("/").toReversed();
  if (domain === undefined) return { domain: "", alias };
  if (more.length === 0 && (/\.\p{L}/u.test(domain) || isLabel(domain))) return { domain, alias };
  const hint = `Write an alias, such as \`${bare.replaceAll("/", "-")}\`, or ${SHORT_URL_FORM}.`;
  return { problem: { reason: "contains a slash, but an alias cannot", hint } };
}

const SHORT_URL_FORM = "a domain, one slash and an alias: go.example.com/spring";

/** A domain, also if it is written as a URL. */
export function domainOf(text: string): string {
  return text.replace(/^https?:\/\//i, "").replace(/\/+$/, "");
}

/** The order of day and month in dates like 03/04/2027. */
export type DateOrder = "DMY" | "MDY";

/** As files write it. `time` is null if the cell has none. */
interface DateAndTime {
  readonly date: string;
  readonly time: string | null;
}

const TIME =
  /^(.*?\d)(?:T|,?\s+|\s*@\s*)(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const EITHER = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;

/** The order in a column, if a number above 12 shows it; else null. */
export function orderOf(cells: readonly string[]): DateOrder | null {
  const parts = cells.flatMap((cell) => {
    const [, first, , second] = EITHER.exec(dateOf(cell)) ?? [];
    return first === undefined || second === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const dayFirst = parts.some(([first]) => first > 12);
  const monthFirst = parts.some(([, second]) => second > 12);
  return dayFirst === monthFirst ? null : dayFirst ? "DMY" : "MDY";
}

/** `zone` is that of the project's dates; null if the project does not state it. */
export function momentOf(
  cell: string,
  order: DateOrder | null,
  zone: string | null,
): { readonly moment: DateAndTime } | { readonly problem: CellProblem } {
  const { time, offset } = timeOf(cell);
  const date = dayOf(dateOf(cell), order);
  if (date === null) return { problem: noDate(cell) };
  const wrong = (reason: string, hint = "Correct it.") => ({ problem: { reason, hint } });
  if (time === "" || !isWallTime(date, time ?? "00:00")) return wrong("is not a date and time that exists");
  if (offset === null || time === null) return { moment: { date, time } };
  if (zone === null)
    return wrong(
      "has a time zone, but the project file does not set one",
      "Set `timezone: UTC` (or your time zone) in the project file, or remove the time zone from the column.",
    );
  const instant = canonicalInstant(`${date}T${time}:00${offset}`);
  if (instant === null) return wrong("has a time zone that does not exist");
  const [day = date, clock = time] = wallTimeOf(instant, zone).split("T");
  return { moment: { date: day, time: clock } };
}

/** A time as HH:MM; null if it is none, or has a time zone, which only a date can have. */
export function clockOf(cell: string): string | null {
  const { time, offset } = timeOf(`1 ${cell}`);
  return time === null || time === "" || offset !== null || !isWallTime("2000-01-01", time) ? null : time;
}

function noDate(cell: string): CellProblem {
  if (EITHER.test(dateOf(cell)))
    return {
      reason: "is ambiguous, and no other cell of the column shows the order of day and month",
      hint: "Pass --date-format DMY for day/month/year, or MDY for month/day/year.",
    };
  return { reason: "is not a date that linkform recognizes", hint: "Write it as YYYY-MM-DD." };
}

function dateOf(cell: string): string {
  return TIME.exec(cell)?.[1] ?? cell;
}

/** The time as HH:MM (null: none, empty: invalid), and its time zone. */
function timeOf(cell: string): { readonly time: string | null; readonly offset: string | null } {
  const [, , hours, minutes, half, zone] = TIME.exec(cell) ?? [];
  if (hours === undefined || minutes === undefined) return { time: null, offset: null };
  const offset = zone === undefined ? null : /^(z|utc)$/i.test(zone) ? "Z" : zone.replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const hour = Number(hours);
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return { time: "", offset };
  const inDay = half === undefined ? hour : (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  return { time: `${String(inDay).padStart(2, "0")}:${minutes}`, offset };
}

/** YYYY-MM-DD; null if the text is no date. */
function dayOf(text: string, order: DateOrder | null): string | null {
  const [, first, , second] = EITHER.exec(text) ?? [];
  const known = order ?? (first === second ? "DMY" : null);
  const forms: (readonly [RegExp, string])[] = [
    [YEAR_FIRST, "$1-$3-$4"],
    [DAY_FIRST, "$3-$2-$1"],
    ...(known === null ? [] : [[EITHER, known === "DMY" ? "$4-$3-$1" : "$4-$1-$3"] as const]),
  ];
  const form = forms.find(([pattern]) => pattern.test(text));
  return form === undefined ? null : text.replace(...form).replaceAll(/\b\d\b/g, "0$&");
}
