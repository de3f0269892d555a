// A cell -> what a file writes for it, by kind of field. What could mean two things is refused.

import type { FieldSpec, InstantSpec, WordSpec } from "../domain/field.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { allWords } from "../domain/wire.ts";
import { hasUnseen } from "../domain/control-characters.ts";
import type { YamlContent } from "../edit/yaml-text.ts";
import { domainOf } from "./short-url.ts";
import { squashed } from "./targets.ts";

/** Why a cell can't be taken, as the end of "`…` …", and what to do. */
export interface CellProblem {
  readonly says: string;
  readonly hint: string | null;
}

/** Live values that a cell can hold but a file cannot. */
export type LeftOutCell = "doubled-key" | "empty-entry" | "seconds";

/** What a column's cells have in common. */
export interface ColumnHabit {
  /** What stands between the items of a list. */
  readonly separator: RegExp;
  /** Whether a text is the name of what is declared: it may hold the sign itself. */
  readonly isName: (text: string) => boolean;
}

/** The words that Excel writes for what is true and false in the languages of most of its users, and people's own. */
const TRUE = new Set(["true", "yes", "y", "1", "x", "on", "wahr", "ja", "vrai", "oui", "verdadero", "sí", "vero"]);
const FALSE = new Set(["false", "no", "n", "0", "off", "falsch", "nein", "faux", "non", "falso"]);

const NONE = "none";

/** What a file writes for a cell that is not empty. Secrets, dates and keys are read elsewhere. */
export function cellContent(
  row: Exclude<FieldSpec, InstantSpec>,
  cell: string,
  { separator, isName }: ColumnHabit,
): { readonly content: YamlContent; readonly left?: LeftOutCell } | { readonly problem: CellProblem } {
  switch (row.kind) {
    case "text":
      return { content: cell };
    case "secret":
      // It never stands in a file: the cell says only whether there is one.
      return { content: cell.toLowerCase() === NONE ? NONE : null };
    case "flag":
      return flagContent(cell);
    case "count":
      return countContent(cell);
    case "word":
      return wordContent(row, cell);
    case "reference":
      return { content: row.path === REFERENCE_FIELD.domain ? domainOf(cell) : cell };
    case "references":
      if (isName(cell)) return { content: [cell] };
      return { content: cell.toLowerCase() === NONE ? [] : itemsOf(cell, separator) };
    case "map":
      return mapContent(cell);
    case "list": {
      const items = cell.split(BETWEEN_ADDRESSES);
      const content = items.filter((item) => item !== "");
      return content.length === items.length ? { content } : { content, left: "empty-entry" };
    }
    default:
      return row satisfies never;
  }
}

/** No address holds a space, and some hold a semicolon, or end in one. */
const BETWEEN_ADDRESSES = /;?\s+/;

/** Whether a cell says of a secret only that there is one, or none: as exports do that can't read it. */
export function presenceOf(cell: string): boolean | null {
  const word = cell.toLowerCase();
  if (TRUE.has(word) || word === "set") return true;
  return FALSE.has(word) || word === "unset" || word === NONE ? false : null;
}

/** An item in quotes, as `list` writes a name with a separator in it. */
const QUOTED = /"(?:[^"]|"")*"(?=\s*(?:[;,\n]|$))/g;

/** What is between the items of a column's lists: line breaks and semicolons; commas if it has no semicolon. */
export function separatorOf(cells: readonly string[]): RegExp {
  return cells.some((cell) => cell.replaceAll(QUOTED, "").includes(";")) ? /[;\n]/ : /[,\n]/;
}

function itemsOf(cell: string, separator: RegExp): string[] {
  const items: string[] = [];
  let rest = cell.trim();
  while (rest !== "") {
    const quoted = /^"((?:[^"]|"")*)"(?=\s*(?:[;,\n]|$))/.exec(rest);
    const end =
      quoted === null ? rest.search(separator) : quoted[0].length + rest.slice(quoted[0].length).search(/[;,\n]|$/);
    items.push(quoted?.[1]?.replaceAll('""', '"') ?? rest.slice(0, end < 0 ? rest.length : end).trim());
    rest = end < 0 ? "" : rest.slice(end + 1).trim();
  }
  return items.filter((item) => item !== "");
}

