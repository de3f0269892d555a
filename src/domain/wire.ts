// How each version of the service sends and returns the fields of the field table.

import type { FieldSpec, InstantSpec, Wire, WordSpec } from "./field.ts";
import { SOFTWARE, upTo, type Software } from "./software.ts";
import { FIELDS, TARGETS, type ResourceKind } from "./table.ts";
import { sameValue, type ValueLookup } from "./value.ts";

/** How a version sends and returns a field; null where it cannot express the field. */
export function wireOf(field: FieldSpec, software: Software): Wire | null {
  return WIRES.get(field)?.get(software) ?? null;
}

function resolveWires(field: FieldSpec): ReadonlyMap<Software, Wire | null> {
  let wire: Wire | null = null;
  return new Map(
    SOFTWARE.map((version) => {
      const cell = field.wire[version];
      if (cell !== undefined) wire = cell && withCell(wire, cell, field.path);
      return [version, wire];
    }),
  );
}

function withCell(before: Wire | null, cell: Partial<Wire>, path: string): Wire {
  const { sent, returned, filter = null, form = "plain" }: Partial<Wire> = { ...before, ...cell };
  if (sent === undefined || returned === undefined) throw new Error(`the first cell of ${path} lacks a name`);
  return { sent, returned, filter, form };
}

/** Resolved once, because it is looked up for every field of every change. */
const WIRES = new Map([...FIELDS.link, ...FIELDS.pixel].map((field) => [field, resolveWires(field)]));

/** The names of a field's form variables, in all versions. */
export function sentNames(field: FieldSpec): readonly string[] {
  const names = SOFTWARE.flatMap((software) => wireOf(field, software)?.sent ?? []);
  const time = field.kind === "instant" && field.sentTime !== null ? [field.sentTime] : [];
  return [...new Set([...names, ...time])];
}

/** The names of the list parameter that filters by a field, in all versions. Each version ignores the others' names. */
export function filterNames(field: FieldSpec): readonly string[] {
  return [...new Set(SOFTWARE.flatMap((software) => wireOf(field, software)?.filter ?? []))];
}

/** What a version sends and returns for each word of a field. */
export function wordsIn({ words }: WordSpec, software: Software): Readonly<Record<string, string | number>> {
  return upTo(software).reduce((before, version) => words[version] ?? before, {});
}

/** The words that files may use for a field, in any version, without synonyms. */
export function allWords({ words }: Pick<WordSpec, "words">): readonly string[] {
  return [...new Set(Object.values(words).flatMap((named) => Object.keys(named)))];
}

/** The word that a text in a file means; undefined for none. */
export function wordOf(field: WordSpec, text: string): string | undefined {
  const word = (Object.hasOwn(field.synonyms, text) ? field.synonyms[text] : undefined) ?? text;
  return allWords(field).includes(word) ? word : undefined;
}

/** The most entries that a version stores where all target groups share one list (measured on version 49). */
const MOST_SHARED_ENTRIES = 100;

interface Inexpressible {
  readonly path: string;
  /** The end of a sentence that begins with the version: "has no `disabled`". */
  readonly because: string;
  readonly hint: string;
}

/** The values that a version cannot express. `values` has canonical values by path; missing values are the default. */
export function inexpressibleIn(software: Software, kind: ResourceKind, values: ValueLookup): Inexpressible[] {
  return [
    ...FIELDS[kind].flatMap((field): Inexpressible[] => {
      const { path } = field;
      const value = values.get(path);
      if (value === undefined || sameValue(value, field.default)) return [];
      const wire = wireOf(field, software);
      if (wire === null) return [{ path, because: `has no \`${path}\``, hint: hintFor(field) }];
      if (field.kind === "word" && typeof value === "string" && !Object.hasOwn(wordsIn(field, software), value)) {
        // The group itself is reported.
        const group = TARGETS.byWord.get(value);
        if (group !== undefined && !sameValue(values.get(group.path) ?? group.default, group.default)) return [];
        const words = Object.keys(wordsIn(field, software)).join(", ");
        return [{ path, because: `has no \`${path}: ${value}\``, hint: `Use one of: ${words}.` }];
      }
      if (field.kind !== "instant" || wire.form !== "period" || typeof value !== "string" || !isUnbounded(field, value))
        return [];
      const limit = field.unbounded.limit.slice(0, 10);
      return [{ path, because: `cannot store this \`${path}\``, hint: `Use a date ${field.works} ${limit}.` }];
    }),
    ...(kind === "link" ? inexpressibleTargets(software, values) : []),
  ];
}

/** Whether a version with a `period` reads this instant as none. */
export function isUnbounded({ works, unbounded: { limit } }: InstantSpec, instant: string): boolean {
  return works === "before" ? instant >= limit : instant <= limit;
}

function hintFor(field: FieldSpec): string {
  const remove = `Remove \`${field.path}\`.`;
  return field.kind === "flag" && field.breaksUrl
    ? `${remove} To take the link offline, use a past \`expiration.date\`, or delete it with a tombstone.`
    : remove;
}

/** Where all target groups share one list, only the active group can be stored. */
function inexpressibleTargets(software: Software, values: ValueLookup): Inexpressible[] {
  const shared = [...TARGETS.byWord].filter(([, field]) => wireOf(field, software)?.form === "targets");
  const filled = shared.flatMap(([word, field]) => {
    const value = values.get(field.path);
    return Array.isArray(value) && value.length > 0 ? [{ word, path: field.path, count: value.length }] : [];
  });
  const [first] = filled;
  if (first === undefined) return [];
  const active = values.get(TARGETS.active.path);
  const kept = filled.find((group) => group.word === active) ?? first;
  const extra = filled.find((group) => group !== kept);
  if (extra !== undefined) {
    const because = `stores one target group for each link, and this link has ${filled.length}`;
    return [{ path: extra.path, because, hint: `Keep only \`${kept.path}\`.` }];
  }
  const { word, path, count } = first;
  if (active !== undefined && active !== word) {
    const because = `stores only the active target group, and \`${path}\` is not active`;
    return [{ path, because, hint: `Write \`active: ${word}\`, or remove \`${path}\`.` }];
  }
  if (count <= MOST_SHARED_ENTRIES) return [];
  const because = `stores at most ${MOST_SHARED_ENTRIES} entries in a target group, and \`${path}\` has ${count}`;
  return [{ path, because, hint: "Remove entries." }];
}
