// The canonical form of a file: one order of keys, one style of quotes, lists and indentation. Comments and the meaning stay.

import {
  Composer,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Pair,
  Parser,
  Scalar,
  type CST,
  type Document,
  type Node as YamlNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { TreeNode } from "../config/yaml.ts";
import { parseYaml } from "../config/yaml-errors.ts";
import { append } from "../domain/collections.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { compareText } from "../domain/place.ts";
import { FILE_SCHEMA, itemSchema, pairKey, keyRanks, valueSchema, type ValueSchema } from "./key-order.ts";
import { isOtherInYaml11, keyText, needsQuotes, scalarText } from "./yaml-text.ts";

/** Longer lists and maps in brackets and braces get a line for each entry. */
const MAX_LINE_LENGTH = 160;

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
  const lineBreak = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  const tokens = [...new Parser().parse(source)];
  const documents = [...new Composer(COMPOSING).compose(tokens)];
  // js-yaml reads some rare texts in which `yaml` finds a mistake.
  if (documents.some(({ errors }) => errors.length > 0)) return notFormatted(file);
  const marks = marksIn(tokens);
  const expected = summaryOf(marks, parsed);
  // Keys stay in place if an alias would come before its anchor.
  for (const isSorted of [true, false]) {
    const formatted = new Printer(source, marks, isSorted).print(documents);
    const written = formatted.replaceAll("\n", lineBreak);
    const summary = summaryOf(marksIn([...new Parser().parse(formatted)]), parseYaml(written, file));
    if (summary === expected) return { text: mark + written };
  }
  return notFormatted(file);
}

const COMPOSING = {
  schema: "core",
  version: "1.2",
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
  keepSourceTokens: true,
} as const;

function notFormatted(file: string): Formatted {
  const message = "This file cannot be formatted without changing its meaning or losing a comment.";
  const hint = "The file was not changed. Please report this bug with the file.";
  return { problems: [error("not-formatted", message, { file, line: 1, column: 1 }, hint)] };
}

/** What documents without mistakes say, to compare. The order of keys has no meaning where they have a canonical one. */
function meaningOf(node: TreeNode, schema: ValueSchema): object {
  if (node.type === "scalar") return { text: node.text, value: node.value };
  if (node.type === "list") return node.items.map((item) => meaningOf(item, itemSchema(schema)));
  const entries = node.entries.map(({ key, value }) => ({ key, means: meaningOf(value, valueSchema(schema, key)) }));
  return { entries: keyRanks(schema) === null ? entries : entries.toSorted((a, b) => compareText(a.key, b.key)) };
}

const MARKS: ReadonlySet<unknown> = new Set(["comment", "anchor", "alias", "tag", "directive", "doc-start", "doc-end"]);

type Mark = Pick<CST.SourceToken, "offset" | "source"> & { readonly type: string };

/** What the tree does not have, in the order of the text: comments, anchors, aliases, tags and the markers of documents. */
function marksIn(tokens: readonly CST.Token[]): Mark[] {
  const found: Mark[] = [];
  const open: unknown[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (typeof token !== "object" || token === null) continue;
    if (isMark(token)) found.push(token);
    for (const part of Object.values(token)) if (typeof part === "object" && part !== null) open.push(part);
  }
  return found.toSorted((a, b) => a.offset - b.offset);
}

function isMark(token: object): token is Mark {
  return "type" in token && "source" in token && MARKS.has(token.type);
}

/** What formatting keeps. */
function summaryOf(marks: readonly Mark[], { documents, diagnostics }: ReturnType<typeof parseYaml>): string {
  const lines = marks.map(({ type, source }) => `${type} ${source.trimEnd()}`).toSorted();
  const meanings = documents.map((document) => meaningOf(document, FILE_SCHEMA));
  return JSON.stringify([lines, meanings, diagnostics.map(({ message }) => message)]);
}

type Collection = YAMLMap | YAMLSeq;

/** An entry of a collection, without indentation. An empty line is an empty text. */
interface Entry {
  readonly key: string | null;
  /** The comments and the empty lines above it. */
  readonly above: readonly string[];
  readonly lines: readonly string[];
}

interface Context {
  readonly schema: ValueSchema;
  /** The column of the entry in the printed text. */
  readonly column: number;
  /** The column of its collection in the source. The comments below it that are indented more belong to it. */
  readonly outer: number;
  /** The offset of what follows it. */
  readonly limit: number;
  /** Whether its collection is in brackets or braces. */
  readonly isFlow: boolean;
}