function flagContent(cell: string): { content: YamlContent } | { problem: CellProblem } {
  const word = cell.toLowerCase();
  if (TRUE.has(word)) return { content: true };
  if (FALSE.has(word)) return { content: false };
  return { problem: { says: "is neither yes nor no", hint: "Write `true` or `false`; an empty cell says nothing." } };
}

function countContent(cell: string): { content: YamlContent } | { problem: CellProblem } {
  if (cell.toLowerCase() === NONE) return { content: NONE };
  if (/^\d{1,15}$/.test(cell)) return { content: Number(cell) };
  const digits = cell.replaceAll(/\D/g, "");
  const hint = `Write it in digits alone${digits === "" ? "" : `, as ${digits}`}.`;
  return {
    problem: { says: "is no whole number", hint: /^\d{1,3}([.,'\s]\d{3})+$/.test(cell) ? hint : "Write digits." },
  };
}

/** A word as the files have it, in any case; or what the service and its exports have for it. */
function wordContent(row: WordSpec, cell: string): { content: YamlContent } | { problem: CellProblem } {
  const words = allWords(row);
  const sent = Object.values(row.words).flatMap((sentFor) => Object.entries(sentFor));
  const found =
    words.find((word) => squashed(word) === squashed(cell)) ?? sent.find(([, wire]) => String(wire) === cell)?.[0];
  if (found !== undefined) return { content: found };
  const meant = nearestOrLonger(cell, words);
  const hint = meant === null ? `Write one of: ${words.join(", ")}.` : `Did you mean \`${meant}\`?`;
  return { problem: { says: "is none of the words that can stand here", hint } };
}

/** Pairs such as `DE=https://example.com/de`, one behind the other. */
function mapContent(cell: string): { content: YamlContent; left?: LeftOutCell } | { problem: CellProblem } {
  const pairs = cell.split(BETWEEN_PAIRS).filter((pair) => pair !== "");
  const entries = pairs.map((pair) => {
    const at = pair.search(/[=:]/);
    return { key: pair.slice(0, Math.max(at, 0)).trim(), value: pair.slice(at + 1).trim() };
  });
  if (entries.every(({ key, value }) => key !== "" && value !== "")) {
    // Visitors get the last entry of a key (docs/service.md, "Targeting").
    const counted = [...new Map(entries.map((entry) => [entry.key, entry])).values()];
    return counted.length === entries.length
      ? { content: { entries } }
      : { content: { entries: counted }, left: "doubled-key" };
  }
  const hint = "Write pairs with `; ` between them: DE=https://example.com/de; FR=https://example.com/fr.";
  return { problem: { says: "is no list of pairs", hint } };
}

/** `OS X` is a key with a space in it. */
const BETWEEN_PAIRS = /\s*(?:;\s+|\n)\s*/;

/**
 * A cell without what `list` writes around its text: what keeps a spreadsheet from taking it for a formula or a number (`'=…`,
 * `'-…`, `="0123"`), and the numbers of characters that can't be seen (`\u{200b}`).
 */
export function unguarded(cell: string): string {
  const text = /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : (/^="([^"]*)"$/.exec(cell)?.[1] ?? cell);
  return text.replaceAll(/\\u\{([0-9a-f]{1,6})\}/g, (written, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const character = code > 0x10ffff ? "" : String.fromCodePoint(code);
    return character === "\\" || hasUnseen(character) ? character : written;
  });
}

/** Whether a time of day has seconds other than zero: files have minutes. */
export function hasSeconds(cell: string): boolean {
  const seconds = /\d:\d{2}:(\d{2}(?:\.\d+)?)/.exec(cell)?.[1];
  return seconds !== undefined && Number(seconds) > 0;
}
