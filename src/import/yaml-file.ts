// Writes the blocks of rows into a new or existing file, and returns the line on which each block begins.

import type { FieldSpec } from "../domain/field.ts";
import {
  blockFields,
  groupFields,
  GROUPS,
  pathsOf,
  type ResourceKind,
  SECTION,
  fieldAt,
  REFERENCE_FIELD,
} from "../domain/table.ts";
import { type YamlContent, type YamlEntry, yamlText, type Block } from "../edit/yaml-text.ts";
import type { ReadRow } from "./rows.ts";
import { NOTE_PATH, OWNER_PATH, REVIEW_PATH } from "./targets.ts";
import { EXIT, UserError } from "../errors.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { withUtm } from "../edit/declare.ts";
import { utmPath } from "../edit/utm.ts";
import { writeEdits } from "../edit/writer.ts";

/**
 * The entries of a block in the order of the field table. `variables` are the names for its secrets, by path. Values in
 * `shared` are left out, because the `defaults` of the file have them.
 */
export function blockOf(
  kind: ResourceKind,
  { values }: Pick<ReadRow, "values">,
  variables: ReadonlyMap<string, string>,
  shared: ReadonlyMap<string, YamlContent>,
): readonly YamlEntry[] {
  const heads = new Map<string, YamlEntry[]>();
  const put = (path: string, value: YamlContent): void => {
    const [head = "", ...tail] = path.split(".");
    const entries = heads.get(head) ?? [];
    entries.push({ key: tail.join(".") || head, value });
    heads.set(head, entries);
  };
  for (const field of blockFields(kind)) {
    for (const path of pathsOf(field)) {
      const variable = variables.get(path);
      const value = values.get(path);
      if (variable !== undefined) put(path, { entries: [{ key: "env", value: variable }], inline: true });
      else if (value !== undefined && shared.get(path) !== value && !isImplied(field, values)) put(path, value);
    }
  }
  const block = [...heads].map(([head, entries]): YamlEntry => {
    return { key: head, value: GROUPS[head] === undefined ? (entries[0]?.value ?? null) : { entries } };
  });
  for (const key of [OWNER_PATH, REVIEW_PATH, NOTE_PATH]) {
    const value = values.get(key);
    if (value !== undefined) block.push({ key, value });
  }
  const utm = utmOf(values);
  return utm === undefined ? block : withUtm(block, utm);
}

/** On lines of their own, so that an error can be traced to its column. */
function utmOf(values: ReadonlyMap<string, YamlContent>): YamlContent | undefined {
  const entries = UTM_KEYS.flatMap((key): YamlEntry[] => {
    const value = values.get(utmPath(key));
    return value === undefined ? [] : [{ key, value }];
  });
  return entries.length === 0 ? values.get("utm") : { entries };
}

/** A group with no fields and nothing active is implied. */
function isImplied(field: FieldSpec, values: ReadonlyMap<string, YamlContent>): boolean {
  const [head = ""] = field.path.split(".");
  if (GROUPS[head]?.active !== field.path || values.get(field.path) !== field.default) return false;
  return groupFields(head).every(({ path }) => path === field.path || !values.has(path));
}

export interface RowBlock {
  readonly key: string;
  readonly value: Block;
}

export interface BuiltFile {
  readonly text: string;
  /** The line of each block's key, counting from 1. */
  readonly lines: readonly number[];
  /** The first line after the last block. */
  readonly end: number;
}

export function newFile(
  kind: ResourceKind,
  {
    head,
    shared,
    blocks,
  }: { readonly head: string; readonly shared: readonly YamlEntry[]; readonly blocks: readonly RowBlock[] },
): BuiltFile {
  const section: YamlEntry = { key: SECTION[kind], value: { entries: blocks } };
  const defaults: YamlEntry = { key: "defaults", value: { entries: [{ key: kind, value: { entries: shared } }] } };
  const text = head + yamlText({ entries: shared.length === 0 ? [section] : [defaults, section] });
  return { text, ...linesOfBlocks(text, kind, blocks.length) };
}

