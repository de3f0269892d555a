// Offsets of keys, values, indicators (dashes, colons, commas) and comments, from the tokens of the YAML parser.

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
import { PARSING, sourceOf } from "../config/yaml.ts";
import type { TextSpan } from "./lines.ts";

export interface CollectionItem {
  readonly of: Collection;
  readonly index: number;
  readonly key: Scalar | null;
  readonly name: string | null;
  /** Null for an empty value. */
  readonly value: YamlNode | null;
  /** The start of its dash, question mark, anchor or key. */
  readonly start: number;
  /** The offset after its dash or colon, anchor and tag. */
  readonly valueAt: number;
  /** Whether it has a dash or colon. */
  readonly hasIndicator: boolean;
  /** Without the comment and line break after it. */
  readonly end: number;
  /** The offset of the comma after it. */
  readonly comma: number | null;
  /** The tags of its value. */
  readonly tags: readonly TextSpan[];
}

export interface Collection {
  readonly node: YAMLMap | YAMLSeq;
  /** Whether it is in braces or brackets. */
  readonly isFlow: boolean;
  /** The item with this value; null for the top level of a document. */
  readonly parent: CollectionItem | null;
  readonly items: readonly CollectionItem[];
}

/** Tokens that are not part of the content. */
export type MarkType = "comment" | "anchor" | "alias" | "tag" | "directive" | "doc-start" | "doc-end";

/** A token of the parser. */
export interface TypedSpan extends TextSpan {
  readonly type: string;
}

type ParsedText = Document<YamlNode, boolean>;
type CollectionToken = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

interface ItemToken {
  readonly start: readonly CST.SourceToken[];
  readonly sep?: readonly CST.SourceToken[] | undefined;
}

/** A parsed text. Throws for invalid YAML, which is reported when the file is loaded. */
export class Syntax {
  readonly #tokens: readonly CST.Token[];
  readonly #documents: readonly ParsedText[];
  readonly #collections = new Map<YamlNode, Collection>();
  #comments: readonly TextSpan[] | null = null;

