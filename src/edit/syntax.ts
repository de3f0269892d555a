// Where the parts of a YAML text lie: keys, values, signs and comments, from the nodes and tokens of the parser.

import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Parser,
  Scalar,
  type Document,
  type Node as YamlNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { append } from "../domain/collections.ts";
import { sourceOf } from "../config/reader.ts";
import { PARSING } from "../config/yaml.ts";
import type { Span } from "./lines.ts";

/** An entry of a map or an item of a list. */
export interface SequenceItem {
  readonly of: Collection;
  readonly index: number;
  /** Null for an item of a list. */
  readonly key: Scalar | null;
  readonly name: string | null;
  /** Null where nothing is written. */
  readonly value: YamlNode | null;
  /** Where it begins: with its dash or question mark, or what stands before its key, or its key. */
  readonly start: number;
  /** Where its value may begin: behind the dash or colon, and behind an anchor or tag. */
  readonly valueAt: number;
  /** Whether it has a dash or a colon. */
  readonly hasSign: boolean;
  /** Where it ends, without the comment and line break behind it. */
  readonly end: number;
  /** Where the comma behind it stands; null where there is none. */
  readonly comma: number | null;
  /** The tags of its value. */
  readonly tags: readonly Span[];
}

/** A map or list. */
export interface Collection {
  readonly node: YAMLMap | YAMLSeq;
  /** Written in braces or brackets. */
  readonly isFlow: boolean;
  /** The item whose value it is; null for a document's own. */
  readonly parent: SequenceItem | null;
  readonly items: readonly SequenceItem[];
}

type ParsedText = Document<YamlNode, boolean>;
type CollectionToken = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

interface ItemToken {
  readonly start: readonly CST.SourceToken[];
  readonly sep?: readonly CST.SourceToken[] | undefined;
}

/** A parsed text. Throws for one with mistakes of the syntax: those are told where it is loaded. */
export class Syntax {
  readonly #tokens: readonly CST.Token[];
  readonly #documents: readonly ParsedText[];
  readonly #collections = new Map<YamlNode, Collection>();
  #comments: readonly Span[] | null = null;

