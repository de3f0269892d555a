// A YAML text as a tree in which every comment belongs to a key, an item or a collection, so that entries can change places.

import { isAlias, isMap, isScalar, isSeq, Scalar, type Node as YamlNode } from "yaml";
import { sourceOf } from "../config/yaml.ts";
import { FILE_SCHEMA, itemSchema, keyRanks, valueSchema, type ValueSchema } from "./key-order.ts";
import type { TextSpan } from "./lines.ts";
import { endOf, type Collection, type CollectionItem, type Syntax } from "./syntax.ts";

/** A comment on its own line. */
export interface CommentLine {
  readonly text: string;
  /** Whether an empty line is above it. */
  readonly isSpaced: boolean;
}

/** An anchor and tags, as `&a !!str`; empty without any. */
type Properties = string;

export type FormatValue = FormatScalar | FormatCollection;

export interface FormatScalar {
  readonly type: "scalar";
  readonly properties: Properties;
  /** Null for an empty value. */
  readonly node: YamlNode | null;
  /** Indented comments below the key of an empty value, such as entries that are commented out. */
  readonly below: readonly CommentLine[];
}

export interface FormatCollection {
  readonly type: "map" | "list";
  readonly properties: Properties;
  readonly isFlow: boolean;
  /** Comments at the top, separated from the first entry by an empty line. */
  readonly header: readonly CommentLine[];
  /** Whether an empty line is below the header. */
  readonly isHeaderSpaced: boolean;
  readonly entries: readonly FormatEntry[];
  /** Comments below the last entry. */
  readonly tail: readonly CommentLine[];
}

export interface FormatEntry {
  readonly above: readonly CommentLine[];
  /** Whether an empty line is directly above the key or dash. */
  readonly isSpaced: boolean;
  /** Null for an item of a list. */
  readonly key: Scalar | null;
  /** The anchor and tags of the key. */
  readonly keyProperties: Properties;
  readonly value: FormatValue;
  /** The comments on the lines of the key and of the end of its value. */
  readonly beside: readonly string[];
}

/** A comment with its place on its line. */
interface Comment extends TextSpan {
  readonly text: string;
  /** Null if it is on a line with other content. */
  readonly column: number | null;
  readonly isSpaced: boolean;
}

/** Builds the trees of the documents of a text, in order, and gives each comment to one place. */
export class FormatTreeReader {
  readonly #text: string;
  readonly #syntax: Syntax;
  readonly #sorted: boolean;
  readonly #comments: readonly Comment[];
  #next = 0;

  /** `isSorted`: whether keys get their canonical order. */
  constructor(text: string, syntax: Syntax, isSorted: boolean) {
    this.#text = text;
    this.#syntax = syntax;
    this.#sorted = isSorted;
    // Directives come before a document, like comments.
    this.#comments = syntax.tokens(["comment", "directive"]).map((span) => this.#commentAt(span));
  }

