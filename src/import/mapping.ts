// Maps the columns of a sheet to fields, by flags and by their names.

import { UserError, usageError } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { nearestOrLonger } from "../domain/nearest.ts";
import {
  DESTINATION_FIELD,
  FIELDS,
  KEY_FIELD,
  PIXEL_VALUE_FIELD,
  REFERENCE_FIELD,
  type ResourceKind,
} from "../domain/table.ts";
import { numbered, type Sheet } from "./csv.ts";
import { isAddress } from "./values.ts";
import { AMBIGUOUS_NAMES, KEY_PATH, targetAt, targetsOf, normalizedName, type Target } from "./targets.ts";

export interface MappedColumn {
  readonly index: number;
  readonly name: string;
  /** Null if the column is left out. */
  readonly target: Target | null;
  /** Why it is mapped or left out: because of a flag or its name, or because its name is unknown. */
  readonly because: "flag" | "name" | "unknown";
}

/** What `--map` gives instead of a field to leave a column out. */
const IGNORE = "ignore";

/** The field that a `--map` names, by the index of its column. */
type NamedFields = ReadonlyMap<number, string>;

/**
 * Finds out what the rows are, and maps the columns to fields. Throws a user error for a `--map` that names an unknown column or field.
 */
export function mapColumns(
  sheet: Sheet,
  map: readonly string[],
): { readonly kind: ResourceKind; readonly columns: readonly MappedColumn[] } {
  const named: NamedFields = new Map(map.map((text) => readMap(text, sheet)));
  const kind = kindOfRows(sheet, named);
  const targets = new Map<number, Target | null>();
  const isTaken = (path: string): boolean => [...targets.values()].some((target) => target?.path === path);
  for (const [index, field] of named) {
    const target = field === IGNORE ? null : fieldNamed(field, kind);
    if (target !== null && isTaken(target.path))
      throw wrongMap(`Two columns cannot both be \`${target.path}\`.`, "Map only one of them.");
    targets.set(index, target);
  }
  const names = sheet.columns.map(normalizedName);
  const assign = (target: Target | undefined, fits: (name: string, index: number) => boolean): void => {
    if (target === undefined || isTaken(target.path)) return;
    const index = names.findIndex((name, at) => fits(name, at) && !targets.has(at));
    if (index >= 0) targets.set(index, target);
  };
  for (const target of targetsOf(kind)) for (const known of target.names) assign(target, (name) => name === known);
  // A map such as `targeting.country` has more keys than `targetsOf` lists.
  for (const [index, name] of sheet.columns.entries()) {
    const target = targetAt(kind, name);
    if (target?.to === "member") assign(target, (_, at) => at === index);
  }
  // `Link` may be the short URL or the destination. It is the short URL only if the destination has a column and the key has none.
  if (kind === "link" && isTaken(DESTINATION_FIELD) && !isTaken(KEY_FIELD.link))
    assign(targetAt("link", KEY_PATH), (name) => AMBIGUOUS_NAMES.has(name));
  const columns = sheet.columns.map((name, index): MappedColumn => {
    const because = named.has(index) ? "flag" : targets.has(index) ? "name" : "unknown";
    return { index, name, target: targets.get(index) ?? null, because };
  });
  return { kind, columns };
}

/** Rows with a value of a pixel and without a destination are pixels. */
function kindOfRows({ columns }: Sheet, named: NamedFields): ResourceKind {
  const has = (kind: ResourceKind, path: string): boolean =>
    columns.some((name, index) => {
      const target = targetsOf(kind).find((one) => one.path === path);
      const field = named.get(index);
      return field === undefined ? target?.names.includes(normalizedName(name)) : field.toLowerCase() === path;
    });
  return has("pixel", PIXEL_VALUE_FIELD) && !has("link", DESTINATION_FIELD) ? "pixel" : "link";
}

/** The column that is mapped to a path. */
export function columnFor(columns: readonly MappedColumn[], path: string): MappedColumn | undefined {
  return columns.find(({ target }) => target?.path === path);
}

