// The canonical form of a file: one order of keys, one style of quotes, lists and indentation. Comments and the meaning stay.

import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Pair,
  parseAllDocuments,
  Parser,
  Scalar,
  type CST,
  type Range,
  type Document,
  type YAMLMap,
  type Node as YamlNode,
  type ScalarTag,
  type YAMLSeq,
} from "yaml";
import { parseYaml, type TreeNode } from "../config/yaml.ts";
import { isOtherInYaml11 } from "../config/yaml-events.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { FILE_SCHEMA, itemSchema, keyRanks, valueSchema, type ValueSchema } from "./key-order.ts";
import { joined, keyOf, parsing } from "./nodes.ts";
import { keyText, needsQuotes, scalarText } from "./yaml-text.ts";

/** Longer lists and maps in brackets and braces get a line for each entry. */
const MAX_LINE_LENGTH = 160;

/** Where the comment beside a key is searched. */
const MAX_KEY_LINE = 2000;

/** The spaces of one level. */
const STEP = 2;

const BYTE_ORDER_MARK = "\uFEFF";

export type Formatted = { readonly text: string } | { readonly problems: readonly Diagnostic[] };

/** Formats a file. A text with mistakes in its YAML, or one that would change its meaning, is not formatted. */
export function formatText(original: string, file: string): Formatted {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = original.slice(mark.length);
  const parsed = parseYaml(text, file);
  if (parsed.diagnostics.length > 0) return { problems: parsed.diagnostics };
  const source = text.replaceAll("\r\n", "\n");
  // The parser reads a carriage return inside a line differently once the other lines end without one.
  if (source !== text && parseYaml(source, file).diagnostics.length > 0) return notFormatted(file);
  const marks = marksOf(source);
  const lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  // Keys stay in place if an alias would come before its anchor.
  for (const isSorted of [true, false]) {
    const formatted = settled(source, isSorted);
    const written = formatted.replaceAll("\n", lineBreak);
    if (hasDocuments(written, parsed.documents, file) && marksOf(formatted) === marks) return { text: mark + written };
  }
  return notFormatted(file);
}

function notFormatted(file: string): Formatted {
  const message = "This file cannot be formatted without changing its meaning or losing a comment.";
  const hint = "The file was not changed. Please report this bug with the file.";
  return { problems: [error("not-formatted", message, { file, line: 1, column: 1 }, hint)] };
}

/** Whether a text has these documents. */
function hasDocuments(text: string, expected: readonly TreeNode[], file: string): boolean {
  const { documents, diagnostics } = parseYaml(text, file);
  if (diagnostics.length > 0 || documents.length !== expected.length) return false;
  return expected.every((one, index) => isSameNode(one, documents[index], FILE_SCHEMA));
}

function isSameNode(a: TreeNode, b: TreeNode | undefined, schema: ValueSchema): boolean {
  if (a.type === "scalar")
    return b?.type === "scalar" && a.text === b.text && Object.is(a.value, b.value) && a.broken === b.broken;
  if (a.type === "list") {
    if (b?.type !== "list" || a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => isSameNode(item, b.items[index], itemSchema(schema)));
  }
  if (b?.type !== "map" || a.entries.length !== b.entries.length || a.partial !== b.partial) return false;
  const isOrdered = keyRanks(schema) === null;
  return a.entries.every(({ key, value }, index) => {
    if (isOrdered && b.entries[index]?.key !== key) return false;
    return isSameNode(value, b.byKey.get(key)?.value, valueSchema(schema, key));
  });
}

/** The canonical form of the canonical form may differ once, where a comment has moved. */
function settled(source: string, isSorted: boolean): string {
  let text = source;
  for (let left = 3; left > 0; left -= 1) {
    const next = printed(text, isSorted);
    if (next === text) break;
    text = next;
  }
  return text;
}

const MARKS: ReadonlySet<unknown> = new Set(["comment", "anchor", "alias", "tag", "directive", "doc-start", "doc-end"]);