  #commentAt({ start, end }: TextSpan): Comment {
    const { breaks, lineStart } = this.#before(start);
    return {
      start,
      end,
      text: this.#text.slice(start, end).trimEnd(),
      column: breaks > 0 ? start - lineStart : null,
      isSpaced: breaks > 1,
    };
  }

  /** The line breaks in the white space before an offset. The start of the text counts as one. */
  #before(offset: number): { readonly breaks: number; readonly lineStart: number } {
    let breaks = 0;
    let lineStart = 0;
    let at = offset - 1;
    for (; at >= 0; at -= 1) {
      const character = this.#text[at];
      if (character === "\n") {
        if (breaks === 0) lineStart = at + 1;
        breaks += 1;
      } else if (character !== " " && character !== "\t") break;
    }
    return { breaks: at < 0 ? Math.max(breaks, 1) : breaks, lineStart };
  }

  /** Whether an empty line is above an offset. */
  isSpaced(offset: number): boolean {
    return this.#before(offset).breaks > 1;
  }

  /** The comments and directives up to an offset that no tree has. */
  commentsUpTo(offset: number): CommentLine[] {
    return this.#take((one) => one.start < offset);
  }

  /** The comment on the line of a marker that ends at an offset; null for none. */
  commentBeside(offset: number): string | null {
    const one = this.#comments[this.#next];
    if (one === undefined || one.column !== null || this.#text.slice(offset, one.start).trim() !== "") return null;
    this.#next += 1;
    return one.text;
  }

  /** The tree of a document. `end` is where the next document begins. */
  document(root: YamlNode, end: number): FormatEntry {
    const hasEntries = (isMap(root) || isSeq(root)) && root.items.length > 0;
    const above = hasEntries ? [] : this.commentsUpTo(contentStart(root));
    const value = this.#value(root, null, FILE_SCHEMA, "", -1, end);
    return { above, isSpaced: false, key: null, keyProperties: "", value, beside: this.#beside(end) };
  }

  #take(isHere: (one: Comment) => boolean): CommentLine[] {
    const taken: CommentLine[] = [];
    for (;;) {
      const one = this.#comments[this.#next];
      if (one === undefined || !isHere(one)) return taken;
      taken.push({ text: one.text, isSpaced: one.isSpaced });
      this.#next += 1;
    }
  }

  /** Comments on lines with other content, up to an offset. */
  #beside(limit: number): string[] {
    return this.#take(({ start, column }) => column === null && start < limit).map(({ text }) => text);
  }

  #value(
    node: YamlNode | null,
    item: CollectionItem | null,
    schema: ValueSchema,
    properties: Properties,
    parentColumn: number,
    limit: number,
  ): FormatValue {
    if (node === null || isScalar(node) || isAlias(node)) return { type: "scalar", node, properties, below: [] };
    const collection = this.#syntax.collection(node, item);
    return this.#collection(collection, schema, properties, parentColumn, limit);
  }

  /**
   * `parentColumn`: comments below a block collection belong to it if they are indented deeper than its parent. `limit`: where
   * the next entry of the parent begins.
   */
  #collection(
    collection: Collection,
    schema: ValueSchema,
    properties: Properties,
    parentColumn: number,
    limit: number,
  ): FormatCollection {
    const { node, isFlow, items } = collection;
    const end = isFlow ? endOf(node) - 1 : limit;
    const read = items.map((item, index) => this.#entry(item, schema, items[index + 1]?.start ?? end));
    const tail = this.#take(
      ({ start, column }) => start < end && (isFlow || (column !== null && column > parentColumn)),
    );
    const { header, isHeaderSpaced, entries } = splitHeader(read);
    return {
      type: isMap(node) ? "map" : "list",
      properties,
      isFlow,
      header,
      isHeaderSpaced,
      entries: this.#sorted ? inOrder(entries, schema, isHeaderSpaced) : entries,
      tail,
    };
  }

  /** `next`: where the next entry begins. */
  #entry(item: CollectionItem, schema: ValueSchema, next: number): FormatEntry {
    const { start, value, key, name, of } = item;
    const above = this.#take((one) => one.start < start);
    const { breaks, lineStart } = this.#before(start);
    const isBlock = value !== null && !isScalar(value) && !isAlias(value) && value.flow !== true;
    const first = value === null ? item.valueAt : contentStart(value);
    // Comments between a key and its value: on the line of the key, or above a value that has no entries.
    const beside = this.#beside(first);
    const between = isBlock ? [] : this.#take((one) => one.start < first);
    const inner = isMap(of.node) ? valueSchema(schema, name ?? "") : itemSchema(schema);
    // The column matters only for block collections. In braces, a line may have any number of items.
    const column = of.isFlow ? 0 : start - (breaks > 0 ? lineStart : this.#text.lastIndexOf("\n", start - 1) + 1);
    const read = this.#value(value, item, inner, this.#properties(item), column, next);
    // The header of a block scalar, and the end of the value.
    const after = this.#beside(next);
    const below =
      value === null && !of.isFlow
        ? this.#take((one) => one.start < next && one.column !== null && one.column > column)
        : [];
    return {
      above: [...above, ...between],
      isSpaced: breaks > 1,
      key,
      keyProperties: key === null ? "" : propertiesOf(this.#text.slice(start, key.range?.[0] ?? start)),
      value: read.type === "scalar" ? { ...read, below } : read,
      beside: [...beside, ...after],
    };
  }

  #properties({ value, tags }: CollectionItem): Properties {
    const anchor = value !== null && "anchor" in value && value.anchor !== undefined ? [`&${value.anchor}`] : [];
    return [...anchor, ...tags.map(({ start, end }) => this.#text.slice(start, end))].join(" ");
  }
}

/** The start of a value. Comments in empty braces come before it, because nothing can follow them there. */
function contentStart(node: YamlNode): number {
  const isEmpty = (isMap(node) || isSeq(node)) && node.items.length === 0;
  return (isEmpty ? endOf(node) : node.range?.[0]) ?? 0;
}

/** An explicit key (`? key`) gets the usual form. */
function propertiesOf(source: string): Properties {
  return source.replace(/^\?/, "").trim();
}

/** A comment that editors read is about the file. */
const EDITOR_LINE = /^#\s*yaml-language-server:/;

/** Separates comments that are about all entries from those of the first one. */
function splitHeader(
  read: readonly FormatEntry[],
): Pick<FormatCollection, "header" | "isHeaderSpaced"> & { readonly entries: readonly FormatEntry[] } {
  const [first, ...others] = read;
  if (first === undefined || first.above.length === 0) return { header: [], isHeaderSpaced: false, entries: read };
  const { above, isSpaced } = first;
  const spaced = isSpaced ? above.length : above.findLastIndex((one, index) => index > 0 && one.isSpaced);
  const count = Math.max(spaced, above.findLastIndex(({ text }) => EDITOR_LINE.test(text)) + 1, 0);
  const rest = above.slice(count);
  const isHeaderSpaced = rest[0]?.isSpaced ?? isSpaced;
  const entries = [{ ...first, above: rest, isSpaced: rest.length > 0 && isSpaced }, ...others];
  return { header: above.slice(0, count), isHeaderSpaced, entries };
}

/** Entries by the rank of their keys. An unknown key stays behind the key above it. */
function inOrder(entries: readonly FormatEntry[], schema: ValueSchema, isSpaced: boolean): readonly FormatEntry[] {
  const ranks = keyRanks(schema);
  if (ranks === null) return entries;
  let last = -1;
  const ranked = entries.map((entry) => {
    last = (entry.key === null ? undefined : ranks.get(sourceOf(entry.key))) ?? last;
    return { entry, rank: last };
  });
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry);
  const [first] = entries;
  const [top] = sorted;
  if (first === undefined || top === undefined || first === top) return sorted;
  // The first entry has no empty line above it, except one below a header. It gets that of the entry that takes its place.
  const below = isSpaced || (top.above[0]?.isSpaced ?? top.isSpaced);
  return sorted.map((entry) => (entry === first ? withSpace(first, below) : entry));
}

function withSpace(entry: FormatEntry, isSpaced: boolean): FormatEntry {
  const [line, ...more] = entry.above;
  return line === undefined ? { ...entry, isSpaced } : { ...entry, above: [{ ...line, isSpaced }, ...more] };
}