  constructor(text: string) {
    this.#tokens = [...new Parser().parse(text)];
    this.#documents = [...new Composer({ ...PARSING, keepSourceTokens: true }).compose(this.#tokens)];
    if (this.#documents.some(({ errors }) => errors.length > 0))
      throw new Error("a text with mistakes can't be edited");
  }

  /** The documents' own maps, and what else documents consist of; null for an empty one. */
  get roots(): readonly (YamlNode | null)[] {
    return this.#documents.map(({ contents }) => contents);
  }

  /** A map or list by its node; `parent` is the item whose value it is. */
  collection(node: YAMLMap | YAMLSeq, parent: SequenceItem | null): Collection {
    const known = this.#collections.get(node);
    if (known !== undefined) return known;
    const items: SequenceItem[] = [];
    const collection: Collection = { node, isFlow: node.flow === true, parent, items };
    this.#collections.set(node, collection);
    const token = node.srcToken;
    const tokens = isCollectionToken(token) ? token.items : null;
    for (const [index, one] of node.items.entries()) {
      const comma = commaIn(tokens?.[index + 1]?.start ?? []);
      const item = isMap(node) ? entryOf(collection, index, comma) : listItem(collection, index, one, tokens, comma);
      if (item !== null) items.push(item);
    }
    return collection;
  }

  /** The map or list that is an item's value; null for any other value. */
  collectionAt(item: SequenceItem): Collection | null {
    const { value } = item;
    return isMap(value) || isSeq(value) ? this.collection(value, item) : null;
  }

  /** The value that an alias stands for, or the value itself. */
  resolved(node: unknown): YamlNode | null {
    if (!isAlias(node)) return isNode(node) ? node : null;
    for (const document of this.#documents) {
      const [from, to] = document.contents?.range ?? [0, 0];
      const at = node.range?.[0] ?? 0;
      if (from <= at && at <= to) return node.resolve(document) ?? null;
    }
    return null;
  }

  /** All comments, in order. */
  get comments(): readonly Span[] {
    this.#comments ??= commentsOf(this.#tokens).toSorted((a, b) => a.start - b.start);
    return this.#comments;
  }
}

/** The end of a value, without what follows it on its line. */
export function endOf(node: YamlNode): number {
  if (isMap(node) || isSeq(node)) {
    const token = node.srcToken;
    if (token?.type === "flow-collection") return endOfToken(token.end[0]) ?? node.range?.[1] ?? 0;
    const last = node.items.at(-1);
    const inner = isMap(node) ? pairEnd(node.items.at(-1)) : isNode(last) ? endOf(last) : 0;
    const lastToken = isCollectionToken(token) ? token.items.findLast(({ start }) => start.some(isSign)) : undefined;
    return Math.max(inner, ...(lastToken?.start ?? []).filter(isProp).map((one) => endOfToken(one) ?? 0));
  }
  const [start = 0, end = 0] = node.range ?? [];
  const token = node.srcToken;
  if (token?.type !== "block-scalar") return end;
  // Its last line break is not part of what stands there.
  const length = token.source.endsWith("\r\n") ? 2 : token.source.endsWith("\n") ? 1 : 0;
  return Math.max(start + 1, end - length);
}

interface PairLike {
  readonly key: unknown;
  readonly value: unknown;
  readonly srcToken?: ItemToken | undefined;
}

function pairEnd(pair: PairLike | undefined): number {
  if (pair === undefined) return 0;
  const signs = [...(pair.srcToken?.start ?? []), ...(pair.srcToken?.sep ?? [])].filter(isProp);
  const value = isNode(pair.value) && !isEmpty(pair.value) ? endOf(pair.value) : 0;
  return Math.max(value, isNode(pair.key) ? endOf(pair.key) : 0, ...signs.map((one) => endOfToken(one) ?? 0));
}

function entryOf(of: Collection, index: number, comma: number | null): SequenceItem | null {
  const pair = isMap(of.node) ? of.node.items[index] : undefined;
  if (pair === undefined || !isScalar(pair.key)) return null;
  const { key } = pair;
  const token: ItemToken = pair.srcToken ?? { start: [] };
  const before = token.start.filter(isProp);
  const sep = (token.sep ?? []).filter(isProp);
  const keyStart = key.range?.[0] ?? 0;
  const sign = sep.findLastIndex(({ type }) => type === "map-value-ind");
  const value = isNode(pair.value) && !isEmpty(pair.value) ? pair.value : null;
  const keyEnd = endOf(key);
  return {
    of,
    index,
    key,
    name: sourceOf(key),
    value,
    start: Math.min(keyStart, ...before.map(({ offset }) => offset)),
    valueAt: Math.max(keyEnd, ...sep.map((one) => endOfToken(one) ?? 0)),
    hasSign: sign >= 0,
    end: pairEnd(pair),
    comma,
    tags: tagsIn(sep.slice(sign + 1)),
  };
}

function listItem(
  of: Collection,
  index: number,
  node: unknown,
  tokens: CollectionToken["items"] | null,
  comma: number | null,
): SequenceItem | null {
  if (!isNode(node)) return null;
  const before = (tokens?.[index]?.start ?? []).filter(isProp);
  const value = isEmpty(node) ? null : node;
  // What has no token is a pair in brackets, without braces of its own.
  const [pair] = isMap(node) && node.srcToken === undefined ? node.items : [];
  const pairStart = pair?.srcToken?.start.find(isProp)?.offset ?? (isNode(pair?.key) ? pair.key.range?.[0] : undefined);
  const start = Math.min(...before.map(({ offset }) => offset), pairStart ?? node.range?.[0] ?? 0);
  const valueAt = Math.max(start, ...before.map((one) => endOfToken(one) ?? 0));
  const end = Math.max(valueAt, value === null ? 0 : pair === undefined ? endOf(value) : pairEnd(pair));
  const hasSign = !of.isFlow;
  return { of, index, key: null, name: null, value, start, valueAt, hasSign, end, comma, tags: tagsIn(before) };
}

function tagsIn(tokens: readonly CST.SourceToken[]): Span[] {
  return tokens.flatMap((one) =>
    one.type === "tag" ? [{ start: one.offset, end: one.offset + one.source.length }] : [],
  );
}

function commaIn(tokens: readonly CST.SourceToken[]): number | null {
  return tokens.find(({ type }) => type === "comma")?.offset ?? null;
}

function isSign({ type }: CST.SourceToken): boolean {
  return type === "seq-item-ind" || type === "explicit-key-ind" || type === "map-value-ind";
}

/** A sign, anchor or tag. */
function isProp(token: CST.SourceToken): boolean {
  return isSign(token) || token.type === "anchor" || token.type === "tag";
}

function endOfToken(token: CST.SourceToken | undefined): number | null {
  return token === undefined ? null : token.offset + token.source.length;
}

function isCollectionToken(token: CST.Token | undefined): token is CollectionToken {
  return token?.type === "block-map" || token?.type === "block-seq" || token?.type === "flow-collection";
}

function isNode(value: unknown): value is YamlNode {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function isEmpty(node: YamlNode): boolean {
  return isScalar(node) && node.range?.[0] === node.range?.[1];
}

function commentsOf(tokens: readonly unknown[]): Span[] {
  const found: Span[] = [];
  const open: unknown[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (Array.isArray(token)) append<unknown>(open, token);
    else if (typeof token === "object" && token !== null) {
      if (isComment(token)) found.push({ start: token.offset, end: token.offset + token.source.length });
      else for (const part of Object.values(token)) if (typeof part === "object" && part !== null) open.push(part);
    }
  }
  return found;
}

function isComment(token: object): token is CST.SourceToken {
  return "type" in token && token.type === "comment" && "offset" in token && "source" in token;
}