/** What the tree does not have: comments, anchors, aliases, tags and the markers of documents. */
function marksOf(text: string): string {
  const found: string[] = [];
  const open: unknown[] = [...new Parser().parse(text)];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (typeof token !== "object" || token === null) continue;
    if ("type" in token && "source" in token && MARKS.has(token.type))
      found.push(`${String(token.type)} ${String(token.source).trimEnd()}`);
    for (const part of Object.values(token)) if (typeof part === "object" && part !== null) open.push(part);
  }
  return found.toSorted().join("\n");
}

/** Indents the lines of a scalar. The comment of a block scalar is in its first line. */
const printScalar: NonNullable<ScalarTag["stringify"]> = (node, { indent }, onComment) => {
  const [first = "", ...lines] = (node.source ?? "").split("\n");
  const isBlock = node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL;
  const head = isBlock && typeof node.comment === "string" ? `${first} #${node.comment}` : first;
  if (head !== first) onComment?.();
  return [head, ...lines.map((line) => (line === "" ? "" : indent + line))].join("\n");
};

/** The text in canonical form. */
function printed(text: string, isSorted: boolean): string {
  const documents = parseAllDocuments(text, { ...parsing("core", printScalar), keepSourceTokens: true });
  // js-yaml reads some rare texts in which `yaml` finds a mistake.
  if (documents.some(({ errors }) => errors.length > 0)) return "";
  if (documents.length === 0) return text.trim() === "" ? "" : `${text.trim().replaceAll(/[ \t]+$/gm, "")}\n`;
  const layout = new Layout(text, isSorted);
  const markers = [...text.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index);
  const parts = documents.map((document) => {
    const marker = document.directives?.docStart === true ? markers.shift() : undefined;
    const isSpaced = marker !== undefined && document.commentBefore === null && isSpacedAt(text, marker);
    layout.document(document);
    const isEmpty = document.contents === null || (isScalar(document.contents) && document.contents.source === "");
    return (isSpaced ? "\n" : "") + (isEmpty ? emptyText(document) : document.toString(PRINTING));
  });
  return parts.join("").replace(/^\n+/, "");
}

const PRINTING = { lineWidth: 0, indent: STEP, verifyAliasOrder: false };

/** Whether an empty line is above an offset. */
function isSpacedAt(text: string, offset: number): boolean {
  return /\n[ \t]*\n[ \t]*$/.test(text.slice(Math.max(0, offset - MAX_KEY_LINE), offset));
}

