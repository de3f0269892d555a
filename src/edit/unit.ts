// Edits some lines of a file, such as a block: parses them, changes the tree, and prints it. Scalars, comments and braces on one line stay
// as they are. Refuses edits that would change anything else.

import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
  type Node as YamlNode,
} from "yaml";
import type { Combination } from "../domain/project.ts";
import { fieldAt, type ResourceKind } from "../domain/table.ts";
import type { BlockParts } from "./declare.ts";
import type { Path } from "./outline.ts";
import { blockSchema, keyRanks, pairKey, valueSchema, type ValueSchema } from "./format.ts";
import { parse, Printer, type Collection, type Mark, type Parsed, type Style } from "./printer.ts";
import { isBlock, nodeOf, type YamlContent } from "./yaml-text.ts";

/** An edit that the writer leaves alone. The message is the end of the sentence "linkform does not edit it, because …". */
export class LeftAlone extends Error {}

/** Paths begin at its root. Positions in lists are those before all edits. */
export class Unit {
  readonly #lines: readonly string[];
  readonly #step: number;
  readonly #parsed: Parsed;
  readonly #root: Pair;
  /** Without those that were replaced with their values. */
  #marks: readonly Mark[];
  readonly #addedComments: string[] = [];
  #isChanged = false;

  /** `step`: the indentation of a level in the file. */
  constructor(lines: readonly string[], step: number) {
    this.#lines = lines;
    this.#step = step;
    const parsed = parse(lines.join("\n"), "failsafe");
    if (parsed === null) throw new LeftAlone("it cannot be read without the lines around it");
    this.#parsed = parsed;
    this.#marks = parsed.marks;
    this.#root = new Pair(null, parsed.documents[0]?.contents);
  }