  constructor(text: string) {
    this.#tokens = [...new Parser().parse(text)];
    this.#documents = [...new Composer({ ...PARSING, keepSourceTokens: true }).compose(this.#tokens)];
    if (this.#documents.some(({ errors }) => errors.length > 0))
      throw new Error("a text with mistakes cannot be edited");
  }

  /** The content of each document; null for an empty one. */
  get roots(): readonly (YamlNode | null)[] {
    return this.#documents.map(({ contents }) => contents);
  }

  /** The collection for a node. `parent` is the item with this value. */
  collection(node: YAMLMap | YAMLSeq, parent: CollectionItem | null): Collection {
    const known = this.#collections.get(node);
    if (known !== undefined) return known;
    const items: CollectionItem[] = [];
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

  /** The map or list in an item; null for any other value. */
  collectionAt(item: CollectionItem): Collection | null {
    const { value } = item;
    return isMap(value) || isSeq(value) ? this.collection(value, item) : null;
  }

  /** The value of an alias, or the node itself. */
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
  get comments(): readonly TextSpan[] {
    this.#comments ??= this.tokens(["comment"]);
    return this.#comments;
  }

  /** All tokens of these types, in order. */
  tokens(types: readonly MarkType[]): readonly TypedSpan[] {
    return tokensOf(this.#tokens, new Set<string>(types)).toSorted((a, b) => a.start - b.start);
  }
}

/** The end of a value, without anything after it on its line. */
export function endOf(node: YamlNode): number {
  if (isMap(node) || isSeq(node)) {
    const token = node.srcToken;
    if (token?.type === "flow-collection") return endOfToken(token.end[0]) ?? node.range?.[1] ?? 0;
    const last = node.items.at(-1);
    const inner = isMap(node) ? pairEnd(node.items.at(-1)) : isNode(last) ? endOf(last) : 0;
    const lastToken = isCollectionToken(token)
      ? token.items.findLast(({ start }) => start.some(isIndicator))
      : undefined;
    return Math.max(inner, ...(lastToken?.start ?? []).filter(isProp).map((one) => endOfToken(one) ?? 0));
  }
  const [start = 0, end = 0] = node.range ?? [];
  const token = node.srcToken;
  if (token?.type !== "block-scalar") return end;
  // The last line break of a block scalar is not part of it.
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
  const tokens = [...(pair.srcToken?.start ?? []), ...(pair.srcToken?.sep ?? [])].filter(isProp);
  const value = isNode(pair.value) && !isEmpty(pair.value) ? endOf(pair.value) : 0;
  return Math.max(value, isNode(pair.key) ? endOf(pair.key) : 0, ...tokens.map((one) => endOfToken(one) ?? 0));
}

function entryOf(of: Collection, index: number, comma: number | null): CollectionItem | null {
  const pair = isMap(of.node) ? of.node.items[index] : undefined;
  if (pair === undefined || !isScalar(pair.key)) return null;
  const { key } = pair;
  const token: ItemToken = pair.srcToken ?? { start: [] };
  const before = token.start.filter(isProp);
  const sep = (token.sep ?? []).filter(isProp);
  const keyStart = key.range?.[0] ?? 0;
  const indicator = sep.findLastIndex(({ type }) => type === "map-value-ind");
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
    hasIndicator: indicator >= 0,
    end: pairEnd(pair),
    comma,
    tags: tagsIn(sep.slice(indicator + 1)),
  };
}

function listItem(
  of: Collection,
  index: number,
  node: unknown,
  tokens: CollectionToken["items"] | null,
  comma: number | null,
): CollectionItem | null {
  if (!isNode(node)) return null;
  const before = (tokens?.[index]?.start ?? []).filter(isProp);
  const value = isEmpty(node) ? null : node;
  // A pair in brackets without its own braces has no token.
  const [pair] = isMap(node) && node.srcToken === undefined ? node.items : [];
  const pairStart = pair?.srcToken?.start.find(isProp)?.offset ?? (isNode(pair?.key) ? pair.key.range?.[0] : undefined);
  const start = Math.min(...before.map(({ offset }) => offset), pairStart ?? node.range?.[0] ?? 0);
  const valueAt = Math.max(start, ...before.map((one) => endOfToken(one) ?? 0));
  const end = Math.max(valueAt, value === null ? 0 : pair === undefined ? endOf(value) : pairEnd(pair));
  const hasIndicator = !of.isFlow;
  return { of, index, key: null, name: null, value, start, valueAt, hasIndicator, end, comma, tags: tagsIn(before) };
}

function tagsIn(tokens: readonly CST.SourceToken[]): TextSpan[] {
  return tokens.flatMap((one) =>
    one.type === "tag" ? [{ start: one.offset, end: one.offset + one.source.length }] : [],
  );
}

function commaIn(tokens: readonly CST.SourceToken[]): number | null {
  return tokens.find(({ type }) => type === "comma")?.offset ?? null;
}

function isIndicator({ type }: CST.SourceToken): boolean {
  return type === "seq-item-ind" || type === "explicit-key-ind" || type === "map-value-ind";
}

/** An indicator, anchor or tag. */
function isProp(token: CST.SourceToken): boolean {
  return isIndicator(token) || token.type === "anchor" || token.type === "tag";
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

/** Whether a value has no text. */
export function isEmpty(node: YamlNode): boolean {
  return isScalar(node) && node.range?.[0] === node.range?.[1];
}

function tokensOf(tokens: readonly unknown[], types: ReadonlySet<string>): TypedSpan[] {
  const found: TypedSpan[] = [];
  const open: unknown[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (Array.isArray(token)) append<unknown>(open, token);
    else if (typeof token === "object" && token !== null) {
      if (isSourceToken(token) && types.has(token.type))
        found.push({ type: token.type, start: token.offset, end: token.offset + token.source.length });
      for (const part of Object.values(token)) if (typeof part === "object" && part !== null) open.push(part);
    }
  }
  return found;
}

function isSourceToken(token: object): token is CST.SourceToken {
  return "type" in token && "offset" in token && "source" in token;
}
