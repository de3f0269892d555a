// Maps the columns of a sheet to fields, by flags and by their names.

import { Refusal } from "../config/located-error.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import type { FieldSpec, MapSpec } from "../domain/field.ts";
import { didYouMean, nearestOrLonger } from "../domain/nearest.ts";
import {
  DESTINATION_FIELD,
  FIELDS,
  KEY_FIELD,
  PIXEL_VALUE_FIELD,
  REFERENCE_FIELD,
  type ResourceKind,
} from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { utmPath } from "../edit/utm.ts";
import { UserError, usageError } from "../errors.ts";
import { numbered, type Sheet } from "./csv.ts";

/** What a column can be. */
export interface Target {
  /** Its name in `--map`: `url`, `expiration.time`, `key`, `note`. */
  readonly path: string;
  /** The names of columns, normalized. */
  readonly names: readonly string[];
  /** Null for the time of a date, keys, and what is never sent. */
  readonly field: FieldSpec | null;
  /** The key of a map whose destinations the column has: `iOS` of `targeting.platform.iOS`. */
  readonly member: string | null;
}

/** Whether cells are secrets, which are never shown or written. */
export function isSecretTarget(target: Target | null): boolean {
  return target?.field?.kind === "secret";
}

/** Domain and alias together, as in a short URL. */
export const KEY_PATH = "key";

const SHORT_URL_NAMES =
  "custom link, short url, short link, shortened url, shortened link, bitlink, tiny url, branded link, short";

const NOTE = targetOf("note", ["notes", "comment", "comments", "remark", "remarks", "memo"]);

/** In the order in which they are matched. */
const TARGETS: Readonly<Record<ResourceKind, readonly Target[]>> = {
  link: [
    ...fieldTargets("link"),
    targetOf(KEY_PATH, SHORT_URL_NAMES.split(", ")),
    // Sheets and analytics tools also write `campaign source`, and `campaign name` for the campaign itself.
    ...UTM_KEYS.map((key) => targetOf(utmPath(key), [`campaign ${key === "campaign" ? "name" : key}`])),
    // The paths of the secrets that a link has, as `list` prints them.
    targetOf("secrets", []),
    targetOf("owner", ["owners"]),
    targetOf("review_by", ["review date"]),
    NOTE,
  ],
  pixel: [...fieldTargets("pixel"), NOTE],
};

/** A target that is also recognized by its path. */
function targetOf(path: string, others: readonly string[]): Target {
  return { path, names: [path, ...others].map(normalizedName), field: null, member: null };
}

function fieldTargets(kind: ResourceKind): Target[] {
  return FIELDS[kind].flatMap((field): Target[] => {
    const { path, called, columns } = field;
    const own = called === null ? columns : [called, ...columns];
    // `url` is the last name to match: beside a `Target` column, it is often the short URL.
    const names = (path === DESTINATION_FIELD ? [...own, path] : [path, ...own]).map(normalizedName);
    const target: Target = { path, names, field, member: null };
    if (field.kind === "map") return [target, ...field.keys.words.map((word) => memberTarget(field, word))];
    return field.kind === "instant" ? [target, targetOf(field.timePath, field.timeColumns)] : [target];
  });
}

/** Some services name a column of destinations after its visitors: `iosURL`, or `iphoneURL` for the same visitors. */
function memberTarget(field: MapSpec, member: string): Target {
  const words = member === "iOS" ? [member, "iphone"] : [member];
  const names = words.flatMap((word) => [`${word} url`, `${word} link`]);
  return { ...targetOf(`${field.path}.${member}`, names), field, member };
}

/** The target for `expiration.date`, or for a key of a map, such as `targeting.country.DE`. */
function targetAt(kind: ResourceKind, written: string): Target | undefined {
  const path = written.trim();
  const target = TARGETS[kind].find((one) => one.path.toLowerCase() === path.toLowerCase());
  if (target !== undefined) return target;
  for (const field of FIELDS[kind]) {
    if (field.kind !== "map" || !path.toLowerCase().startsWith(`${field.path}.`)) continue;
    const key = path.slice(field.path.length + 1);
    const member = [key, key.toUpperCase(), key.toLowerCase()].find((one) => field.keys.pattern.test(one));
    if (member !== undefined) return memberTarget(field, member);
  }
  return undefined;
}

/** Equal for `Long URL`, `long_url` and `longUrl`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, "");
}

export interface MappedColumn {
  readonly index: number;
  readonly name: string;
  /** Null if the column is left out. */
  readonly target: Target | null;
  readonly because: "flag" | "name" | "unknown";
}

export interface MappedSheet {
  readonly sheet: Sheet;
  readonly kind: ResourceKind;
  readonly columns: readonly MappedColumn[];
}

