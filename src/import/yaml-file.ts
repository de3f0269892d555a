// Writes the blocks of rows into a new or existing file, and knows on which line each block begins.

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
import { EXIT, UserError } from "../errors.ts";
import { EditedFile } from "../edit/edited-file.ts";

/**
 * The entries of a block in the order of the field table, those of a group below it. `variables` are those of the secrets, by path;
 * what is `shared` is said by the file's defaults.
 */
export function blockOf(
  kind: ResourceKind,
  { values, note }: Pick<ReadRow, "values" | "note">,
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
  for (const row of blockFields(kind)) {
    for (const path of pathsOf(row)) {
      const variable = variables.get(path);
      const value = values.get(path);
      if (variable !== undefined) put(path, { entries: [{ key: "env", value: variable }], inline: true });
      else if (value !== undefined && shared.get(path) !== value && !goesWithoutSaying(row, values)) put(path, value);
    }
  }
  const block = [...heads].map(([head, entries]): YamlEntry => {
    return { key: head, value: GROUPS[head] === undefined ? (entries[0]?.value ?? null) : { entries } };
  });
  return note === null ? block : [...block, { key: "note", value: note }];
}

/** Of a group without members, that none is in force. */
function goesWithoutSaying(row: FieldSpec, values: ReadonlyMap<string, YamlContent>): boolean {
  const [head = ""] = row.path.split(".");
  if (GROUPS[head]?.active !== row.path || values.get(row.path) !== row.default) return false;
  return groupFields(head).every(({ path }) => path === row.path || !values.has(path));
}

/** A block and its key. */
export interface RowBlock {
  readonly key: string;
  readonly value: Block;
}

/** A text with blocks in it. */
export interface BuiltFile {
  readonly text: string;
  /** The line of each block's key, in their order; lines count from 1. */
  readonly lines: readonly number[];
  /** The first line behind the last block. */
  readonly end: number;
}

/** The text of a file that holds these blocks and nothing else. */
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
 * A file with blocks added behind those that it has; nothing else of it changes. Throws a user error for a file whose blocks share a
 * line: nobody could be told which row a mistake is in.
 */
export function grownFile(
  kind: ResourceKind,
  { file, before, blocks }: { readonly file: string; readonly before: string; readonly blocks: readonly RowBlock[] },
): BuiltFile {
  const edited = new EditedFile(before, file);
  for (const { key, value } of blocks) edited.add(kind, key, value, null);
  const { text } = edited;
  const found = linesOfBlocks(text, kind, blocks.length);
  if (found.lines.length === blocks.length) return { text, ...found };
  throw new UserError("wrong-into", `The ${SECTION[kind]} of ${file} stand on one line.`, {
    hint: "Write them one below the other, or name another file with --into.",
    exit: EXIT.usage,
  });
}

/** The last so many lines with a key of the last section of this kind: no block of a row has a text of several lines. */
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
    // A value below a key that is too long for its line.
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
 * What a file's `defaults` can say for its blocks: what all of them refer to; and what is so by default anyway, where every block
 * says something of it. Anything else would be a surprise to whoever adds a link to the file.
 */
export function sharedValues(
  kind: ResourceKind,
  rows: readonly { readonly values: ReadonlyMap<string, YamlContent> }[],
): ReadonlyMap<string, YamlContent> {
  const [first] = rows;
  if (kind === "pixel" || first === undefined || rows.length < 2) return new Map();
  return new Map(
    [...first.values].flatMap(([path, value]): [string, YamlContent][] => {
      const row = fieldAt(kind, path);
      if (row === undefined || path.includes(".")) return [];
      if (row.kind === "reference")
        return rows.every(({ values }) => values.get(path) === value) ? [[path, value]] : [];
      const usual = row.default;
      if (typeof usual !== "string" && typeof usual !== "boolean") return [];
      const isSaid =
        rows.every(({ values }) => values.has(path)) && rows.some(({ values }) => values.get(path) === usual);
      return isSaid ? [[path, usual]] : [];
    }),
  );
}

/** The domain that all rows are on; null where they are on several, or some say none. */
export function sharedDomain(rows: readonly { readonly domain: string | null }[]): string | null {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return null;
  return rows.every(({ domain }) => domain === first.domain) ? first.domain : null;
}

/** The entries of `defaults` for these values. */
export function sharedEntries(domain: string | null, values: ReadonlyMap<string, YamlContent>): readonly YamlEntry[] {
  const own = [...values].map(([key, value]): YamlEntry => ({ key, value }));
  return domain === null ? own : [{ key: REFERENCE_FIELD.domain, value: domain }, ...own];
}
