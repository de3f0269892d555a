// Prints a YAML file from the tree of `yaml`, which may have changed since it was parsed. Comments stay with what they are above, beside or below.

import {
  Composer,
  CST,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  Pair,
  Parser,
  Scalar,
  visit,
  type Document,
  type Node as YamlNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { append } from "../domain/collections.ts";
import { scalarText } from "./yaml-text.ts";

export type Collection = YAMLMap | YAMLSeq;

export type Mark = Pick<CST.SourceToken, "offset" | "source"> & { readonly type: string };

/** A text whose lines end with `\n`, and its tree. A node without a token is new, and has the range of the value that it replaces. */
export interface Parsed {
  readonly text: string;
  readonly documents: readonly Document.Parsed[];
  /** The items of each collection as they are in the text. */
  readonly items: ReadonlyMap<Collection, readonly unknown[]>;
  /** What the tree does not have, in the order of the text. */
  readonly marks: readonly Mark[];
}

/** Null for invalid YAML. */
export function parse(text: string, schema: "core" | "failsafe"): Parsed | null {
  const [lexemes, parser, comments] = [[...new Lexer().lex(text)], new Parser(), new Array<Mark>()];
  const tokens = lexemes.flatMap((source, at) => {
    // The parser drops a comment between an empty value and ---.
    if (source.startsWith("#") && lexemes[at - 1] !== CST.SCALAR)
      comments.push({ type: "comment", offset: parser.offset, source });
    return [...parser.next(source)];
  });
  append(tokens, [...parser.end()]);
  const options = { schema, version: "1.2", uniqueKeys: false } as const;
  const documents = [...new Composer({ ...options, keepSourceTokens: true }).compose(tokens)];
  if (documents.some(({ errors }) => errors.length > 0)) return null;
  const items = new Map<Collection, readonly unknown[]>();
  for (const document of documents) visit(document, { Collection: (_, node) => void items.set(node, [...node.items]) });
  return { text, documents, items, marks: [...comments, ...marksIn(tokens)].toSorted((a, b) => a.offset - b.offset) };
}

const MARKS: ReadonlySet<unknown> = new Set(["anchor", "alias", "tag", "directive", "doc-start", "doc-end"]);

function marksIn(tokens: readonly CST.Token[]): Mark[] {
  const isMark = (token: object): token is Mark => "type" in token && MARKS.has(token.type);
  const found: Mark[] = [];
  const open: unknown[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (typeof token !== "object" || token === null) continue;
    if (isMark(token)) found.push(token);
    append(open, Object.values(token));
  }
  return found;
}

/** What differs between edits and `fmt`. */
export interface Style {
  readonly step: number;
  /** The text of a scalar that the file has on one line. */
  readonly scalar: (node: Scalar, source: string, isFlow: boolean, isKey: boolean) => string;
  /** Whether a collection in brackets is on one line: `length` is that of the line, `source` its text in the file. */
  readonly fits: (length: number, source: string) => boolean;
}

/** An entry of a collection, without indentation, and the comments and empty lines above it. */
interface Entry {
  readonly above: readonly string[];
  readonly lines: readonly string[];
}

interface Context {
  /** The column of the entry in the printed text. */
  readonly column: number;
  /** The column in the source from which comments below belong to it. */
  readonly outer: number;
  /** The offset of what follows it; 0 for what is new. */
  readonly limit: number;
  readonly isFlow: boolean;
}

/** Prints documents. It takes the comments in the order of the text, each when it comes to its offset, so that none is lost. */
export class Printer {
  /** Comments of removed entries. */
  readonly removed: Mark[] = [];
  readonly #parsed: Parsed;
  readonly #text: string;
  readonly #style: Style;
  readonly #markers: Mark[];
  readonly #comments: readonly Mark[];
  /** The index of the next comment. */
  #next = 0;
  /** The end of the content or comment that was taken last. */
  #end = 0;

  constructor(parsed: Parsed, style: Style) {
    this.#parsed = parsed;
    this.#text = parsed.text;
    this.#style = style;
    this.#comments = parsed.marks.filter(({ type }) => type === "comment");
    this.#markers = parsed.marks.filter(({ type }) => /^doc-|^directive$/.test(type));
  }

  print(): string {
    const lines: string[] = [];
    for (const { range, contents } of this.#parsed.documents) {
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
      const [rest = ""] = /[ \t]*#?/y.exec(this.#text.slice(this.#end)) ?? [];
      lines.push(spaced(marker.source, this.#beside(this.#end, this.#end + rest.length)));
      this.#markers.shift();
    }
    return lines;
  }

  #root(contents: YamlNode | null, limit: number): string[] {
    const context = { column: 0, outer: 0, limit, isFlow: false };
    const isList = isCollection(contents) && this.#itemsInText(contents).length > 0;
    const lines: string[] = [];
    if (isList && propsOf(contents) !== "") lines.push(propsOf(contents));
    if (isList) append(lines, this.#collection(contents, context));
    else if (contents !== null) {
      const start = this.#startOf(contents);
      append(lines, [...this.#above(start, true), ...this.#gap(start)]);
      const entry = this.#inline("", contents, start, context);
      append(lines, [...entry.above, ...entry.lines.filter(Boolean)]);
    }
    return lines;
  }

  #itemsInText(node: Collection): readonly unknown[] {
    return this.#parsed.items.get(node) ?? [];
  }

  /** The offset of the first key or value of an entry; 0 if it is new. */
  #startOf(item: unknown): number {
    if (item instanceof Pair) return this.#startOf(item.key ?? item.value);
    const [first] = isCollection(item) && item.flow !== true ? this.#itemsInText(item) : [];
    if (first !== undefined) return this.#startOf(first);
    return isNode(item) ? rangeOf(item)[0] : 0;
  }

  #collection(node: Collection, { column, outer, limit }: Context): string[] {
    const isFlow = node.flow === true;
    // A comment behind the bracket does not belong to the last entry.
    const end = isFlow ? rangeOf(node)[1] : limit;
    const own = !isFlow && node.srcToken && "indent" in node.srcToken ? node.srcToken.indent + 1 : outer;
    const inText = this.#itemsInText(node);
    const kept = new Set<unknown>(node.items);
    const entries = new Map<unknown, Entry>();
    let above: readonly string[] = [];
    for (const [at, item] of inText.entries()) {
      const from = this.#next;
      const next = at + 1 < inText.length ? this.#startOf(inText[at + 1]) : end;
      const entry = this.#entry(item, { column, outer: own, limit: next, isFlow });
      const isKept = kept.has(item);
      if (isKept && entry.lines.length > 0) {
        entries.set(item, { ...entry, above: joined(above, entry.above) });
        above = [];
        continue;
      }
      // Comments directly above an item go with it. Those above the first one may be about all of them.
      const staying = isKept || at === 0 ? entry.above : entry.above.slice(0, entry.above.lastIndexOf("") + 1);
      const taken = isKept ? [] : this.#comments.slice(from, this.#next);
      const gone = taken.filter(({ source }) => !staying.includes(source));
      append(this.removed, gone);
      above = joined(above, staying);
    }
    const known = new Set(inText);
    const added = { column, outer: own, limit: 0, isFlow };
    const printed = node.items.flatMap(
      (item) => entries.get(item) ?? (known.has(item) ? [] : this.#entry(item, added)),
    );
    const [first] = entries.values();
    const ordered = inOrder(printed, first);
    const lines = first === undefined ? [...above, ...ordered] : [...ordered, ...above];
    append(lines, isFlow ? this.#above(end, false) : this.#above(limit, true, outer));
    return lines;
  }

  #entry(item: unknown, context: Context): Entry {
    const [key, value] = item instanceof Pair ? [item.key, item.value] : [null, item];
    const start = this.#startOf(item);
    const above = this.#above(start, !context.isFlow);
    if (!context.isFlow) append(above, this.#gap(start));
    append(above, addedComments(item));
    const head = isNode(key) ? `${spaced(propsOf(key), this.#scalar(key, false, true))}:` : "-";
    const from = isNode(key) ? rangeOf(key)[1] : start;
    this.#end = Math.max(this.#end, from);
    const node = isNode(value) ? value : null;
    // The comments of what is emptied stay above what follows.
    if (this.#isEmptied(node)) return { above: [...above, ...this.#collection(node, context)], lines: [] };
    const isNested = isCollection(node) && node.items.length > 0 && !this.#fits(node, head, context);
    const entry = isNested ? this.#nested(head, node, from, context) : this.#inline(head, node, from, context);
    return { above: [...above, ...entry.above], lines: entry.lines };
  }

  #isEmptied(node: unknown): node is Collection {
    return (
      isCollection(node) &&
      this.#itemsInText(node).length > 0 &&
      node.items.every((item) => this.#isEmptied(item instanceof Pair ? item.value : item))
    );
  }

  /** Whether a collection in brackets has no comments, and stays on the line of its key. */
  #fits(node: Collection, head: string, { column }: Context): boolean {
    const [start, end] = rangeOf(node);
    let at = this.#next;
    while ((this.#comments[at]?.offset ?? end) < start) at += 1;
    if (node.flow !== true || (this.#comments[at]?.offset ?? end) < end) return false;
    const flat = this.#flat(node);
    const length = [...(flat ?? "")].length + [...head].length + 1 + column;
    return flat !== null && this.#style.fits(length, node.srcToken ? this.#text.slice(start, end) : "");
  }

  /** A collection below its key, or behind a dash. */
  #nested(head: string, node: Collection, from: number, context: Context): Entry {
    const isItem = head === "-";
    const props = propsOf(node);
    const [, end] = rangeOf(node);
    const [first] = this.#itemsInText(node);
    let beside = isItem ? null : this.#beside(from, first === undefined ? context.limit : this.#startOf(first));
    const below = this.#collection(node, { ...context, column: context.column + this.#style.step });
    if (node.flow === true) {
      const last = this.#beside(end, context.limit);
      if (beside === null && !isItem) beside = last;
      else if (last !== null) below.push(last);
    }
    if (node.flow === true || !node.srcToken) this.#end = Math.max(this.#end, end);
    const { step } = this.#style;
    if (!isItem || props !== "") return { above: [], lines: [spaced(head, props, beside), ...indented(below, step)] };
    // Comments have no place between the dash and its first entry.
    const at = below.findIndex((line) => line !== "" && !line.startsWith("#"));
    const [line = "", ...others] = below.slice(at);
    return { above: below.slice(0, at), lines: [spaced(head, line), ...indented(others, 2)] };
  }

  /** A value on the line of its key. Comments between them go above the key, unless they are on its line. */
  #inline(head: string, node: YamlNode | null, from: number, { outer, limit, isFlow }: Context): Entry {
    const isBlock = isScalar(node) && node.srcToken?.type === "block-scalar";
    const [line = "", ...others] = node === null ? [] : (this.#flat(node, false) ?? "").split("\n");
    const [start, valueEnd] = node === null ? [from, from] : rangeOf(node);
    const end = Math.max(from, valueEnd);
    const first = this.#beside(from, end);
    const above = this.#above(end, false);
    const last = isBlock ? null : this.#beside(end, limit);
    if (first !== null && last !== null) above.unshift(first);
    this.#end = isBlock ? this.#endOfLines(start, 1 + others.length) : Math.max(this.#end, end);
    const lines = [spaced(head, node && propsOf(node), line), ...indented(others, this.#style.step)];
    const at = isBlock ? 0 : others.length;
    lines[at] = spaced(lines[at], last ?? first);
    if (line === "" && others.length === 0 && !isFlow && head !== "")
      append(lines, indented(this.#above(limit, true, outer), this.#style.step));
    return { above, lines };
  }

  #endOfLines(start: number, count: number): number {
    return start + this.#text.slice(start).split("\n", count).join("\n").length;
  }

  /** The comments before an offset, up to one before the column `outer`. `withGaps`: with the empty lines above them. */
  #above(limit: number, withGaps: boolean, outer = 0): string[] {
    const lines: string[] = [];
    for (;;) {
      const next = this.#comments[this.#next];
      if (next === undefined || next.offset >= limit) return lines;
      if (next.offset - this.#text.lastIndexOf("\n", next.offset) <= outer) return lines;
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

  #gap(offset: number): string[] {
    return /\n[ \t]*\n/.test(this.#text.slice(this.#end, offset)) ? [""] : [];
  }

  /** A value on one line; null if it needs several, or comments. */
  #flat(node: YamlNode, isFlow = true): string | null {
    if (isAlias(node)) return `*${node.source}`;
    if (isScalar(node)) return this.#scalar(node, isFlow, false);
    if (!isCollection(node)) return null;
    const parts: string[] = [];
    for (const item of node.items) {
      const value: unknown = item instanceof Pair ? item.value : item;
      if (this.#isEmptied(value)) continue;
      const text = isNode(value) ? this.#flat(value) : "";
      if (text === null || text.includes("\n") || addedComments(item).length > 0) return null;
      const written = isNode(value) ? spaced(propsOf(value), text) : text;
      if (!(item instanceof Pair)) parts.push(written);
      else {
        const key = isNode(item.key) ? spaced(propsOf(item.key), this.#scalar(item.key, true, true)) : "";
        parts.push(written === "" ? key : `${key}: ${written}`);
      }
    }
    const list = parts.join(", ");
    return isMap(node) ? (parts.length === 0 ? "{}" : `{ ${list} }`) : `[${list}]`;
  }

  /** The lines after the first one have no indentation. */
  #scalar(node: YamlNode, isFlow: boolean, isKey: boolean): string {
    if (!isScalar(node)) return "";
    const source = this.#text.slice(...rangeOf(node));
    const isNew = node.source === undefined;
    if (typeof node.value === "string" && (isNew || (isKey && source.includes("\n"))))
      return scalarText(node.value, isFlow, isKey);
    if (isNew) return String(node.value);
    if (node.srcToken?.type === "block-scalar") return blockScalar(node.srcToken, this.#style.step);
    if (!source.includes("\n")) return this.#style.scalar(node, source, isFlow, isKey);
    const lines = source.split("\n").map((line) => line.trim());
    return lines.join("\n");
  }
}

/** 0 and 0 for a new value. */
function rangeOf({ range }: YamlNode): [start: number, end: number] {
  const [start = 0, end = start] = range ?? [];
  return [start, end];
}

function addedComments(item: unknown): string[] {
  const first = item instanceof Pair ? item.key : item;
  if (!isNode(first) || first.srcToken || !first.commentBefore) return [];
  return first.commentBefore.split("\n").map((comment) => `#${comment}`);
}

/** The anchor and the tag of a value. */
function propsOf(node: YamlNode): string {
  return spaced(node.anchor && `&${node.anchor}`, node.tag?.replace("tag:yaml.org,2002:", "!!"));
}

function spaced(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

function indented(lines: readonly string[], count: number): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(count) + line));
}

/** Comments above each other, without empty lines above nothing and without two in a row. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (!first.some(Boolean)) return second;
  return first.at(-1) === "" && second[0] === "" ? [...first, ...second.slice(1)] : [...first, ...second];
}

/** The lines of entries. `first`: the entry that was at the top. Its comments above an empty line or for editors are about all, and stay there. */
function inOrder(entries: readonly Entry[], first: Entry | undefined): string[] {
  const linesOf = (some: readonly Entry[]): string[] => some.flatMap(({ above, lines }) => [...above, ...lines]);
  const [top, ...others] = entries;
  if (first === undefined || top === undefined || first === top) return linesOf(entries);
  const at = first.above.lastIndexOf("") + 1;
  const isForEditors = first.above.slice(at).some((line) => /^#\s*yaml-language-server:/.test(line));
  const header = isForEditors ? first.above : first.above.slice(0, at);
  const own = first.above.slice(header.length);
  // The first entry gets the empty line of the entry that takes its place.
  const hasGap = top.above[0] === "";
  const moved = { above: hasGap || header.at(-1) === "" ? ["", ...own] : own, lines: first.lines };
  const raised = { above: top.above.slice(hasGap ? 1 : 0), lines: top.lines };
  return [...header, ...linesOf([raised, ...others.map((entry) => (entry === first ? moved : entry))])];
}

function blockScalar(token: CST.BlockScalar, step: number): string {
  const [source = "|"] = token.props.flatMap((one) => (one.type === "block-scalar-header" ? one.source : []));
  const given = /[1-9]/.exec(source)?.[0];
  const lines = token.source.replace(/\n$/, "").split("\n");
  const first = lines.find((line) => line.trim() !== "");
  // Without text, all spaces are indentation.
  const found = first === undefined ? Infinity : first.length - first.trimStart().length;
  const indent = given === undefined ? found : Math.max(token.indent, 0) + Number(given);
  const kept = token.source === "" ? [] : lines.map((line) => line.slice(indent));
  if (!source.includes("+")) while (kept.at(-1) === "") kept.pop();
  return [given === undefined ? source : source.replace(given, String(step)), ...kept].join("\n");
}