  get comments(): string[] {
    return commentsIn(this.#parsed.marks);
  }

  change(path: Path, kind: ResourceKind, parts: BlockParts, key: string | null): void {
    const block = this.#pairAt(path);
    // A map that gets other keys is not removed first, so that its comments stay.
    for (const [below, content] of parts) if (content !== undefined) this.#set(block, kind, below, content);
    for (const [below, content] of parts) if (content === undefined) this.#unset(block, below.split("."), true);
    if (key === null) return;
    refuseAnchors(block.key);
    const renamed = new Scalar(key);
    if (isNode(block.key)) renamed.range = block.key.range ?? null;
    this.#isChanged = true;
    block.key = renamed;
  }

  /** Removes an entry or item with the comments above it, and the collections around it that become empty. */
  remove(path: Path): void {
    let node = this.#root.value;
    let around: unknown;
    let item: unknown;
    for (const step of path) {
      refuseAlias(node);
      refuseAnchor(node);
      around = node;
      item = isSeq(node) ? this.#parsed.items.get(node)?.[Number(step)] : pairIn(node, String(step));
      node = item instanceof Pair ? item.value : item;
    }
    if (!isCollection(around) || item === undefined) throw new LeftAlone("it was not found in the text");
    this.#takeOut(around, item);
  }

  /**
   * Adds an entry to the end of a map. In a list, it is an item: the key, or a map with it. A missing collection becomes a map, or a list for a
   * key without a value. `comments` go above it, each with a space after its `#`.
   */
  add(path: Path, key: string, content: YamlContent | undefined, comments: readonly string[]): void {
    const pair = this.#pairAt(path, true);
    const { value } = pair;
    const isList = isCollection(value) && value.items.length > 0 ? isSeq(value) : content === undefined;
    const first = isList && content !== undefined ? nodeOf({ entries: [{ key, value: content }] }) : new Scalar(key);
    first.commentBefore = comments.join("\n");
    if (isList) this.#listAt(pair).items.push(first);
    else this.#mapAt(pair).items.push(new Pair(first, content === undefined ? noValue() : nodeOf(content)));
    this.#addedComments.push(...comments.map((one) => one.trim()));
    this.#isChanged = true;
  }

  /** Adds a combination to `exclude` of a family, and removes the entries of `each` that are only about it. */
  exclude(path: Path, combination: Combination): void {
    const each = pairIn(this.#pairAt(path).value, "each")?.value;
    if (isSeq(each))
      for (const item of each.items) {
        const when = pairIn(item, "when")?.value;
        if (combination.every(([name, value]) => textOf(pairIn(when, name)?.value) === value))
          this.#takeOut(each, item);
      }
    const entries = combination.map(([key, value]) => ({ key, value }));
    this.#listAt(this.#pairAt([...path, "exclude"], true)).items.push(nodeOf({ entries, inline: true }));
    this.#isChanged = true;
  }

  /** The new lines; none if nothing remains. Throws `LeftAlone` if they would not be as edited. */
  get lines(): readonly string[] {
    if (!this.#isChanged) return this.#lines;
    const printer = new Printer({ ...this.#parsed, marks: this.#marks }, { step: this.#step, ...AS_WRITTEN });
    const printed = printer.print().replace(/\n$/, "");
    const after = parse(printed, "failsafe");
    const kept = commentsIn(this.#marks.filter((one) => !printer.removed.includes(one)));
    const summary = (root: unknown, comments: readonly string[]): string =>
      JSON.stringify([contentOf(root), comments.toSorted()]);
    const wanted = summary(this.#root.value, [...kept, ...this.#addedComments]);
    if (after === null || summary(after.documents[0]?.contents, commentsIn(after.marks)) !== wanted)
      throw new LeftAlone("the edit would also change other text");
    const indent = /^ */.exec(this.#lines[0] ?? "")?.[0] ?? "";
    return printed === "" ? [] : printed.split("\n").map((line) => (line === "" ? "" : indent + line));
  }

  #pairAt(path: Path, creates = false): Pair {
    let pair = this.#root;
    for (const step of path) {
      const map = this.#mapAt(pair);
      const next = creates ? this.#pairFor(map, String(step), null) : pairIn(map, String(step));
      if (next === undefined) throw new LeftAlone("it was not found in the text");
      pair = next;
    }
    return pair;
  }

  #mapAt(pair: Pair): YAMLMap {
    return this.#collectionAt(pair, isMap(pair.value) ? pair.value : new YAMLMap());
  }

  #listAt(pair: Pair): YAMLSeq {
    return this.#collectionAt(pair, isSeq(pair.value) ? pair.value : new YAMLSeq());
  }

  #collectionAt<T extends Collection>(pair: Pair, node: T): T {
    refuseAlias(pair.value);
    return pair.value === node ? this.#changeable(node) : this.#replace(pair, node);
  }

  /** A collection that may be changed. An empty `{}` or `[]` gets lines if its surroundings have them. */
  #changeable<T extends Collection>(node: T): T {
    refuseAnchor(node);
    if (node.items.length === 0) node.flow = false;
    return node;
  }

  /** The entry of a key. A new one goes after the last key of a lower rank, before the first one of a higher rank, or to the end. */
  #pairFor(map: YAMLMap, name: string, schema: ValueSchema): Pair {
    const known = pairIn(map, name);
    if (known !== undefined) return known;
    const pair: Pair = new Pair(new Scalar(name), noValue());
    const ranks = keyRanks(schema);
    const rank = ranks?.get(name) ?? Infinity;
    const rankOf = (one: Pair): number => ranks?.get(pairKey(one) ?? "") ?? rank;
    const after = map.items.findLastIndex((one) => rankOf(one) < rank) + 1;
    const at = after > 0 ? after : map.items.findIndex((one) => rankOf(one) > rank);
    map.items.splice(at < 0 ? map.items.length : at, 0, pair);
    return pair;
  }

  #set(block: Pair, kind: ResourceKind, below: string, content: YamlContent): void {
    let [pair, schema] = [block, blockSchema(kind)];
    for (const name of below.split(".")) {
      pair = this.#pairFor(this.#mapAt(pair), name, schema);
      schema = valueSchema(schema, name);
    }
    this.#assign(pair, content, fieldAt(kind, below)?.kind === "references");
  }

  /** `isSet`: the order of a list has no meaning. */
  #assign(pair: Pair, content: YamlContent, isSet: boolean): void {
    const { value } = pair;
    if (isBlock(content) && isMap(value)) {
      const map = this.#changeable(value);
      for (const one of map.items)
        if (!content.entries.some(({ key }) => key === pairKey(one))) this.#takeOut(map, one);
      for (const { key, value: inner } of content.entries) this.#assign(this.#pairFor(map, key, null), inner, false);
    } else if (Array.isArray(content) && isSeq(value) && content.length > 0)
      this.#assignList(this.#changeable(value), content.map(String), isSet);
    else if (!isScalar(value) || !hasContent(value, content)) this.#replace(pair, nodeOf(content));
  }

