// Canonical values in the words of the files: what every report shows.

import type { Change, FieldChange, Live, Plan, Zones } from "../domain/change.ts";
import type { FieldSpec } from "../domain/field.ts";
import { fieldAt, FIELDS, pathsOf, type ResourceKind } from "../domain/table.ts";
import type { Pair, Value } from "../domain/value.ts";
import { shown, distinguishPair } from "./confusables.ts";
import { visible } from "../domain/control-characters.ts";
import { instantOf, offsetAt, wallTimeOf } from "../domain/zone.ts";
import type { FieldWords } from "../apply/options.ts";

/**
 * A value as JSON shows it. An object is a target group, or stands for what can't be shown: `{ secret: "set" | "unset" }`
 * for a secret, `{ unknown: true }` for a field that the service does not return.
 */
export type Word = string | number | boolean | null | readonly string[] | Readonly<Record<string, string | true>>;

/** One line of a change: a key path of the file, and its value before and after. */
export interface WordChange {
  readonly path: string;
  readonly before: Word;
  readonly after: Word;
}

/** A field change in the files' words. A date and its time are two paths there: each is listed if it differs. */
export function wordChanges(kind: ResourceKind, field: FieldChange, zones: Zones, isNew: boolean): WordChange[] {
  const row = fieldAt(kind, field.path);
  if (row === undefined) return [];
  const missing: Word = isNew ? null : { unknown: true };
  if (row.kind !== "instant") {
    return [
      {
        path: row.path,
        before: field.before === undefined ? missing : wordOf(row, field.before),
        after: wordOf(row, field.after),
      },
    ];
  }
  const before = field.before === undefined ? [missing, missing] : clockOf(field.before, zones);
  const after = clockOf(field.after, zones);
  return [row.path, row.timePath].flatMap((path, part) => {
    const change = { path, before: before[part] ?? null, after: after[part] ?? null };
    return change.before === change.after ? [] : [change];
  });
}

/**
 * Date and time of day on the clocks of the files' zone. Where these show a time twice, files mean the first: the second has
 * its distance from UTC behind it.
 */
function clockOf(value: Value, { files }: Zones): Word[] {
  if (typeof value !== "string") return [null, null];
  const wall = wallTimeOf(value, files);
  const [date = null, time = null] = wall.split("T");
  return [date, instantOf(wall, files) === value ? time : `${time} ${offsetAt(value, files)}`];
}

function wordOf(row: Exclude<FieldSpec, { kind: "instant" }>, value: Value): Word {
  switch (row.kind) {
    case "secret":
      return { secret: value === true ? "set" : "unset" };
    case "map":
      return Object.fromEntries(
        numberDuplicates(Array.isArray(value) ? value.filter((item): item is Pair => typeof item !== "string") : []),
      );
    case "references":
    case "list":
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    case "text":
    case "flag":
    case "count":
    case "word":
    case "reference":
      return typeof value === "object" ? null : value;
    default:
      return row satisfies never;
  }
}

/** Pairs by name; of a name that stands there more than once, each has its number behind it: the service keeps them all. */
export function numberDuplicates(pairs: Iterable<Pair>): Map<string, string> {
  const named = new Map<string, string>();
  for (const [name, value] of pairs) named.set(uniqueName(name, named), value);
  return named;
}

function uniqueName(name: string, taken: ReadonlyMap<string, string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}

/** A word on one line, as a person would write it. */
export function showWord(word: Word): string {
  if (word === null) return "none";
  if (typeof word === "string") return word === "" ? '""' : shown(word);
  if (typeof word === "number" || typeof word === "boolean") return String(word);
  if (isList(word)) return `[${word.map(shown).join(", ")}]`;
  if (word["unknown"] === true) return "(unknown)";
  if (word["secret"] === "set" || word["secret"] === "unset") return `(${word["secret"]})`;
  const entries = Object.entries(word).map(([key, value]) => `${visible(key)}: ${shown(String(value))}`);
  return `{ ${entries.join(", ")} }`;
}

/** Two words that differ, each on one line. */
export function showWords(before: Word, after: Word): readonly [before: string, after: string] {
  if (typeof before === "string" && typeof after === "string" && before !== "" && after !== "")
    return distinguishPair(before, after);
  return [showWord(before), showWord(after)];
}

/** Whether a word stands for a secret that is there. */
export function isSetSecret(word: Word): boolean {
  return word !== null && typeof word === "object" && !isList(word) && word["secret"] === "set";
}

/** Whether a word is a list. */
export function isList(word: Word): word is readonly string[] {
  return Array.isArray(word);
}

/** Whether a word is a target group, and not what stands for something that can't be shown. */
export function isMap(word: Word): word is Readonly<Record<string, string>> {
  if (word === null || typeof word !== "object" || isList(word)) return false;
  return word["unknown"] !== true && word["secret"] !== "set" && word["secret"] !== "unset";
}

/** The values of a field as people know them. */
export function fieldWords({ zones }: Pick<Plan, "zones">, { kind }: Change, field: FieldChange): FieldWords[] {
  return wordChanges(kind, field, zones, false).map(({ path, before, after }) => {
    const [first, second] = showWords(before, after);
    return { path, before: first, after: second };
  });
}

/** A field's values as people know them: `` `privacy` is public, declared private ``. */
export function describeDifference({ zones }: Pick<Plan, "zones">, { kind }: Change, field: FieldChange): string {
  const words = wordChanges(kind, field, zones, false);
  return words
    .map(({ path, before, after }) => `\`${path}\` is ${showWords(before, after).join(", declared ")}`)
    .join(", ");
}

/** The value of every field by its path, in the order of the field table; `unknown` stands for what the service does not say. */
export function liveWords({ kind, values }: Pick<Live, "kind" | "values">, zones: Zones): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  for (const row of FIELDS[kind]) {
    const value = values.get(row.path);
    for (const path of pathsOf(row)) words.set(path, value === undefined ? { unknown: true } : null);
    if (value === undefined) continue;
    for (const { path, after } of wordChanges(kind, { path: row.path, before: undefined, after: value }, zones, false))
      words.set(path, after);
  }
  return words;
}