/** Throws a user error for a `--map` of an unknown column or field. */
export function mapColumns(sheet: Sheet, map: readonly string[]): MappedSheet {
  const named = new Map(map.map((text) => readMap(text, sheet)));
  const kind = kindOfRows(sheet, named);
  const targets = new Map<number, Target | null>();
  const isTaken = (path: string): boolean => [...targets.values()].some((target) => target?.path === path);
  for (const [index, field] of named) {
    const target = field === "ignore" ? null : fieldNamed(field, kind);
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
  for (const target of TARGETS[kind]) for (const known of target.names) assign(target, (name) => name === known);
  // A map such as `targeting.country` has more keys than `TARGETS` lists.
  for (const [index, name] of sheet.columns.entries()) {
    const target = targetAt(kind, name);
    if (target !== undefined && target.member !== null) assign(target, (_, at) => at === index);
  }
  // These may be the short URL or the destination: the short URL only if the destination has a column and the key has none.
  if (kind === "link" && isTaken(DESTINATION_FIELD) && !isTaken(KEY_FIELD.link))
    assign(targetAt("link", KEY_PATH), (name) => ["link", "links", "url"].includes(name));
  const columns = sheet.columns.map((name, index): MappedColumn => {
    const because = named.has(index) ? "flag" : targets.has(index) ? "name" : "unknown";
    return { index, name, target: targets.get(index) ?? null, because };
  });
  return { sheet, kind, columns };
}

/** Rows with a value of a pixel and without a destination are pixels. */
function kindOfRows({ columns }: Sheet, named: ReadonlyMap<number, string>): ResourceKind {
  const has = (kind: ResourceKind, path: string): boolean =>
    columns.some((name, index) => {
      const target = TARGETS[kind].find((one) => one.path === path);
      const field = named.get(index);
      return field === undefined ? target?.names.includes(normalizedName(name)) : field.toLowerCase() === path;
    });
  return has("pixel", PIXEL_VALUE_FIELD) && !has("link", DESTINATION_FIELD) ? "pixel" : "link";
}

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
  const near = nearestOrLonger(
    field,
    TARGETS[kind].map(({ path }) => path),
  );
  const hint = didYouMean(near, "Write a field of docs/file-format.md, such as expiration.date.");
  throw wrongMap(`A ${kind} has no field \`${field}\`.`, hint);
}

/** By name or by number (`#3`). */
function columnAt(written: string, { columns, file }: Sheet): number {
  const name = written.trim();
  const indexesOf = (fits: (name: string) => boolean): number[] =>
    columns.flatMap((one, index) => (fits(one) ? [index] : []));
  const exact = indexesOf((one) => one === name);
  const matching = exact.length > 0 ? exact : indexesOf((one) => normalizedName(one) === normalizedName(name));
  if (matching.length > 1) {
    const hint = `Use the number of the column: ${matching.map(numbered).join(" or ")}.`;
    throw wrongMap(`${matching.length} columns of ${file} have the name \`${name}\`.`, hint);
  }
  if (matching[0] !== undefined) return matching[0];
  const [, number] = /^#([1-9]\d*)$/.exec(name) ?? [];
  if (number !== undefined && Number(number) <= columns.length) return Number(number) - 1;
  const hint = didYouMean(nearestOrLonger(name, columns), `Its columns: ${columns.join(", ")}.`);
  throw wrongMap(`${file} has no column \`${name}\`.`, hint);
}

function wrongMap(message: string, hint: string): UserError {
  return usageError("wrong-map", message, { hint });
}

/** Throws a refusal with an error for each required field without a column, a flag or a default. */
export function refuseMissing(
  { sheet: { file }, kind, columns }: MappedSheet,
  given: ReadonlyMap<string, string>,
): void {
  const missing = FIELDS[kind].flatMap(({ required, path, called }): Diagnostic[] => {
    if (!required || given.has(path) || columnFor(columns, path) !== undefined) return [];
    const isInKey = path === KEY_FIELD[kind] || path === REFERENCE_FIELD.domain;
    if (isInKey && columnFor(columns, KEY_PATH) !== undefined) return [];
    const message = `No column is mapped to the required field \`${path}\`${called === null ? "" : ` (${called})`}.`;
    const flag = path === REFERENCE_FIELD.domain ? " Or set it for all rows: --domain go.example.com." : "";
    const free = columns.filter(({ target }) => target === null).map(({ name }) => `\`${name}\``);
    const unmapped = free.length === 0 ? "" : ` Unmapped columns: ${free.join(", ")}.`;
    const hint = `Map a column: --map "COLUMN=${path}".${flag}${unmapped}`;
    return [error("csv-no-column", message, { file, line: 1, column: 1 }, hint)];
  });
  if (missing.length > 0) throw new Refusal(missing);
}