/**
 * An existing file with blocks added at the end. Nothing else changes. Throws a user error if its blocks share a line, because
 * errors could not be traced to rows.
 */
export function extendedFile(
  kind: ResourceKind,
  { file, before, blocks }: { readonly file: string; readonly before: string; readonly blocks: readonly RowBlock[] },
): BuiltFile {
  const { text, leftAlone } = writeEdits(
    before,
    file,
    blocks.map(({ key, value }) => [{ step: "add", kind, key, block: value, spot: null }]),
  );
  const [reason] = leftAlone.values();
  if (reason !== undefined)
    throw new UserError("wrong-into", `linkform cannot add blocks to ${file}, because ${reason}.`, {
      hint: "Choose another file with --into.",
      exit: EXIT.usage,
    });
  const found = linesOfBlocks(text, kind, blocks.length);
  if (found.lines.length === blocks.length) return { text, ...found };
  throw new UserError("wrong-into", `The ${SECTION[kind]} in ${file} are on one line.`, {
    hint: "Put each on its own line, or choose another file with --into.",
    exit: EXIT.usage,
  });
}

/** The last lines with a key in the last section of this kind. Blocks of rows have no multi-line texts. */
function linesOfBlocks(text: string, kind: ResourceKind, count: number): Omit<BuiltFile, "text"> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const head = new RegExp(`^["']?${SECTION[kind]}["']?:\\s*(#.*)?$`);
  const section = lines.findLastIndex((line) => head.test(line));
  const below = section < 0 ? [] : lines.slice(section + 1);
  const found: number[] = [];
  let indent: number | null = null;
  let end = lines.length + 1;
  for (const [at, line] of below.entries()) {
    const [, space = "", rest = ""] = /^( *)(.*)$/.exec(line) ?? [];
    // The value is on the next line, because the key is too long.
    if (rest === "" || rest.startsWith("#") || rest.startsWith(": ")) continue;
    indent ??= space.length;
    if (space.length < indent || indent === 0) {
      end = section + at + 2;
      break;
    }
    if (space.length === indent) found.push(section + at + 2);
  }
  return { lines: found.length < count ? [] : found.slice(-count), end };
}

/**
 * The values for the `defaults` of a new file: references that all rows have, and defaults of the service if every row names
 * the field. Other shared values may not suit the next link.
 */
export function sharedValues(
  kind: ResourceKind,
  rows: readonly { readonly values: ReadonlyMap<string, YamlContent> }[],
): ReadonlyMap<string, YamlContent> {
  const [first] = rows;
  if (kind === "pixel" || first === undefined || rows.length < 2) return new Map();
  return new Map(
    [...first.values].flatMap(([path, value]): [string, YamlContent][] => {
      const field = fieldAt(kind, path);
      if (field === undefined || path.includes(".")) return [];
      if (field.kind === "reference")
        return rows.every(({ values }) => values.get(path) === value) ? [[path, value]] : [];
      const serviceDefault = field.default;
      if (typeof serviceDefault !== "string" && typeof serviceDefault !== "boolean") return [];
      const isOnEveryRow =
        rows.every(({ values }) => values.has(path)) && rows.some(({ values }) => values.get(path) === serviceDefault);
      return isOnEveryRow ? [[path, serviceDefault]] : [];
    }),
  );
}

/** The domain of all rows; null if they have several, or some have none. */
export function sharedDomain(rows: readonly { readonly domain: string | null }[]): string | null {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return null;
  return rows.every(({ domain }) => domain === first.domain) ? first.domain : null;
}

export function sharedEntries(domain: string | null, values: ReadonlyMap<string, YamlContent>): readonly YamlEntry[] {
  const own = [...values].map(([key, value]): YamlEntry => ({ key, value }));
  return domain === null ? own : [{ key: REFERENCE_FIELD.domain, value: domain }, ...own];
}
