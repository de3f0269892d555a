// The canonical form of a file: one order of keys, and one style of quotes, lists and indentation. Comments and the meaning stay. Edits use
// the same order.

import { isCollection, isScalar, Pair, Scalar } from "yaml";
import type { Form } from "../config/form.ts";
import { projectSchema } from "../config/schema.ts";
import type { TreeNode } from "../config/yaml.ts";
import { parseYaml } from "../config/yaml-errors.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { SECTION, type ResourceKind } from "../domain/table.ts";
import { parse, Printer, type Mark, type Style } from "./printer.ts";
import { isOtherInYaml11, needsQuotes, scalarText } from "./yaml-text.ts";

/** The schema of a value; null if files may have anything there. */
export type ValueSchema = Form | null;

const known = new WeakMap<Form, ReadonlyMap<string, number>>();

/** The rank of each key of a map; null if its keys are names, whose order belongs to the author. */
export function keyRanks(schema: ValueSchema): ReadonlyMap<string, number> | null {
  const keys = schema?.map?.keys;
  if (schema === null || keys === undefined) return null;
  const ranks = known.get(schema) ?? new Map([...keys.keys()].map((key, rank) => [key, rank]));
  known.set(schema, ranks);
  return ranks;
}

export function blockSchema(kind: ResourceKind): ValueSchema {
  return valueSchema(valueSchema(projectSchema, SECTION[kind]), "");
}

export function valueSchema(schema: ValueSchema, key: string): ValueSchema {
  return schema?.map?.value ?? schema?.map?.keys?.get(key) ?? null;
}

/** The key of an entry of a map, without quotes. */
export function pairKey(item: unknown): string | null {
  if (!(item instanceof Pair) || !isScalar(item.key)) return null;
  const { value, source } = item.key;
  return typeof value === "string" ? value : (source ?? String(value));
}

/** Longer lists and maps in brackets and braces get a line for each entry. */
const MAX_LINE_LENGTH = 160;

export type Formatted = { readonly text: string } | { readonly problems: readonly Diagnostic[] };

/** Formats a file. A text with mistakes in its YAML, or one that would change its meaning, is not formatted. */
export function formatText(original: string, file: string): Formatted {
  const [, mark = "", text = ""] = /^(\uFEFF?)(.*)$/s.exec(original) ?? [];
  const read = parseYaml(text, file);
  if (read.diagnostics.length > 0) return { problems: read.diagnostics };
  const source = text.replaceAll("\r\n", "\n");
  // The parser reads a carriage return inside a line differently once the other lines end without one.
  if (source !== text && parseYaml(source, file).diagnostics.length > 0) return notFormatted(file);
  const lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  // Keys stay in place if an alias would come before its anchor. The schema of project files has all keys of resource files.
  for (const isSorted of [true, false]) {
    const parsed = parse(source, "core");
    // js-yaml reads some rare texts in which `yaml` finds a mistake.
    if (parsed === null) break;
    if (isSorted) for (const { contents } of parsed.documents) sortKeys(contents, projectSchema);
    const formatted = new Printer(parsed, STYLE).print();
    const written = formatted.replaceAll("\n", lineBreak);
    const after = parse(formatted, "core");
    if (after !== null && summaryOf(after.marks, parseYaml(written, file)) === summaryOf(parsed.marks, read))
      return { text: mark + written };
  }
  return notFormatted(file);
}

function notFormatted(file: string): Formatted {
  const message = "This file cannot be formatted without changing its meaning or losing a comment.";
  const hint = "The file was not changed. Please report this bug with the file.";
  return { problems: [error("not-formatted", message, { file, line: 1, column: 1 }, hint)] };
}

/** What documents without mistakes say, to compare. The order of keys has no meaning where they have a canonical one. */
function meaningOf(node: TreeNode, schema: ValueSchema): object {
  if (node.type === "scalar") return { text: node.text, value: node.value };
  if (node.type === "list") return node.items.map((item) => meaningOf(item, schema?.list?.item ?? null));
  const entries = node.entries.map(({ key, value }) => ({ key, means: meaningOf(value, valueSchema(schema, key)) }));
  return { entries: keyRanks(schema) === null ? entries : entries.toSorted((a, b) => compareText(a.key, b.key)) };
}

/** What formatting keeps. */
function summaryOf(marks: readonly Mark[], { documents, diagnostics }: ReturnType<typeof parseYaml>): string {
  const lines = marks.map(({ type, source }) => `${type} ${source.trimEnd()}`).toSorted();
  const meanings = documents.map((document) => meaningOf(document, projectSchema));
  return JSON.stringify([lines, meanings, diagnostics.map(({ message }) => message)]);
}

/** Sorts the keys of a value by their rank. An unknown key stays behind the key above it. */
function sortKeys(node: unknown, schema: ValueSchema): void {
  if (!isCollection(node)) return;
  for (const item of node.items) {
    if (item instanceof Pair) sortKeys(item.value, valueSchema(schema, pairKey(item) ?? ""));
    else sortKeys(item, schema?.list?.item ?? null);
  }
  const ranks = keyRanks(schema);
  if (ranks === null) return;
  let last = -1;
  const ranked = node.items.map((item) => {
    last = ranks.get(pairKey(item) ?? "") ?? last;
    return { item, rank: last };
  });
  node.items = ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

const STYLE: Style = {
  step: 2,
  scalar: (node, source, isFlow, isKey) => {
    const value: unknown = node.value;
    if (typeof value !== "string") return isKey ? `"${source}"` : source;
    if (node.type === Scalar.PLAIN)
      return (isKey ? isOtherInYaml11(source) : needsQuotes(value)) ? `"${source}"` : source;
    // A text with escapes, or with double quotes inside of single ones, stays as it is.
    if (/["\\]/.test(source.slice(1, -1))) return source;
    // Globs and placeholders mean the same without quotes, but look like YAML syntax.
    const isPlain =
      !/[*{}]/.test(value) &&
      ((PLAIN.test(value) && !isOtherInYaml11(value)) || scalarText(value, isFlow, isKey) === value);
    return isPlain ? value : `"${value}"`;
  },
  fits: (length) => length <= MAX_LINE_LENGTH,
};

/** Long words, words with hyphens and common addresses: writing each of them to compare would be slow in large files. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z0-9]{5,}|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|https?:\/\/[\w.-]+(?:\/[\w.~/?&=%+-]*)?)$/;
