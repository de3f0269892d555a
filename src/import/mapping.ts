// Maps the columns of a sheet to fields, by flags and by their names.

import { UserError, EXIT } from "../errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { nearestOrLonger, nearestPaths } from "../domain/nearest.ts";
import { DESTINATION_FIELD, FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { numbered, type Sheet } from "./csv.ts";
import { isAddress } from "./values.ts";
import {
  AMBIGUOUS_NAMES,
  isReportedOnly,
  KEY_PATH,
  targetAt,
  targetsOf,
  normalizedName,
  type Target,
} from "./targets.ts";

export interface MappedColumn {
  readonly index: number;
  readonly name: string;
  /** Null if the column is left out. */
  readonly target: Target | null;
  /** Why it is mapped or left out: because of a flag or its name, or because its name is unknown. */
  readonly because: "flag" | "name" | "unknown";
}

interface MappingFlags {
  readonly map: readonly string[];
  readonly ignore: readonly string[];
}

/** Maps the columns of a sheet to fields. Throws a user error for a flag that names an unknown column or field. */
export function mapColumns(sheet: Sheet, kind: ResourceKind, flags: MappingFlags): readonly MappedColumn[] {
  const flagged = new Map<number, Target | null>();
  for (const text of flags.map) {
    const { index, target } = readMap(text, sheet, kind);
    const isTaken = [...flagged].some(([other, rival]) => other !== index && rival?.path === target.path);
    if (isTaken) throw wrongFlag("map", `Two columns cannot both be \`${target.path}\`.`, "Map only one of them.");
    flagged.set(index, target);
  }
  for (const name of flags.ignore) flagged.set(columnAt(name, sheet, "ignore"), null);
  const recognized = targetsByName(sheet, kind, flagged);
  return sheet.columns.map((name, index): MappedColumn => {
    const given = flagged.get(index);
    if (given !== undefined) return { index, name, target: given, because: "flag" };
    const target = recognized.get(index) ?? null;
    return { index, name, target, because: target !== null || isReportedOnly(name) ? "name" : "unknown" };
  });
}

/** The targets of columns with known names, by index. Each target gets one column at most. */
function targetsByName(
  { columns }: Sheet,
  kind: ResourceKind,
  flagged: ReadonlyMap<number, Target | null>,
): ReadonlyMap<number, Target> {
  const found = new Map<number, Target>();
  const names = columns.map(normalizedName);
  const isTaken = (path: string): boolean =>
    [...flagged.values(), ...found.values()].some((target) => target?.path === path);
  const assign = (target: Target | undefined, fits: (name: string, index: number) => boolean): void => {
    if (target === undefined || isTaken(target.path)) return;
    const index = names.findIndex((name, at) => fits(name, at) && !found.has(at) && !flagged.has(at));
    if (index >= 0) found.set(index, target);
  };
  for (const target of targetsOf(kind)) for (const known of target.names) assign(target, (name) => name === known);
  // A map such as `targeting.country` has more keys than `targetsOf` lists.
  for (const [index, name] of columns.entries()) {
    const target = targetAt(kind, name);
    if (target?.to === "member") assign(target, (_, at) => at === index);
  }
  // `Link` may be the short URL or the destination. It is the short URL only if the destination has a column and the key has none.
  if (kind === "link" && isTaken(DESTINATION_FIELD) && !isTaken(KEY_FIELD.link))
    assign(targetAt("link", KEY_PATH), (name) => AMBIGUOUS_NAMES.has(name));
  return found;
}

export function columnFor(columns: readonly MappedColumn[], path: string): MappedColumn | undefined {
  return columns.find(({ target }) => target?.path === path);
}

/** Reads `Long URL=url`. A column name can contain `=`, so the field is behind the last one. */
function readMap(text: string, sheet: Sheet, kind: ResourceKind): { index: number; target: Target } {
  const at = text.lastIndexOf("=");
  const field = text.slice(at + 1).trim();
  if (at <= 0 || field === "")
    throw wrongFlag("map", `\`--map ${text}\` must have the form COLUMN=FIELD.`, 'For example: --map "Long URL=url".');
  const target = targetAt(kind, field);
  if (target !== undefined) return { index: columnAt(text.slice(0, at), sheet, "map"), target };
  const paths = targetsOf(kind).map(({ path }) => path);
  const suggestion = nearestOrLonger(field, paths);
  const similar = nearestPaths(field, paths).map((path) => `\`${path}\``);
  const hint =
    suggestion === null ? `The most similar fields: ${similar.join(", ")}.` : `Did you mean \`${suggestion}\`?`;
  throw wrongFlag("map", `A ${kind} has no field \`${field}\`.`, hint);
}

/** The index of a column, by name or by number (`#3`). */
function columnAt(written: string, { columns, file }: Sheet, flag: "map" | "ignore"): number {
  const name = written.trim();
  const exact = indexesOf(columns, (one) => one === name);
  const matching = exact.length > 0 ? exact : indexesOf(columns, (one) => normalizedName(one) === normalizedName(name));
  const [first, second] = matching;
  if (second !== undefined && first !== undefined)
    throw wrongFlag(
      flag,
      `${matching.length} columns of ${file} have the name \`${name}\`.`,
      `Use the number of the column: ${matching.map(numbered).join(" or ")}.`,
    );
  if (first !== undefined) return first;
  const [, number] = /^#([1-9]\d*)$/.exec(name) ?? [];
  if (number !== undefined && Number(number) <= columns.length) return Number(number) - 1;
  const suggestion = nearestOrLonger(name, columns);
  throw wrongFlag(
    flag,
    `${file} has no column \`${name}\`.`,
    suggestion === null ? `Its columns: ${columns.join(", ")}.` : `Did you mean \`${suggestion}\`?`,
  );
}

function indexesOf(names: readonly string[], fits: (name: string) => boolean): number[] {
  return names.flatMap((name, index) => (fits(name) ? [index] : []));
}

function wrongFlag(flag: string, message: string, hint: string): UserError {
  return new UserError(`wrong-${flag}`, message, { hint, exit: EXIT.usage });
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