/** The text of a document without content. */
function emptyText({ commentBefore, comment, contents, directives }: Document): string {
  const lines = (text: string | null | undefined): string[] =>
    text ? text.split("\n").map((line) => (line === "" ? "" : `#${line}`)) : [];
  const head = directives?.toString() ?? "";
  return [
    ...lines(commentBefore),
    ...(head === "" ? [] : [head]),
    ...(directives?.docStart === true ? ["---"] : []),
    ...lines(joined(contents?.commentBefore, contents?.comment, comment)),
    ...(directives?.docEnd === true ? ["..."] : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Brings the trees of a text into the form in which `yaml` prints the canonical style. */
class Layout {
  readonly #text: string;
  readonly #sorted: boolean;

  constructor(text: string, isSorted: boolean) {
    this.#text = text;
    this.#sorted = isSorted;
  }

  document(document: Document): void {
    const { contents } = document;
    if (isAlias(contents)) return;
    if (isScalar(contents)) contents.source = this.#lines(contents, false);
    if (!isCollection(contents)) return;
    if (contents.items.length > 0) contents.flow = false;
    this.#value(contents, FILE_SCHEMA, 0);
    // `yaml` prints an empty line above the comments at the end of a document.
    const { comment } = document;
    const [, end] = contents.range ?? [];
    if (typeof comment !== "string" || end === undefined || document.directives?.docEnd === true) return;
    const isSpaced = /^\s*\n[ \t]*\n/.test(this.#text.slice(end - 1));
    contents.comment = joined(contents.comment, isSpaced ? `\n${comment}` : comment);
    document.comment = null;
  }

  /** Lays out a value whose entries begin in this column. `outerColumn`: that of its key in the source. Returns the comments at its end that belong outside. */
  #value(node: unknown, schema: ValueSchema, column: number, outerColumn = -1): Moved | null {
    if (!isMap(node) && !isSeq(node)) return null;
    this.#header(node);
    for (const [index, item] of node.items.entries()) {
      const moved = this.#entry(item, schema, column);
      if (moved === null) continue;
      const next: unknown = node.items[index + 1];
      const following = next instanceof Pair ? next.key : next;
      if (isScalar(following) || isCollection(following)) putAbove(following, moved);
      else node.comment = joined(moved.isSpaced ? `\n${moved.text}` : moved.text, node.comment);
    }
    for (const item of [node, ...node.items]) withoutGaps(item);
    if (isMap(node) && this.#sorted) sort(node, schema);
    return node.range === undefined || node.range === null || node.flow === true
      ? null
      : this.#outer(node, node.range, outerColumn);
  }

  #entry(item: unknown, schema: ValueSchema, column: number): Moved | null {
    const [value, of] =
      item instanceof Pair ? [item.value, valueSchema(schema, keyOf(item) ?? "")] : [item, itemSchema(schema)];
    const moved = item instanceof Pair ? this.#pair(item) : null;
    if (isScalar(value)) value.source = this.#lines(value, false);
    if (isCollection(value) && value.flow === true && value.items.length > 0) {
      const used = column + (item instanceof Pair ? [...this.#key(item.key, false)].length + 2 : 2);
      if (this.#fits(value, of, used)) return null;
      this.#value(value, of, column + STEP);
      value.flow = false;
      for (const one of value.items) withoutSpace(one instanceof Pair ? one.key : one);
      return null;
    }
    const [start = 0] = (item instanceof Pair && isScalar(item.key) ? item.key.range : null) ?? [];
    const outerColumn = item instanceof Pair ? start - this.#lineStart(start) : column - STEP;
    return this.#value(value, of, column + STEP, outerColumn) ?? moved;
  }

  /** Takes the comments below a block that are not indented more than its key. `yaml` adds them to the last entry. */
  #outer(node: YAMLMap | YAMLSeq, [, end, after]: Range, outerColumn: number): Moved | null {
    const region = this.#text.slice(this.#lineStart(end), after);
    const [kept, moved] = splitComment(node.comment ?? "", columnsIn(region), (one) => one > outerColumn);
    if (moved !== null) node.comment = kept;
    return moved;
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Comments above the first entry, without an empty line between them, belong to that entry. */
  #header(node: YAMLMap | YAMLSeq): void {
    const [item] = node.items;
    const first: unknown = item instanceof Pair ? item.key : item;
    const inner = isScalar(first) || isCollection(first) ? first.commentBefore : null;
    const comment = joined(node.commentBefore, inner) ?? "";
    if (node.flow === true || comment === "" || !(isScalar(first) || isCollection(first))) return;
    const at = comment.lastIndexOf("\n\n");
    const isEditorLine = /^\s*yaml-language-server:.*$/m.exec(comment.slice(at + 1));
    const own = isEditorLine === null ? comment.slice(at < 0 ? 0 : at + 2) : "";
    const header = comment.slice(0, comment.length - own.length);
    // A line break at its end is an empty line.
    node.commentBefore = header === "" ? null : header.replace(/\n\n$/, "\n");
    if (header !== "" && own === "" && first.spaceBefore === true) node.commentBefore += "\n";
    first.commentBefore = own || null;
    first.spaceBefore = false;
  }

  /** Puts the comments between a key and its value on the line of the key, above it, or below the key of an empty value. */
  #pair({ key, value }: Pair): Moved | null {
    if (!isScalar(key)) return null;
    key.source = this.#key(key, false);
    const [start = 0, end = 0] = key.range ?? [];
    if (!isScalar(value) && !isCollection(value)) return null;
    const isBeside = /^\s*:[ \t]*(?:[&!]\S*[ \t]+)*#/.test(this.#text.slice(end, end + MAX_KEY_LINE));
    const isEmpty = isScalar(value) && this.#source(value) === "";
    const between = (isEmpty ? joined(value.commentBefore, value.comment) : value.commentBefore) ?? "";
    if (isEmpty) value.spaceBefore = false;
    if (between === "") return null;
    const lines = between.split("\n");
    const beside = isBeside ? (lines.shift() ?? "") : null;
    const rest = lines.join("\n");
    if (isCollection(value) && value.items.length > 0) {
      if (beside === null) return null;
      key.comment = beside;
      value.commentBefore = rest || null;
      return null;
    }
    value.commentBefore = null;
    if (isEmpty) {
      key.comment = beside;
      value.comment = null;
      const column = start - this.#lineStart(start);
      const below = this.#text.slice(this.#text.indexOf("\n", end) + 1, value.range?.[2] ?? end);
      const [kept, moved] = splitComment(rest, columnsIn(below), (one) => one > column);
      value.commentBefore = (moved === null ? rest : kept) || null;
      return moved;
    }
    value.spaceBefore = false;
    const above = beside !== null && typeof value.comment === "string" ? joined(beside, rest) : rest || null;
    if (typeof value.comment !== "string") value.comment = beside;
    key.commentBefore = joined(key.commentBefore, above);
    return null;
  }

  #fits(node: YAMLMap | YAMLSeq, schema: ValueSchema, used: number): boolean {
    const flat = this.#flat(node, schema);
    if (flat === null || [...flat].length + used + (node.comment?.length ?? 0) > MAX_LINE_LENGTH) return false;
    node.toString = () => flat;
    return true;
  }

  /** A value on one line; null if it has comments or line breaks. */
  #flat(node: unknown, schema: ValueSchema, isTop = true): string | null {
    if (node === null || node === undefined) return "";
    if (!isScalar(node) && !isAlias(node) && !isCollection(node)) return null;
    const hasComment = typeof node.commentBefore === "string" || (!isTop && typeof node.comment === "string");
    if (hasComment || (!isTop && node.tag !== undefined)) return null;
    if (isAlias(node)) return `*${node.source}`;
    if (isScalar(node)) {
      const text = this.#lines(node, true);
      return text.includes("\n") ? null : propertied(node, text, isTop);
    }
    if (isMap(node) && this.#sorted) sort(node, schema);
    const parts: string[] = [];
    for (const item of node.items) {
      const isPair = item instanceof Pair;
      const value = this.#flat(
        isPair ? item.value : item,
        isPair ? valueSchema(schema, keyOf(item) ?? "") : itemSchema(schema),
        false,
      );
      if (value === null) return null;
      if (!isPair) parts.push(value);
      else {
        if (!isScalar(item.key) || typeof (item.key.comment ?? item.key.commentBefore) === "string") return null;
        const key = propertied(item.key, this.#key(item.key, true), false);
        parts.push(value === "" ? key : `${key}: ${value}`);
      }
    }
    const list = parts.join(", ");
    const text = isMap(node) ? (parts.length === 0 ? "{}" : `{ ${list} }`) : `[${list}]`;
    return propertied(node, text, isTop);
  }

  #key(key: unknown, isFlow: boolean): string {
    if (!isScalar(key)) return "";
    const source = this.#source(key);
    if (typeof key.value !== "string") return `"${source}"`;
    if (key.type === Scalar.PLAIN) return isOtherInYaml11(source) ? `"${source}"` : source;
    const onOneLine = source.includes("\n") ? JSON.stringify(key.value) : source;
    return requoted(onOneLine, key.value, (value) => keyText(value, isFlow));
  }

  /** The text of a scalar. Its lines after the first one have no indentation. */
  #lines(node: Scalar, isFlow: boolean): string {
    const source = this.#source(node);
    if (node.srcToken?.type === "block-scalar") return blockScalar(node.srcToken);
    if (source.includes("\n"))
      return source
        .split("\n")
        .map((line) => line.trim())
        .join("\n");
    if (typeof node.value !== "string") return source;
    if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE)
      return requoted(source, node.value, (value) => scalarText(value, isFlow));
    return node.type === Scalar.PLAIN && needsQuotes(node.value) ? `"${source}"` : source;
  }

  #source({ range }: Scalar): string {
    return range === undefined || range === null ? "" : this.#text.slice(range[0], range[1]);
  }
}

