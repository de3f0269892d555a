// Canonical values as a file writes them; a value that no file can hold has no words.

import type { Plan } from "../domain/change.ts";
import type { FieldSpec, InstantSpec } from "../domain/field.ts";
import { DESTINATION, groupFields, GROUPS, textProblem } from "../domain/table.ts";
import { sameValue, type Pair, type Value } from "../domain/value.ts";
import { wordOf } from "../domain/wire.ts";
import { instantOf, isStorable, wallTimeOf } from "../domain/zone.ts";
import { referenceText } from "./file-names.ts";
import type { YamlContent, YamlEntry } from "./yaml-text.ts";

/** What the words of files depend on. */
export interface FileContext {
  readonly references: Plan["references"];
  readonly zones: Plan["zones"];
  /** The variable for a secret of the object that is written. */
  readonly variableFor: (path: string) => string;
}

/** A value as a file writes it; undefined where it has no words for it. */
export function fileValue(row: FieldSpec, value: Value, context: FileContext): YamlContent | undefined {
  switch (row.kind) {
    case "text":
      return value === null || (typeof value === "string" && textProblem(row, value) === null) ? value : undefined;
    case "secret":
      return value === true
        ? { entries: [{ key: "env", value: context.variableFor(row.path) }], inline: true }
        : "none";
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "count":
      if (value === null) return "none";
      return typeof value === "number" && value <= row.most ? value : undefined;
    case "word":
      return typeof value === "string" ? wordOf(row, value) : undefined;
    case "reference":
      if (typeof value !== "string") return null;
      return referenceText(value, row.to === "space" ? context.references.spaces : context.references.domains);
    case "references":
      return listOf(value, (name) => name !== "" && name.trim() === name);
    case "instant":
      return value === null ? "none" : undefined;
    case "map":
      return mapOf(value, row.keys.pattern);
    case "list":
      return listOf(value, isDestination);
    default:
      return row satisfies never;
  }
}

function isDestination(text: string): boolean {
  return textProblem(DESTINATION, text) === null;
}

function listOf(value: Value, fits: (item: string) => boolean): YamlContent | undefined {
  const items = Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  return items.every(fits) ? items : undefined;
}

/** A key that is there twice can't be written, for a map holds it once. */
function mapOf(value: Value, keys: RegExp): YamlContent | undefined {
  const pairs = Array.isArray(value) ? value.filter((item): item is Pair => typeof item !== "string") : [];
  const fits = pairs.every(([key, url]) => keys.test(key) && isDestination(url));
  if (!fits || new Set(pairs.map(([key]) => key)).size < pairs.length) return undefined;
  return { entries: pairs.map(([key, url]) => ({ key, value: url })) };
}

/**
 * A date and its time on the files' clocks; undefined where a file can't name the moment: it has seconds, is one of two that
 * the clocks show alike, is no date that the service can hold, or must be put on the account's clocks and nobody knows their zone.
 */
export function fileMoment(
  row: InstantSpec,
  value: Value,
  { zones }: FileContext,
): { date: string; time: string } | undefined {
  if (typeof value !== "string" || zones.account === null) return undefined;
  const isPlain = [zones.files, zones.account].every((zone) => instantOf(wallTimeOf(value, zone), zone) === value);
  const [date, time] = wallTimeOf(value, zones.files).split("T");
  const isInRange = isStorable(row, value, wallTimeOf(value, zones.account));
  const hasSeconds = time === undefined || time.length > row.timeDefault.length;
  return date === undefined || hasSeconds || !isPlain || !isInRange ? undefined : { date, time };
}

/**
 * The entries of a group that is replaced as a whole; none where all of it is as by default, undefined where a file can't say
 * it: a member is not known or has no words, or the one that is in force has nothing in it.
 */
export function fileGroup(
  name: string,
  values: { get(path: string): Value | undefined },
  context: FileContext,
): YamlEntry[] | undefined {
  const active = GROUPS[name]?.active ?? null;
  const rows = groupFields(name);
  const said = rows.map((row) => ({ row, value: values.get(row.path) }));
  const isDefault = said.every(({ row, value }) => value === undefined || sameValue(value, row.default));
  if (isDefault) return [];
  const filled = said.filter(
    ({ row, value }) => row.path !== active && value !== undefined && !sameValue(value, row.default),
  );
  const entries: YamlEntry[] = [];
  for (const { row, value } of filled) {
    const content = value === undefined ? undefined : fileValue(row, value, context);
    if (content === undefined) return undefined;
    entries.push({ key: memberOf(name, row), value: content });
  }
  if (said.some(({ value }) => value === undefined)) return undefined;
  const choice = said.find(({ row }) => row.path === active);
  if (choice === undefined) return entries;
  const names = filled.map(({ row }) => memberOf(name, row));
  const isNone = choice.value === choice.row.default;
  if (!isNone && !names.includes(String(choice.value))) return undefined;
  // The only one is in force by itself.
  const goesWithoutSaying = !isNone && names.length === 1;
  return goesWithoutSaying ? entries : [...entries, { key: memberOf(name, choice.row), value: String(choice.value) }];
}

function memberOf(group: string, { path }: FieldSpec): string {
  return path.slice(group.length + 1);
}