/** Reads `Long URL=url`. A column name can contain `=`, so the field is behind the last one. */
function readMap(text: string, sheet: Sheet): [index: number, field: string] {
  const at = text.lastIndexOf("=");
  const field = text.slice(at + 1).trim();
  if (at <= 0 || field === "")
    throw wrongMap(`\`--map ${text}\` must have the form COLUMN=FIELD.`, 'For example: --map "Long URL=url".');
  return [columnAt(text.slice(0, at), sheet), field];
}

function fieldNamed(field: string, kind: ResourceKind): Target {
  const target = targetAt(kind, field);
  if (target !== undefined) return target;
  const paths = targetsOf(kind).map(({ path }) => path);
  const suggestion = nearestOrLonger(field, paths);
  const hint =
    suggestion === null
      ? "Write a field of docs/file-format.md, such as expiration.date."
      : `Did you mean \`${suggestion}\`?`;
  throw wrongMap(`A ${kind} has no field \`${field}\`.`, hint);
}

/** The index of a column, by name or by number (`#3`). */
function columnAt(written: string, { columns, file }: Sheet): number {
  const name = written.trim();
  const exact = indexesOf(columns, (one) => one === name);
  const matching = exact.length > 0 ? exact : indexesOf(columns, (one) => normalizedName(one) === normalizedName(name));
  const [first, second] = matching;
  if (second !== undefined && first !== undefined)
    throw wrongMap(
      `${matching.length} columns of ${file} have the name \`${name}\`.`,
      `Use the number of the column: ${matching.map(numbered).join(" or ")}.`,
    );
  if (first !== undefined) return first;
  const [, number] = /^#([1-9]\d*)$/.exec(name) ?? [];
  if (number !== undefined && Number(number) <= columns.length) return Number(number) - 1;
  const suggestion = nearestOrLonger(name, columns);
  throw wrongMap(
    `${file} has no column \`${name}\`.`,
    suggestion === null ? `Its columns: ${columns.join(", ")}.` : `Did you mean \`${suggestion}\`?`,
  );
}

function indexesOf(names: readonly string[], fits: (name: string) => boolean): number[] {
  return names.flatMap((name, index) => (fits(name) ? [index] : []));
}

function wrongMap(message: string, hint: string): UserError {
  return usageError("wrong-map", message, hint);
}

/** The error for a first row that contains an address instead of names. Its other cells are not shown: they may be passwords. */
export function missingHeader({ columns, file }: Sheet): readonly Diagnostic[] {
  const looksLikeData = columns.find(isAddress);
  if (looksLikeData === undefined) return [];
  const message = `The first row must have column names, but it contains \`${looksLikeData}\`.`;
  const hint = "If the file has no header, pass --no-header. The columns are then #1, #2 and so on.";
  return [error("csv-no-header", message, { file, line: 1, column: 1 }, hint)];
}

/** One error for each required field without a column, flag or default. */
export function missingColumns(
  sheet: Sheet,
  kind: ResourceKind,
  columns: readonly MappedColumn[],
  isGiven: (path: string) => boolean,
): readonly Diagnostic[] {
  return FIELDS[kind].flatMap((field): Diagnostic[] => {
    if (!field.required || isGiven(field.path) || columnFor(columns, field.path) !== undefined) return [];
    const isInKey = field.path === KEY_FIELD[kind] || field.path === REFERENCE_FIELD.domain;
    if (isInKey && columnFor(columns, KEY_PATH) !== undefined) return [];
    const message = `No column is mapped to the required field \`${field.path}\`${field.called === null ? "" : ` (${field.called})`}.`;
    const flag = field.path === REFERENCE_FIELD.domain ? " Or set it for all rows: --domain go.example.com." : "";
    const free = columns.filter(({ target }) => target === null).map(({ name }) => `\`${name}\``);
    const unmapped = free.length === 0 ? "" : ` Unmapped columns: ${free.join(", ")}.`;
    const hint = `Map a column: --map "COLUMN=${field.path}".${flag}${unmapped}`;
    return [error("csv-no-column", message, { file: sheet.file, line: 1, column: 1 }, hint)];
  });
}
