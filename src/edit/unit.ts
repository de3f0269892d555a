// Edits one part of a file, such as a block: parses its text, edits the tree, and prints it. Scalars, comments and braces on one line stay as
// they are. Refuses edits that would change anything else.

import {
  isAlias,
  isCollection,
  isDocument,
  isMap,
  isScalar,
  isSeq,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
  type Document,
  type Node as YamlNode,
} from "yaml";
import { pairKey } from "./key-order.ts";
import { isBlock, keyText, scalarText, type YamlContent } from "./yaml-text.ts";

/** An edit that the writer leaves alone. The message is the end of the sentence "linkform does not edit it, because …". */
export class LeftAlone extends Error {}

/** A key or item that is added, with the comments above it, each with a space after its `#`. */
export interface Added {
  readonly key: string | null;
  /** Undefined for a key without a value. */
  readonly content: YamlContent | undefined;
  readonly comments: readonly string[];
}

export class Unit {
  /** Its lines. */
  readonly #text: string;
  readonly #lineBreak: string;
  readonly #step: number;
  /** The indentation of its first line. */
  readonly #indent: string;
  readonly #document: Document;
  /** The items of lists as they are in the text: paths refer to them. */
  readonly #items = new Map<YAMLSeq, readonly unknown[]>();
  readonly #comments: string[];
  #isChanged = false;