function propertied(node: YamlNode, text: string, isTop: boolean): string {
  if (isTop) return text;
  const anchor = "anchor" in node && node.anchor !== undefined ? `&${node.anchor} ` : "";
  return anchor + text;
}

/** Comments that belong to what follows. */
interface Moved {
  readonly text: string;
  readonly isSpaced: boolean;
}

/** The columns of the comments in lines without other content. */
function columnsIn(lines: string): number[] {
  return [...lines.matchAll(/^([ \t]*)#/gm)].map(([, space = ""]) => space.length);
}

/** Splits a comment before its first line whose column does not fit. */
function splitComment(
  comment: string,
  columns: readonly number[],
  fits: (column: number) => boolean,
): [kept: string | null, moved: Moved | null] {
  const lines = comment.split("\n");
  let at = -1;
  const split = lines.findIndex((line) => line !== "" && !fits(columns[(at += 1)] ?? Infinity));
  if (split < 0) return [comment, null];
  const kept = lines.slice(0, split);
  return [kept.join("\n").trimEnd() || null, { text: lines.slice(split).join("\n"), isSpaced: kept.at(-1) === "" }];
}

function putAbove(node: Scalar | YAMLMap | YAMLSeq, { text, isSpaced }: Moved): void {
  const gap = node.spaceBefore === true ? "\n" : "";
  node.commentBefore = typeof node.commentBefore === "string" ? `${text}\n${gap}${node.commentBefore}` : text + gap;
  node.spaceBefore = isSpaced;
}

/** Leaves one empty line where comments have several. */
function withoutGaps(item: unknown): void {
  if (item instanceof Pair) for (const node of [item.key, item.value]) withoutGaps(node);
  else if (isScalar(item) || isCollection(item)) {
    item.commentBefore = item.commentBefore?.replaceAll(/\n{3,}/g, "\n\n") ?? null;
    item.comment = item.comment?.replaceAll(/\n{3,}/g, "\n\n") ?? null;
  }
}

function withoutSpace(node: unknown): void {
  if (isScalar(node) || isCollection(node)) node.spaceBefore = false;
}

/** Sorts entries by the rank of their keys. An unknown key stays behind the key above it. */
function sort(map: YAMLMap, schema: ValueSchema): void {
  const ranks = keyRanks(schema);
  const [first] = map.items;
  if (ranks === null || first === undefined) return;
  let last = -1;
  const ranked = map.items.map((item) => {
    last = ranks.get(keyOf(item) ?? "") ?? last;
    return { item, rank: last };
  });
  map.items = ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
  const top = map.items[0]?.key;
  if (!isScalar(first.key) || !isScalar(top) || top === first.key) return;
  // The first entry gets the empty line of the entry that takes its place.
  first.key.spaceBefore = map.commentBefore?.endsWith("\n") === true || (top.spaceBefore ?? false);
  top.spaceBefore = false;
}

/** A quoted text. A text with escapes, or with double quotes inside of single ones, stays as it is. */
function requoted(source: string, value: string, fresh: (value: string) => string): string {
  if (/["\\]/.test(source.slice(1, -1))) return source;
  // Globs and placeholders mean the same without quotes, but look like YAML syntax.
  if (/[*{}]/.test(value)) return `"${value}"`;
  return PLAIN.test(value) || fresh(value) === value ? value : `"${value}"`;
}

/** Long words, words with hyphens and common addresses: writing each of them to compare would be slow in large files. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z0-9]{5,}|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|https?:\/\/[\w.-]+(?:\/[\w.~/?&=%+-]*)?)$/;

/** The lines of a `|` or `>` text without their indentation. */
function blockScalar(token: CST.BlockScalar): string {
  const header = token.props.find((one) => one.type === "block-scalar-header");
  const source = header !== undefined && "source" in header ? header.source : "|";
  const lines = token.source.replace(/\n$/, "").split("\n");
  const given = /[1-9]/.exec(source)?.[0];
  const first = lines.find((line) => line.trim() !== "");
  // Without text, only `|+` and `>+` keep the lines.
  const isEmpty = token.source === "" || (first === undefined && !source.includes("+"));
  const indent = given === undefined ? indentOf(first) : Math.max(token.indent, 0) + Number(given);
  const head = given === undefined ? source : source.replace(given, String(STEP));
  return [head, ...(isEmpty ? [] : lines.map((line) => line.slice(indent)))].join("\n");
}

/** The indentation of the first line with content. Without such a line, all spaces are indentation. */
function indentOf(first: string | undefined): number {
  return first === undefined ? Infinity : first.length - first.trimStart().length;
}