/** Prints documents. It takes the comments in the order of the text, each when it comes to its offset, so that none is lost. */
class Printer {
  readonly #text: string;
  readonly #isSorted: boolean;
  readonly #markers: Mark[];
  readonly #comments: readonly Mark[];
  /** The index of the next comment. */
  #next = 0;
  /** The end of the content or comment that was taken last. */
  #end = 0;

  constructor(text: string, marks: readonly Mark[], isSorted: boolean) {
    this.#text = text;
    this.#isSorted = isSorted;
    this.#comments = marks.filter(({ type }) => type === "comment");
    this.#markers = marks.filter(({ type }) => type === "doc-start" || type === "doc-end" || type === "directive");
  }

  print(documents: readonly Document.Parsed[]): string {
    const lines: string[] = [];
    for (const { range, contents } of documents) {
      append(lines, this.#markersUpTo(range[0]));
      append(lines, this.#root(contents, this.#markers[0]?.offset ?? this.#text.length));
    }
    append(lines, this.#markersUpTo(this.#text.length));
    append(lines, this.#above(this.#text.length, true));
    return lines.length === 0 ? "" : `${lines.join("\n").replace(/^\n+/, "")}\n`;
  }

  #markersUpTo(limit: number): string[] {
    const lines: string[] = [];
    for (let [marker] = this.#markers; marker !== undefined && marker.offset <= limit; [marker] = this.#markers) {
      append(lines, this.#above(marker.offset, true));
      if (marker.type === "doc-start") append(lines, this.#gap(marker.offset));
      this.#end = marker.offset + marker.source.length;
      const [rest = ""] = /[ \t]*/y.exec(this.#text.slice(this.#end)) ?? [];
      lines.push(spaced(marker.source, this.#beside(this.#end, this.#end + rest.length + 1)));
      this.#markers.shift();
    }
    return lines;
  }

  #root(contents: YamlNode | null, limit: number): string[] {
    const context = { schema: FILE_SCHEMA, column: 0, outer: -1, limit, isFlow: false };
    const isList = isCollection(contents) && contents.items.length > 0;
    const start = contents === null ? limit : startOf(contents);
    const lines: string[] = [];
    if (isList && propsOf(contents) !== "") lines.push(propsOf(contents));
    if (isList) append(lines, this.#collection(contents, context));
    else if (contents !== null) {
      const above = [...this.#above(start, true), ...this.#gap(start)];
      const entry = this.#inline("", contents, start, context);
      append(lines, [...above, ...entry.above, ...entry.lines.filter((line) => line !== "")]);
    }
    append(lines, this.#above(limit, true));
    return lines;
  }

  /** The lines of a collection with entries, one below the other. */
  #collection(node: Collection, { schema, column, outer, limit }: Context): string[] {
    const isFlow = node.flow === true;
    // A comment behind the bracket does not belong to the last entry.
    const end = isFlow ? rangeOf(node)[1] - 1 : limit;
    const own = !isFlow && node.srcToken !== undefined && "indent" in node.srcToken ? node.srcToken.indent : outer;
    const starts = node.items.map(startOf);
    const entries = node.items.map((item, at) => {
      const of = item instanceof Pair ? valueSchema(schema, pairKey(item) ?? "") : itemSchema(schema);
      return this.#entry(item, { schema: of, column, outer: own, limit: starts[at + 1] ?? end, isFlow });
    });
    const lines = this.#isSorted ? sortedLines(entries, schema) : entries.flatMap(linesOf);
    append(lines, isFlow ? this.#above(end, false) : this.#above(limit, true, outer));
    return lines;
  }

  #entry(item: unknown, context: Context): Entry {
    const [key, value] = item instanceof Pair ? [item.key, item.value] : [null, item];
    const start = startOf(item);
    const above = this.#above(start, !context.isFlow);
    if (!context.isFlow) append(above, this.#gap(start));
    const head = isNode(key) ? `${withProps(key, this.#key(key, false))}:` : "-";
    const from = isNode(key) ? rangeOf(key)[1] : start;
    this.#end = Math.max(this.#end, from);
    const node = isNode(value) ? value : null;
    const isNested = isCollection(node) && node.items.length > 0 && !this.#fits(node, head, context);
    const entry = isNested ? this.#nested(head, node, from, context) : this.#inline(head, node, from, context);
    return { key: pairKey(item), above: [...above, ...entry.above], lines: entry.lines };
  }

  /** Whether a collection in brackets has no comments, and is short enough for the line of its key. */
  #fits(node: Collection, head: string, { schema, column }: Context): boolean {
    const [start, end] = rangeOf(node);
    let at = this.#next;
    while ((this.#comments[at]?.offset ?? end) < start) at += 1;
    if (node.flow !== true || (this.#comments[at]?.offset ?? end) < end) return false;
    const flat = this.#flat(node, schema);
    return flat !== null && [...flat].length + [...head].length + 1 + column <= MAX_LINE_LENGTH;
  }

  /** A collection below its key, or behind a dash. */
  #nested(head: string, node: Collection, from: number, context: Context): Omit<Entry, "key"> {
    const isItem = head === "-";
    const props = propsOf(node);
    let beside = isItem ? null : this.#beside(from, startOf(node.items[0]));
    const below = this.#collection(node, { ...context, column: context.column + STEP });
    if (node.flow === true) {
      const [, end] = rangeOf(node);
      const last = this.#beside(end, context.limit);
      if (beside === null && !isItem) beside = last;
      else if (last !== null) below.push(last);
      this.#end = Math.max(this.#end, end);
    }
    if (!isItem || props !== "") return { above: [], lines: [spaced(head, props, beside), ...below.map(indented)] };
    // Comments have no place between the dash and its first entry.
    const first = below.findIndex((line) => line !== "" && !line.startsWith("#"));
    const [line = "", ...others] = below.slice(first);
    return { above: below.slice(0, first), lines: [spaced(head, line), ...others.map(indented)] };
  }

  /** A value on the line of its key. Comments between them go above the key, unless they are on its line. */
  #inline(
    head: string,
    node: YamlNode | null,
    from: number,
    { schema, outer, limit, isFlow }: Context,
  ): Omit<Entry, "key"> {
    const isBlock = isScalar(node) && node.srcToken?.type === "block-scalar";
    const lines = node === null ? [""] : (this.#flat(node, schema, false) ?? "").split("\n");
    const end = Math.max(from, node === null ? from : rangeOf(node)[1]);
    const first = this.#beside(from, end);
    const above = this.#above(end, false);
    const last = isBlock ? null : this.#beside(end, limit);
    if (first !== null && last !== null) above.unshift(first);
    this.#end = isBlock ? this.#endOfLines(rangeOf(node)[0], lines.length) : Math.max(this.#end, end);
    const isEmpty = lines.length === 1 && lines[0] === "";
    lines[0] = spaced(head, node === null ? "" : propsOf(node), lines[0]);
    const at = isBlock ? 0 : lines.length - 1;
    lines[at] = spaced(lines[at], last ?? first);
    if (isEmpty && !isFlow && head !== "") append(lines, this.#above(limit, true, outer));
    return { above, lines: lines.map((line, index) => (index === 0 ? line : indented(line))) };
  }

  #endOfLines(start: number, count: number): number {
    let at = start - 1;
    for (let left = count; left > 0; left -= 1) at = this.#text.indexOf("\n", at + 1);
    return at < 0 ? this.#text.length : at;
  }

  /** The comments before an offset, up to one that is not indented more than `outer`. `withGaps`: with the empty lines above them. */
  #above(limit: number, withGaps: boolean, outer = -1): string[] {
    const lines: string[] = [];
    for (;;) {
      const next = this.#comments[this.#next];
      if (next === undefined || next.offset >= limit) return lines;
      if (next.offset - this.#text.lastIndexOf("\n", next.offset) - 1 <= outer) return lines;
      if (withGaps) append(lines, this.#gap(next.offset));
      lines.push(this.#take(next));
    }
  }

  /** The comment on the line that goes on at an offset. */
  #beside(offset: number, limit: number): string | null {
    const next = this.#comments[this.#next];
    if (next === undefined || next.offset >= limit || this.#text.slice(offset, next.offset).includes("\n")) return null;
    return this.#take(next);
  }

  #take({ offset, source }: Mark): string {
    this.#next += 1;
    this.#end = offset + source.length;
    return source;
  }

  /** An empty line if there is one above an offset. */
  #gap(offset: number): string[] {
    return /\n[ \t]*\n/.test(this.#text.slice(this.#end, offset)) ? [""] : [];
  }

  /** A value on one line; null if it needs several, or comments. */
  #flat(node: YamlNode, schema: ValueSchema, isFlow = true): string | null {
    if (isAlias(node)) return `*${node.source}`;
    if (isScalar(node)) return this.#lines(node, isFlow);
    if (!isCollection(node)) return null;
    const parts: string[] = [];
    const items: readonly unknown[] = this.#isSorted ? sorted<unknown>(node.items, pairKey, schema) : node.items;
    for (const item of items) {
      const value: unknown = item instanceof Pair ? item.value : item;
      const of = item instanceof Pair ? valueSchema(schema, pairKey(item) ?? "") : itemSchema(schema);
      const text = isNode(value) ? this.#flat(value, of) : "";
      if (text === null || text.includes("\n")) return null;
      const written = isNode(value) ? withProps(value, text) : text;
      if (!(item instanceof Pair)) parts.push(written);
      else {
        const key = isNode(item.key) ? withProps(item.key, this.#key(item.key, true)) : "";
        parts.push(written === "" ? key : `${key}: ${written}`);
      }
    }
    const list = parts.join(", ");
    return isMap(node) ? (parts.length === 0 ? "{}" : `{ ${list} }`) : `[${list}]`;
  }

  #key(key: YamlNode, isFlow: boolean): string {
    if (!isScalar(key)) return "";
    const source = this.#source(key);
    if (typeof key.value !== "string") return `"${source}"`;
    if (source.includes("\n")) return keyText(key.value, isFlow);
    if (key.type === Scalar.PLAIN) return isOtherInYaml11(source) ? `"${source}"` : source;
    return requoted(source, key.value, (value) => keyText(value, isFlow));
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

  #source(node: Scalar): string {
    return this.#text.slice(...rangeOf(node));
  }
}

/** The offsets at which a value begins and ends. */
function rangeOf({ range }: YamlNode): [start: number, end: number] {
  const [start = 0, end = start] = range ?? [];
  return [start, end];
}

/** The offset of the first key or value of an entry. */
function startOf(item: unknown): number {
  if (item instanceof Pair) return startOf(item.key ?? item.value);
  if (isCollection(item) && item.flow !== true && item.items.length > 0) return startOf(item.items[0]);
  return isNode(item) ? rangeOf(item)[0] : 0;
}

/** The anchor and the tag of a value. */
function propsOf(node: YamlNode): string {
  const anchor = "anchor" in node && node.anchor !== undefined ? `&${node.anchor}` : "";
  return spaced(anchor, node.tag?.replace("tag:yaml.org,2002:", "!!"));
}

function withProps(node: YamlNode, text: string): string {
  return spaced(propsOf(node), text);
}

function spaced(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

function indented(line: string): string {
  return line === "" ? "" : " ".repeat(STEP) + line;
}

function linesOf({ above, lines }: Entry): string[] {
  return [...above, ...lines];
}

/** Splits the comments above the first entry: those above an empty line, and that for editors, are about the whole map. */
function headerOf(above: readonly string[]): [header: string[], own: string[]] {
  const at = above.lastIndexOf("") + 1;
  const isForEditors = above.slice(at).some((line) => /^#\s*yaml-language-server:/.test(line));
  return isForEditors ? [[...above], []] : [above.slice(0, at), above.slice(at)];
}

/** Sorts entries by the rank of their keys. An unknown key stays behind the key above it. */
function sorted<Item>(items: readonly Item[], nameOf: (item: Item) => string | null, schema: ValueSchema): Item[] {
  const ranks = keyRanks(schema);
  let last = -1;
  const ranked = items.map((item) => {
    last = ranks?.get(nameOf(item) ?? "") ?? last;
    return { item, rank: last };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

function sortedLines(entries: readonly Entry[], schema: ValueSchema): string[] {
  const ordered = sorted(entries, ({ key }) => key, schema);
  const [first, top] = [entries[0], ordered[0]];
  if (first === undefined || top === undefined || first === top) return ordered.flatMap(linesOf);
  const [header, own] = headerOf(first.above);
  // The first entry gets the empty line of the entry that takes its place.
  const isSpaced = top.above[0] === "" || header.at(-1) === "";
  const moved = { ...first, above: isSpaced ? ["", ...own] : own };
  const raised = { ...top, above: top.above[0] === "" ? top.above.slice(1) : top.above };
  const others = ordered.slice(1).map((entry) => (entry === first ? moved : entry));
  return [...header, ...[raised, ...others].flatMap(linesOf)];
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
  const given = /[1-9]/.exec(source)?.[0];
  const lines = token.source.replace(/\n$/, "").split("\n");
  const first = lines.find((line) => line.trim() !== "");
  // Without text, all spaces are indentation.
  const found = first === undefined ? Infinity : first.length - first.trimStart().length;
  const indent = given === undefined ? found : Math.max(token.indent, 0) + Number(given);
  const kept = token.source === "" ? [] : lines.map((line) => line.slice(indent));
  if (!source.includes("+")) while (kept.at(-1) === "") kept.pop();
  return [given === undefined ? source : source.replace(given, String(STEP)), ...kept].join("\n");
}