  /** Items that the list already has keep their text and comments. */
  #assignList(list: YAMLSeq, wanted: readonly string[], isSet: boolean): void {
    const old = list.items.map((item) => textOf(item) ?? "");
    const added = wanted.filter((text) => !old.includes(text));
    const texts = isSet ? [...old.filter((text) => wanted.includes(text)), ...added] : wanted;
    const remaining = [...list.items];
    const items = texts.map((text) => {
      const at = remaining.findIndex((one) => isScalar(one) && hasContent(one, text));
      return at < 0 ? nodeOf(text) : remaining.splice(at, 1)[0];
    });
    for (const item of remaining) refuseAnchors(item);
    this.#isChanged ||= items.length !== list.items.length || items.some((item, at) => item !== list.items[at]);
    list.items = items;
  }

  /** Returns whether the value is only what is unset: it is removed as a whole, with its comments. */
  #unset({ value }: Pair, [name, ...below]: readonly string[], isEntry = false): boolean {
    refuseAlias(value);
    const inner = name === undefined ? undefined : pairIn(value, name);
    if (!isMap(value) || inner === undefined || (below.length > 0 && !this.#unset(inner, below))) return false;
    if (value.items.length === 1 && !isEntry) return true;
    this.#takeOut(value, inner);
    return false;
  }

  #takeOut(collection: Collection, item: unknown): void {
    refuseAnchors(item);
    this.#changeable(collection).items = collection.items.filter((one) => one !== item);
    this.#isChanged = true;
  }

  /** Gives a pair another value, in the place of the old one. Comments beside that one and above it stay, those in it go. */
  #replace<T extends YamlNode>(pair: Pair, node: T): T {
    const old = pair.value;
    refuseAnchors(old);
    this.#isChanged = true;
    pair.value = node;
    if (!isNode(old) || !old.range) return node;
    const [start, last] = old.range;
    const end = start + this.#parsed.text.slice(start, last).trimEnd().length;
    this.#marks = this.#marks.filter(({ offset }) => offset < start || offset >= end);
    node.range = [start, end, end];
    return node;
  }
}

/** Collections in brackets on one line stay there. */
const AS_WRITTEN: Omit<Style, "step"> = {
  scalar: (_, source) => source,
  fits: (_, source) => !source.includes("\n"),
};

function noValue(): Scalar<string> {
  const scalar = new Scalar("");
  scalar.source = "";
  return scalar;
}

function pairIn(map: unknown, name: string): Pair | undefined {
  return isMap(map) ? map.items.find((one) => pairKey(one) === name) : undefined;
}

function textOf(node: unknown): string | null {
  return isScalar(node) ? String(node.value) : null;
}

function refuseAlias(node: unknown): void {
  if (isAlias(node)) throw new LeftAlone("it uses an alias");
}

function refuseAnchor(node: unknown): void {
  if (isNode(node) && node.anchor !== undefined) throw new LeftAlone(`it has the anchor \`&${node.anchor}\``);
}

function refuseAnchors(node: unknown): void {
  refuseAnchor(node);
  if (isCollection(node)) for (const item of node.items) refuseAnchors(item);
  if (!(node instanceof Pair)) return;
  refuseAnchors(node.key);
  refuseAnchors(node.value);
}

function commentsIn(marks: readonly Mark[]): string[] {
  return marks.flatMap(({ type, source }) => (type === "comment" ? source.slice(1).trim() || [] : []));
}

/** The meaning of a tree, to compare. An empty collection has none: the printer leaves it out if all entries were removed. */
function contentOf(node: unknown): unknown {
  if (node instanceof Pair) {
    const value = contentOf(node.value ?? noValue());
    return value === null ? null : [contentOf(node.key), value];
  }
  if (isAlias(node)) return { alias: node.source };
  if (isScalar(node)) return [String(node.value), node.anchor, node.tag];
  if (!isCollection(node)) return null;
  const items = node.items.flatMap((item) => contentOf(item) ?? []);
  return items.length === 0 ? null : { items, isMap: isMap(node), anchor: node.anchor, tag: node.tag };
}

/** Whether a scalar has this content already. Without quotes, `null` is not text. With quotes, only text is equal. */
function hasContent({ value, type }: Scalar, content: YamlContent): boolean {
  if (content !== null && typeof content === "object") return false;
  if (String(value) !== String(content)) return false;
  return type === Scalar.PLAIN ? content !== "null" : typeof content === "string";
}