  /** `text`: whole lines. `step`: the indentation of a level in the file. */
  constructor(text: string, lineBreak: string, step: number) {
    this.#text = text;
    this.#lineBreak = lineBreak;
    this.#step = step;
    this.#indent = /^ */.exec(text)?.[0] ?? "";
    const document = read(text.split(lineBreak).map(withoutIndent(this.#indent)).join("\n"));
    if (document === null) throw new LeftAlone("it cannot be read without the lines around it");
    this.#document = document;
    this.#comments = commentsIn(document);
    for (const node of nodesIn(document.contents)) if (isSeq(node)) this.#items.set(node, [...node.items]);
  }

  /** Its comments, in order. */
  get comments(): readonly string[] {
    return this.#comments;
  }

  /** Refuses a text with anchors, before it is removed. */
  refuseAnchors(): void {
    refuseAnchors(this.#document.contents);
  }

  /** Sets a value below an entry. New keys take their position from `order`. `isSet`: the order of a list has no meaning. */
  set(
    path: Path,
    below: readonly string[],
    content: YamlContent,
    order: (path: readonly string[]) => readonly string[],
    isSet: boolean,
  ): void {
    let pair = this.#pairAt(path);
    for (const [at, name] of below.entries()) {
      const map = this.#mapAt(pair);
      pair = pairIn(map, name) ?? this.#insert(map, name, order(below.slice(0, at)));
    }
    this.#assign(pair, content, isSet);
  }

  /** Removes a value below an entry, and the maps that become empty. */
  unset(path: Path, below: readonly string[]): void {
    this.#unset(this.#pairAt(path), below);
  }

  rename(path: Path, key: string): void {
    const pair = this.#pairAt(path);
    refuseAnchors(pair.key);
    const renamed = new NewText(key, true);
    if (isScalar(pair.key)) {
      renamed.comment = pair.key.comment ?? null;
      renamed.commentBefore = pair.key.commentBefore ?? null;
      renamed.spaceBefore = pair.key.spaceBefore ?? false;
    }
    this.#isChanged = true;
    pair.key = renamed;
  }

  /** Removes an entry or item with the comments above it, and the collections around it that become empty. */
  remove(path: Path): void {
    const around = path.slice(0, -1);
    const collection = this.#nodeAt(around);
    const last = path.at(-1);
    if (isAlias(collection)) throw new LeftAlone("it uses an alias");
    if (!isMap(collection) && !isSeq(collection)) return;
    for (let length = 0; length <= around.length; length += 1) {
      const node = this.#nodeAt(path.slice(0, length));
      if (isMap(node) || isSeq(node)) refuseAnchor(node);
    }
    const at = isMap(collection) ? indexOf(collection, String(last)) : collection.items.indexOf(this.#nodeAt(path));
    const item: unknown = collection.items[at];
    if (item === undefined) throw new LeftAlone("it was not found in the text");
    // A comment above the first entry may be about all of them.
    this.#takeOut(collection, at, at === 0);
    if (collection.items.length > 0 || around.length === 0) return;
    const outer = this.#nodeAt(around.slice(0, -1));
    // An empty collection with a comment stays.
    if (commentsIn(isMap(outer) ? pairIn(outer, String(around.at(-1))) : collection).length === 0) this.remove(around);
  }

  /** Adds an entry at the end of a map, or an item at the end of a list. Creates the collection if it is missing. */
  add(path: Path, { key, content, comments }: Added): void {
    const pair = this.#pairAt(path, true);
    const collection = key === null ? this.#listAt(pair) : this.#mapAt(pair);
    const value = content === undefined ? plainScalar("") : nodeOf(content);
    const name = key === null ? null : new NewText(key, true);
    this.#isChanged = true;
    if (comments.length > 0) {
      (name ?? value).commentBefore = comments.join("\n");
      this.#comments.push(...comments.map((one) => one.trim()));
      // Comments need lines of their own.
      for (let length = 0; length <= path.length; length += 1) {
        const node = this.#nodeAt(path.slice(0, length));
        if (isCollection(node)) node.flow = false;
      }
    }
    if (isSeq(collection)) collection.items.push(value);
    else if (name !== null) collection.items.push(new Pair(name, value));
  }

  /** The keys of a map, or the positions in a list; null for another value. */
  childrenAt(path: Path): readonly (string | number)[] | null {
    const node = this.#nodeAt(path);
    if (isSeq(node)) return node.items.map((_, at) => at);
    return isMap(node) ? node.items.flatMap((one) => pairKey(one) ?? []) : null;
  }

  textAt(path: Path): string | null {
    const node = this.#nodeAt(path);
    return isScalar(node) ? String(node.value) : null;
  }

  /** Whether nothing remains. */
  get isEmpty(): boolean {
    const { contents } = this.#document;
    return isMap(contents) && contents.items.length === 0 && this.#comments.length === 0;
  }

  /** The new text. Throws `LeftAlone` if it would not be as edited. */
  get text(): string {
    if (!this.#isChanged) return this.#text;
    const expected = JSON.stringify(contentOf(this.#document.contents));
    const printed = print(this.#document, this.#step).replace(/\n$/, "");
    const after = read(printed);
    const isAsEdited =
      after !== null &&
      JSON.stringify(contentOf(after.contents)) === expected &&
      JSON.stringify(commentsIn(after).toSorted()) === JSON.stringify(this.#comments.toSorted());
    if (!isAsEdited) throw new LeftAlone("the edit would also change other text");
    const lines = printed.split("\n").map((line) => (line === "" ? "" : this.#indent + line));
    return lines.join(this.#lineBreak);
  }

  /** The entry at a path. `creates`: adds it if it is missing. */
  #pairAt(path: Path, creates = false): Pair {
    let pair: Pair = new Pair(null, this.#document.contents);
    for (const step of path) {
      const map = this.#mapAt(pair);
      const next = pairIn(map, String(step)) ?? (creates ? this.#insert(map, String(step), []) : undefined);
      if (next === undefined) throw new LeftAlone("it was not found in the text");
      pair = next;
    }
    return pair;
  }

  #nodeAt(path: Path): unknown {
    let node: unknown = this.#document.contents;
    for (const step of path) {
      if (isSeq(node)) node = this.#items.get(node)?.[Number(step)];
      else node = isMap(node) ? pairIn(node, String(step))?.value : undefined;
    }
    return node;
  }

  /** The value of a pair as a map that can be changed. */
  #mapAt(pair: Pair): YAMLMap {
    if (isMap(pair.value)) return changeable(pair.value);
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const map = new YAMLMap();
    this.#replace(pair, map);
    return map;
  }

  #listAt(pair: Pair): YAMLSeq {
    if (isSeq(pair.value)) return changeable(pair.value);
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const added = new YAMLSeq();
    this.#replace(pair, added);
    return added;
  }

  #insert(map: YAMLMap, name: string, order: readonly string[]): Pair {
    const pair: Pair = new Pair(new NewText(name, true), plainScalar(""));
    map.items.splice(positionAmong(map.items.map(pairKey), name, order), 0, pair);
    return pair;
  }

  #assign(pair: Pair, content: YamlContent, isSet: boolean): void {
    const { value } = pair;
    if (content !== null && typeof content === "object" && isBlock(content) && isMap(value) && value.items.length > 0) {
      const map = changeable(value);
      for (const name of map.items.flatMap((one) => pairKey(one) ?? []))
        if (!content.entries.some(({ key }) => key === name)) this.#takeOut(map, indexOf(map, name), true);
      for (const { key, value: inner } of content.entries)
        this.#assign(pairIn(map, key) ?? this.#insert(map, key, []), inner, false);
    } else if (Array.isArray(content) && isSeq(value) && value.items.length > 0 && content.length > 0)
      this.#assignList(changeable(value), content.map(String), isSet);
    else if (!isScalar(value) || !hasContent(value, content)) this.#replace(pair, nodeOf(content));
  }

  /** Sets the items of a list. Items that it already has keep their text and comments. */
  #assignList(list: YAMLSeq, wanted: readonly string[], isSet: boolean): void {
    const old = list.items.map((item) => (isScalar(item) ? String(item.value) : ""));
    const added = wanted.filter((text) => !old.includes(text));
    const texts = isSet ? [...old.filter((text) => wanted.includes(text)), ...added] : wanted;
    const remaining = [...list.items];
    const items = texts.map((text) => {
      const at = remaining.findIndex((one) => isScalar(one) && hasContent(one, text));
      return at < 0 ? nodeOf(text) : remaining.splice(at, 1)[0];
    });
    for (const item of remaining) this.#drop(item);
    this.#isChanged ||= items.length !== list.items.length || items.some((item, at) => item !== list.items[at]);
    list.items = items;
  }

  #unset(pair: Pair, [name, ...below]: readonly string[]): boolean {
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const inner = isMap(pair.value) && name !== undefined ? pairIn(pair.value, name) : undefined;
    if (!isMap(pair.value) || name === undefined || inner === undefined) return false;
    const map = changeable(pair.value);
    if (below.length > 0 && !this.#unset(inner, below)) return false;
    this.#takeOut(map, indexOf(map, name), true);
    return map.items.length === 0;
  }

  /** Removes an entry or item. With `keepsAbove`, the comments above it stay. */
  #takeOut(collection: YAMLMap | YAMLSeq, at: number, keepsAbove: boolean): void {
    const item: unknown = collection.items[at];
    const first = item instanceof Pair ? item.key : item;
    const above = keepsAbove && isScalar(first) ? (first.commentBefore ?? null) : null;
    if (above !== null && isScalar(first)) first.commentBefore = null;
    this.#drop(item);
    this.#isChanged = true;
    collection.items.splice(at, 1);
    const next: unknown = collection.items[at];
    const following = next instanceof Pair ? next.key : next;
    if (isScalar(following) || isCollection(following))
      following.commentBefore = joined(above, following.commentBefore);
    else collection.comment = joined(above, collection.comment);
  }

  #drop(node: unknown): void {
    refuseAnchors(node);
    for (const comment of commentsIn(node)) this.#comments.splice(this.#comments.indexOf(comment), 1);
  }

  /** Gives a pair another value. The comment on its line stays there, or goes above the lines of the new value. */
  #replace(pair: Pair, node: Scalar | YAMLMap | YAMLSeq): void {
    const old = pair.value;
    pair.value = node;
    this.#isChanged = true;
    if (!isScalar(old) && !isCollection(old) && !isAlias(old)) return;
    const isOnLines = (one: YamlNode): boolean => isCollection(one) && one.flow !== true;
    const beside = isOnLines(old) ? null : (old.comment ?? null);
    const above = old.commentBefore ?? null;
    old.commentBefore = null;
    if (!isOnLines(old)) old.comment = null;
    this.#drop(old);
    node.spaceBefore = old.spaceBefore ?? false;
    node.commentBefore = isOnLines(node) ? joined(beside, above) : above;
    if (!isOnLines(node)) node.comment = beside;
  }
}

/** The keys of maps and the positions in lists, from the root of the unit. */
type Path = readonly (string | number)[];

/** Removes an indentation from lines. Some lines may have less of it. */
function withoutIndent(indent: string): (line: string) => string {
  return (line) => line.slice(Math.min(indent.length, line.length - line.trimStart().length));
}

/** Null for invalid YAML. Braces over several lines become lines, and comments below a value belong to what follows. */
function read(text: string): Document | null {
  const document = parseDocument(text, {
    schema: "failsafe",
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    customTags: (tags) =>
      tags.map((tag) =>
        typeof tag === "object" && tag.collection === undefined ? { ...tag, stringify: textOf } : tag,
      ),
  });
  if (document.errors.length > 0) return null;
  visit(document, {
    Pair: (_, pair) => {
      // `yaml` cannot print a key with a comment and nothing else.
      pair.value ??= plainScalar("");
      const { key, value } = pair;
      const isBeside = isScalar(key) && /^[^\n#]*#/.test(text.slice(key.range?.[1]));
      if (isBeside && isCollection(value) && value.flow !== true && value.commentBefore)
        value.commentBefore = BESIDE + value.commentBefore;
    },
    Node: (_, node, path) => {
      const [start = 0, end = start] = node.range ?? [];
      const source = text.slice(start, end);
      // The line break at the end of a block scalar is not part of it.
      if (isScalar(node)) node.source = isBlockScalar(node) ? source.replace(/\n$/, "") : source;
      if (isCollection(node) && source.includes("\n")) node.flow = false;
      const around = path.findLast((one) => isCollection(one));
      // The comment of a block scalar is part of its source.
      if ((isCollection(node) && node.flow !== true) || (isScalar(node) && isBlockScalar(node))) return;
      const [first = "", ...others] = node.comment?.split("\n") ?? [];
      const isBeside = /^[^\n]*#/.test(text.slice(end));
      const below = (isBeside ? others : [first, ...others]).join("\n");
      if (!isCollection(around) || below === "") return;
      node.comment = isBeside ? first : null;
      const items: readonly unknown[] = around.items;
      const next = items[items.indexOf(path.at(-1) === around ? node : path.at(-1)) + 1];
      const following = next instanceof Pair ? next.key : next;
      if (isScalar(following)) {
        const gap = text.slice(node.range?.[2], following.range?.[0]);
        following.commentBefore = joined(/\n\s*\n/.test(gap) ? `${below}\n` : below, following.commentBefore);
        following.spaceBefore = !isBeside && /^[ \t]*\n[ \t]*\n/.test(text.slice(end));
      } else around.comment = joined(below, around.comment);
    },
  });
  return document;
}

function isBlockScalar({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
}

/** A text that the file does not have yet. */
class NewText extends Scalar<string> {
  readonly isKey: boolean;

  constructor(value: string, isKey: boolean) {
    super(value);
    this.isKey = isKey;
  }
}

/** The text of a scalar: that of the file, with another indentation, or a new one. */
function textOf(
  scalar: Scalar,
  { indent, inFlow }: { readonly indent: string; readonly inFlow: boolean | null },
): string {
  if (scalar instanceof NewText) return (scalar.isKey ? keyText : scalarText)(scalar.value, inFlow === true);
  const [first = "", ...lines] = (scalar.source ?? "").split("\n");
  const least = Math.min(...lines.flatMap((line) => (line.trim() === "" ? [] : line.search(/\S/))));
  return [first, ...lines.map((line) => (line.trim() === "" ? "" : indent + line.slice(least)))].join("\n");
}

/** Marks the comment above a collection that is on the line of its key. `yaml` prints it on the next line. */
const BESIDE = "\uE000";

function print(document: Document, step: number): string {
  visit(document, {
    Scalar: (_, node) => {
      if (isBlockScalar(node)) node.comment = null;
    },
    Seq: (_, node) => {
      const toString = node.toString.bind(node);
      // `yaml` writes spaces in brackets.
      node.toString = (...context) => toString(...context).replace(/^\[ (.*) \]$/, "[$1]");
    },
  });
  const printed = document.toString({ lineWidth: 0, indent: step, verifyAliasOrder: false });
  // `yaml` writes spaces in the empty line below the comment of a collection.
  return printed.replaceAll(new RegExp(`\\n *#${BESIDE}`, "g"), " #").replaceAll(/\n +(?=\n)/g, "\n");
}

/** A number, a word of YAML or nothing. */
function plainScalar(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.source = text;
  return scalar;
}

function nodeOf(content: YamlContent): Scalar | YAMLMap | YAMLSeq {
  if (typeof content === "string") return new NewText(content, false);
  if (content === null || typeof content !== "object") return plainScalar(String(content));
  const node = isBlock(content) ? new YAMLMap() : new YAMLSeq();
  node.items = isBlock(content)
    ? content.entries.map(({ key, value }) => new Pair(new NewText(key, true), nodeOf(value)))
    : content.map(nodeOf);
  node.flow = isBlock(content) ? content.inline === true : content.length === 0;
  return node;
}

/** A collection that may be changed. An empty `{}` or `[]` gets lines if its surroundings have them. */
function changeable<T extends YAMLMap | YAMLSeq>(node: T): T {
  refuseAnchor(node);
  if (node.items.length === 0) node.flow = false;
  return node;
}

/** Comments below each other; null if there are none. */
function joined(...comments: readonly (string | null | undefined)[]): string | null {
  return comments.filter(Boolean).join("\n") || null;
}

function indexOf(map: YAMLMap, name: string): number {
  return map.items.findIndex((one) => pairKey(one) === name);
}

function pairIn(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((one) => pairKey(one) === name);
}

function refuseAnchor(node: YamlNode): void {
  if ("anchor" in node && node.anchor !== undefined) throw new LeftAlone(`it has the anchor \`&${node.anchor}\``);
}

function refuseAnchors(node: unknown): void {
  for (const one of nodesIn(node)) refuseAnchor(one);
}

/** A node and all nodes in it, in the order of the text. */
function nodesIn(node: unknown): YamlNode[] {
  if (node instanceof Pair) return [...nodesIn(node.key), ...nodesIn(node.value)];
  if (isCollection(node)) return [node, ...node.items.flatMap(nodesIn)];
  return isScalar(node) || isAlias(node) ? [node] : [];
}

/** The lines of the comments in a document or node, in the order of the text. */
function commentsIn(node: unknown): string[] {
  const [before, inner, after] = isDocument(node)
    ? [node.commentBefore, [node.contents], node.comment]
    : node instanceof Pair
      ? [null, [node.key, node.value], null]
      : isCollection(node)
        ? [node.commentBefore, node.items, node.comment]
        : isScalar(node) || isAlias(node)
          ? [node.commentBefore, [], node.comment]
          : [null, [], null];
  const lines = (text: string | null | undefined): string[] =>
    (text ?? "").split("\n").flatMap((line) => line.replace(BESIDE, "").trim() || []);
  return [...lines(before), ...inner.flatMap(commentsIn), ...lines(after)];
}

/** The meaning of a tree, to compare. */
function contentOf(node: unknown): unknown {
  if (node instanceof Pair) return [contentOf(node.key), contentOf(node.value)];
  if (isMap(node)) return { map: node.items.map(contentOf) };
  if (isSeq(node)) return node.items.map(contentOf);
  if (isAlias(node)) return { alias: node.source };
  return isScalar(node) ? String(node.value) : "";
}

/** Whether a scalar has this content already. Without quotes, `null` is not text. With quotes, only text is equal. */
function hasContent({ value, type }: Scalar, content: YamlContent): boolean {
  if (content !== null && typeof content === "object") return false;
  if (String(value) !== String(content)) return false;
  return type === Scalar.PLAIN ? typeof content !== "string" || content !== "null" : typeof content === "string";
}

/** The index for a key: after the last key before it in `order`, before the first key after it, or at the end. */
function positionAmong(names: readonly (string | null)[], name: string, order: readonly string[]): number {
  const rank = order.indexOf(name);
  const ranks = names.map((one) => (one === null ? -1 : order.indexOf(one)));
  const before = rank < 0 ? -1 : ranks.findLastIndex((one) => one >= 0 && one < rank);
  if (before >= 0) return before + 1;
  const after = rank < 0 ? -1 : ranks.findIndex((one) => one > rank);
  return after < 0 ? names.length : after;
}
