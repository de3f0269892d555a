// Edits one part of a file, such as a block: parses its text, edits the tree, prints it, and puts back the white space of all words that
// stay. Refuses edits that would change other text.

import { diffArrays, type ArrayChange } from "diff";
import {
  CST,
  isAlias,
  isCollection,
  isDocument,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
  type Document,
  type Node as YamlNode,
} from "yaml";
import { append } from "../domain/collections.ts";
import { pairKey } from "./key-order.ts";
import { isBlock, keyText, type Quoting, scalarText, yamlText, type YamlContent } from "./yaml-text.ts";

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
  readonly #document: Document;
  /** Collections that must be printed. Everything else is copied from the text. */
  readonly #touched = new Set<unknown>();
  /** The items of lists as they are in the text: paths refer to them. */
  readonly #items = new Map<YAMLSeq, readonly unknown[]>();
  /** How many entries were added after an entry. */
  readonly #countsAfter = new Map<unknown, number>();
  readonly #comments: string[];
  #isChanged = false;

  /** `text`: whole lines. `step`: the indentation of a level in the file. */
  constructor(text: string, lineBreak: string, step: number) {
    this.#text = text;
    this.#lineBreak = lineBreak;
    this.#step = step;
    this.#document = parse(text);
    this.#comments = commentsIn(this.#document);
    for (const node of nodesIn(this.#document.contents)) if (isSeq(node)) this.#items.set(node, [...node.items]);
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
    let [pair, isFlow] = this.#pairAt(path);
    for (const [at, name] of below.entries()) {
      const map = this.#mapAt(pair, isFlow);
      isFlow ||= map.flow === true;
      pair = pairIn(map, name) ?? this.#insert(map, name, isFlow, order(below.slice(0, at)));
    }
    this.#assign(pair, content, isFlow, isSet);
  }

  /** Removes a value below an entry, and the maps that become empty. */
  unset(path: Path, below: readonly string[]): void {
    const [pair] = this.#pairAt(path);
    this.#unset(pair, below);
  }

  rename(path: Path, key: string): void {
    const [pair, isFlow] = this.#pairAt(path);
    refuseAnchors(pair.key);
    const old = isScalar(pair.key) ? pair.key : null;
    this.#isChanged = true;
    pair.key = placedLike(textScalar(keyText(key, isFlow, quotingOf(old)), key), old);
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
      if (isMap(node) || isSeq(node)) this.#touch(node);
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

  /** Adds an entry to a map, or an item to a list, beside another entry or at the end. Creates the collection if it is missing. */
  add(
    path: Path,
    { key, content, comments }: Added,
    beside: { readonly key: string; readonly side: "after" | "before" } | null = null,
  ): void {
    const [pair, isOuterFlow] = this.#pairAt(path, true);
    const collection = key === null ? this.#listAt(pair) : this.#mapAt(pair, isOuterFlow);
    const isFlow = isOuterFlow || collection.flow === true;
    const value = content === undefined ? textScalar("", "") : this.#node(content, isFlow);
    const name = key === null ? null : textScalar(keyText(key, isFlow), key);
    this.#isChanged = true;
    if (comments.length > 0) {
      // A comment in braces would need a line for each entry.
      const commented = isFlow ? this.#keyAround(path) : (name ?? value);
      commented.commentBefore = joined(commented.commentBefore, ...comments);
    }
    append(
      this.#comments,
      comments.map((one) => one.trim()),
    );
    if (isSeq(collection)) collection.items.push(value);
    else if (name !== null) {
      const at = beside === null ? -1 : indexOf(collection, beside.key);
      const other: unknown = collection.items[at];
      const count = (this.#countsAfter.get(other) ?? 0) + 1;
      const isAfter = beside?.side === "after";
      if (isAfter) this.#countsAfter.set(other, count);
      const index = at < 0 ? collection.items.length : at + (isAfter ? count : 0);
      collection.items.splice(index, 0, new Pair(name, value));
    }
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

  /** The new text. Throws `LeftAlone` if more than the edits would change it. */
  get text(): string {
    const expected = JSON.stringify(contentOf(this.#document.contents));
    if (!this.#isChanged) return this.#text;
    const printed = print(this.#document, this.#text, this.#touched, this.#step);
    const before = print(parse(this.#text), this.#text, new Set(), this.#step);
    const text = withWhiteSpace(this.#text, before, printed, this.#lineBreak);
    const after = read(text);
    const isAsEdited =
      after !== null &&
      JSON.stringify(contentOf(after.contents)) === expected &&
      JSON.stringify(commentsIn(after).toSorted()) === JSON.stringify(this.#comments.toSorted());
    if (!isAsEdited) throw new LeftAlone("the edit would also change other text");
    return text;
  }

  /** The entry at a path, which is changed. `creates`: adds it if it is missing. */
  #pairAt(path: Path, creates = false): [pair: Pair, isFlow: boolean] {
    const root = new Pair(null, this.#document.contents);
    let [pair, isFlow]: [Pair, boolean] = [root, false];
    for (const step of path) {
      const { value } = pair;
      const map: YAMLMap = isMap(value) ? this.#touch(value) : this.#mapAt(pair, isFlow);
      isFlow ||= map.flow === true;
      const next = pairIn(map, String(step)) ?? (creates ? this.#insert(map, String(step), isFlow, []) : undefined);
      if (next === undefined) throw new LeftAlone("it was not found in the text");
      pair = next;
    }
    return [pair, isFlow];
  }

  /** The key of the outermost value in braces or brackets on a path. */
  #keyAround(path: Path): Scalar {
    let node: unknown = this.#document.contents;
    for (const step of path) {
      if (!isMap(node) || node.flow === true) break;
      const { key, value }: Partial<Pair> = pairIn(node, String(step)) ?? {};
      if (isScalar(key) && isCollection(value) && value.flow === true) return key;
      node = value;
    }
    throw new LeftAlone("there is no line for its comments");
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
  #mapAt(pair: Pair, isFlow: boolean): YAMLMap {
    if (isMap(pair.value)) return this.#touch(pair.value);
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const map = new YAMLMap();
    map.flow = isFlow;
    this.#replace(pair, map);
    return map;
  }

  #listAt(pair: Pair): YAMLSeq {
    if (isSeq(pair.value)) return this.#touch(pair.value);
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const added = new YAMLSeq();
    this.#replace(pair, added);
    return added;
  }

  #touch<T extends YAMLMap | YAMLSeq>(node: T): T {
    refuseAnchor(node);
    // An empty `{}` or `[]` gets lines if its surroundings have them.
    if (node.items.length === 0) node.flow = false;
    this.#touched.add(node);
    return node;
  }

  #insert(map: YAMLMap, name: string, isFlow: boolean, order: readonly string[]): Pair {
    const pair: Pair = new Pair(textScalar(keyText(name, isFlow), name), textScalar("", ""));
    map.items.splice(positionAmong(map.items.map(pairKey), name, order), 0, pair);
    return pair;
  }

  #assign(pair: Pair, content: YamlContent, isFlow: boolean, isSet: boolean): void {
    const { value } = pair;
    if (content !== null && typeof content === "object" && isBlock(content) && isMap(value) && value.items.length > 0) {
      const map = this.#touch(value);
      for (const name of map.items.flatMap((one) => pairKey(one) ?? []))
        if (!content.entries.some(({ key }) => key === name)) this.#takeOut(map, indexOf(map, name), true);
      for (const { key, value: inner } of content.entries) {
        const isInFlow = isFlow || map.flow === true;
        this.#assign(pairIn(map, key) ?? this.#insert(map, key, isInFlow, []), inner, isInFlow, false);
      }
    } else if (Array.isArray(content) && isSeq(value) && value.items.length > 0 && content.length > 0)
      this.#assignList(this.#touch(value), content.map(String), isFlow, isSet);
    else if (!isScalar(value) || !hasContent(value, content)) this.#replace(pair, this.#node(content, isFlow, value));
  }

  /** Sets the items of a list. Items that it already has keep their text and comments. */
  #assignList(list: YAMLSeq, wanted: readonly string[], isFlow: boolean, isSet: boolean): void {
    const old = list.items.map((item) => (isScalar(item) ? String(item.value) : ""));
    const added = wanted.filter((text) => !old.includes(text));
    const texts = isSet ? [...old.filter((text) => wanted.includes(text)), ...added] : wanted;
    const remaining = [...list.items];
    const items = texts.map((text) => {
      const at = remaining.findIndex((one) => isScalar(one) && hasContent(one, text));
      return at < 0 ? this.#node(text, isFlow || list.flow === true) : remaining.splice(at, 1)[0];
    });
    for (const item of remaining) this.#drop(item);
    this.#isChanged ||= items.length !== list.items.length || items.some((item, at) => item !== list.items[at]);
    list.items = items;
  }

  #unset(pair: Pair, [name, ...below]: readonly string[]): boolean {
    if (isAlias(pair.value)) throw new LeftAlone("it uses an alias");
    const inner = isMap(pair.value) && name !== undefined ? pairIn(pair.value, name) : undefined;
    if (!isMap(pair.value) || name === undefined || inner === undefined) return false;
    this.#touch(pair.value);
    if (below.length > 0 && !this.#unset(inner, below)) return false;
    this.#takeOut(pair.value, indexOf(pair.value, name), true);
    return pair.value.items.length === 0;
  }

  /** Removes an entry or item. The comments below it stay, and with `keepsAbove` those above it. */
  #takeOut(collection: YAMLMap | YAMLSeq, at: number, keepsAbove: boolean): void {
    const item: unknown = collection.items[at];
    const first = item instanceof Pair ? item.key : item;
    const last = item instanceof Pair ? (item.value ?? item.key) : item;
    const above = keepsAbove && isScalar(first) ? (first.commentBefore ?? null) : null;
    if (above !== null && isScalar(first)) first.commentBefore = null;
    const below = this.#takeBelow(last);
    this.#drop(item);
    this.#isChanged = true;
    collection.items.splice(at, 1);
    const next: unknown = collection.items[at];
    const following = next instanceof Pair ? next.key : next;
    if (isScalar(following) || isCollection(following))
      following.commentBefore = joined(above, below, following.commentBefore);
    else collection.comment = joined(above, below, collection.comment);
  }

  /** Takes the lines of a comment that are below a value. `yaml` adds them to the comment on its line. */
  #takeBelow(node: unknown): string | null {
    if (!isScalar(node) && !isAlias(node) && !(isCollection(node) && node.flow === true)) return null;
    const { comment, range } = node;
    if (typeof comment !== "string" || range === undefined || range === null) return null;
    const isBeside = /^[^\n]*#/.test(this.#text.slice(range[1]));
    const [first = "", ...others] = comment.split("\n");
    node.comment = isBeside ? first : null;
    return (isBeside ? others.join("\n") : comment) || null;
  }

  #drop(node: unknown): void {
    refuseAnchors(node);
    const gone = commentsIn(node);
    for (const comment of gone) this.#comments.splice(this.#comments.indexOf(comment), 1);
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

  #node(content: YamlContent, isFlow: boolean, old: unknown = null): Scalar | YAMLMap | YAMLSeq {
    if (content === null || typeof content !== "object")
      return textScalar(scalarText(content, isFlow, quotingOf(old)), String(content));
    const { contents } = parse(yamlText({ entries: [{ key: "k", value: content }], inline: isFlow }));
    const node = isMap(contents) ? pairIn(contents, "k")?.value : null;
    if (!isMap(node) && !isSeq(node)) throw new Error("a map or list was written as something else");
    // Its offsets are not those of the text of this unit.
    for (const one of nodesIn(node)) one.range = null;
    append(this.#comments, commentsIn(node));
    return node;
  }
}

/** The keys of maps and the positions in lists, from the root of the unit. */
type Path = readonly (string | number)[];

function parse(text: string): Document {
  const document = read(text);
  if (document === null) throw new LeftAlone("it cannot be read without the lines around it");
  return document;
}

/** Null for invalid YAML. */
function read(text: string): Document | null {
  const document = parseDocument(text, {
    schema: "failsafe",
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    customTags: (tags) =>
      tags.map((tag) =>
        typeof tag === "object" && tag.collection === undefined ? { ...tag, stringify: sourceOf } : tag,
      ),
  });
  if (document.errors.length > 0) return null;
  visit(document, {
    Scalar: (_, node) => {
      const [start = 0, end = start] = node.range ?? [];
      node.source = text.slice(start, end);
      if (node.type !== Scalar.BLOCK_FOLDED && node.type !== Scalar.BLOCK_LITERAL) return;
      // The line break at the end of a block scalar is not part of it, but the comment in its first line is.
      node.source = node.source.replace(/\r?\n$/, "");
    },
  });
  return document;
}

function sourceOf({ source }: Scalar): string {
  return source ?? "";
}

/** Prints a document. Flow collections that were not touched are copied from the text. */
function print(document: Document, text: string, touched: ReadonlySet<unknown>, step: number): string {
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL) node.comment = null;
    },
    Collection: (_, node) => {
      const [start, end] = node.range ?? [];
      const isRead = start !== undefined && end !== undefined;
      if (node.flow === true && isRead && !touched.has(node))
        return placedLike(textScalar(text.slice(start, end), "", node), node);
      const source = isRead && node.flow === true ? text.slice(start, end) : null;
      const toString = node.toString.bind(node);
      node.toString = (context, ...rest) => {
        if (context === undefined) return toString();
        const isOnLines = source?.includes("\n") === true;
        const printed = toString(
          { ...context, options: { ...context.options, lineWidth: isOnLines ? 1 : 0 } },
          ...rest,
        );
        const isPadded = source === null ? printed.startsWith("{ ") : /^.[ \n\r]/.test(source);
        return isPadded ? printed : printed.replace(/^([[{]) (.*) ([\]}])$/s, "$1$2$3");
      };
      return undefined;
    },
  });
  const printed = document.toString({ lineWidth: 0, indent: step, verifyAliasOrder: false });
  // `yaml` begins a collection over several lines on the line below its key.
  return printed.replaceAll(/:\n +(?=[[{]\n)/g, ": ");
}

/** A scalar that is printed as this text. */
function textScalar(source: string, value: string, like?: YamlNode): Scalar<string> {
  const scalar = new Scalar(value);
  scalar.source = source;
  if (like !== undefined && "anchor" in like && like.anchor !== undefined) scalar.anchor = like.anchor;
  if (like?.tag !== undefined) scalar.tag = like.tag;
  return scalar;
}

function placedLike<T extends YamlNode>(node: T, old: YamlNode | null): T {
  node.comment = old?.comment ?? null;
  node.commentBefore = old?.commentBefore ?? null;
  node.spaceBefore = old?.spaceBefore ?? false;
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
    (text ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
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

function quotingOf(node: unknown): Quoting {
  if (!isScalar(node)) return "plain";
  return node.type === Scalar.QUOTE_DOUBLE ? "double" : node.type === Scalar.QUOTE_SINGLE ? "single" : "plain";
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

/** A scalar, comment or indicator in a text, with the white space before it. */
interface Word {
  readonly space: string;
  readonly word: string;
}

type Line = readonly Word[];

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let space = "";
  for (const token of new Lexer().lex(text)) {
    const word = token.trim();
    if (LEXER_MARKS.has(token)) continue;
    const start = word === "" ? token.length : token.indexOf(word);
    space += token.slice(0, start);
    if (word === "") continue;
    words.push({ space, word });
    // The text of a block scalar ends with a line break.
    space = token.slice(start + word.length);
  }
  return words;
}

/** What the lexer adds to the text: the start of a document, the end of a broken collection, and the start of a scalar. */
const LEXER_MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** How lines of two texts match: first equal lines, then lines with other white space, and then lines with the same first word. */
const SAME_LINE: readonly ((a: Line, b: Line) => boolean)[] = [
  (a, b) => a.length === b.length && a.every((one, at) => one.space === b[at]?.space && isSameWord(one, b[at])),
  (a, b) => a.length === b.length && a.every((one, at) => isSameWord(one, b[at])),
  ([a], [b]) => isSameWord(a, b),
];

function isSameWord(a: Word | undefined, b: Word | undefined): boolean {
  return a?.word === b?.word;
}

/** The words that are kept, removed and added. Lines are matched first, so that a word does not match one in another line. */
function changesOf(
  old: readonly Word[],
  now: readonly Word[],
): Pick<ArrayChange<Word>, "added" | "removed" | "count">[] {
  let parts: [Line[], Line[]][] = [[inLines(old), inLines(now)]];
  for (const isSame of SAME_LINE) parts = parts.flatMap(([a, b]) => split(a, b, isSame));
  return parts.flatMap(([a, b]) => diffArrays(a.flat(), b.flat(), { comparator: isSameWord }));
}

/** The pairs of lines that match, and the other lines between them. */
function split(old: Line[], now: Line[], isSame: (a: Line, b: Line) => boolean): [Line[], Line[]][] {
  let from = 0;
  const parts = diffArrays(old, now, { comparator: isSame });
  return parts.flatMap(({ added, removed, value }, at): [Line[], Line[]][] => {
    const next = parts[at + 1];
    if (added) return parts[at - 1]?.removed === true ? [] : [[[], value]];
    const own = old.slice(from, (from += value.length));
    if (removed) return [[own, next?.added === true ? next.value : []]];
    return value.map((line, index) => [own.slice(index, index + 1), [line]]);
  });
}

function inLines(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    if (hasBreak(word.space) || lines.length === 0) lines.push([]);
    lines.at(-1)?.push(word);
  }
  return lines;
}

/**
 * The printed text with the white space of the original where a word and the kind of white space before it have not changed. `before`
 * is the original as it is printed without edits: it must have the same words.
 */
function withWhiteSpace(original: string, before: string, printed: string, lineBreak: string): string {
  const [given, old, now] = [wordsOf(original), wordsOf(before), wordsOf(printed)];
  if (given.length !== old.length || given.some(({ word }, at) => word !== old[at]?.word))
    throw new LeftAlone("the edit would also change its formatting");
  const parts = changesOf(old, now);
  const spaces: (string | null)[] = [];
  let from = 0;
  // The first word of a new text takes the white space of the text that it replaces.
  let replaced: number | null = null;
  let last = -1;
  for (const { added, removed, count } of parts) {
    const isReplacing = added && replaced !== null;
    if (removed) replaced = from;
    if (removed) from += count;
    else
      for (let index = 0; index < count; index += 1) {
        const own = added ? replaced : from++;
        const [space, was] = [now[spaces.length]?.space ?? "", old[own ?? -1]?.space ?? ""];
        const isAlike = added ? indentOf(space) === indentOf(was) : hasBreak(space) === hasBreak(was);
        // `yaml` may print a comment on another line, but not if it follows the same word. Spaces that end a line stay before a comment.
        const isFirst = hasBreak(space);
        const isMovable = isFirst || now[spaces.length]?.word.startsWith("#") === true;
        const isInPlace = own === last + 1 || (isMovable && hasBreak(given[own ?? -1]?.space) === isFirst);
        const kept = own !== null && isAlike && isInPlace ? given[own] : null;
        // As in `"a":1`: nothing is between a key in quotes and its value, but `a: 1` needs a space.
        const isTight = kept?.space === "" && space !== "";
        const isOther = isTight && given[(own ?? 0) - 2]?.word !== now[spaces.length - 2]?.word;
        last = isReplacing || !added ? from - 1 : -1;
        spaces.push(isOther ? null : (kept?.space ?? null));
        replaced = null;
      }
  }
  // New lines are indented like those above them, or like others of their level. A level is where `yaml` begins a line.
  const usual: number[] = [];
  for (const [at, { space }] of now.entries()) {
    const [level, indent] = [indentOf(space), indentOf(spaces[at] ?? "")];
    if (level !== null && indent !== null) usual[level] ??= indent;
  }
  let levels = [given[0]?.space.length ?? 0];
  const written = now.map(({ space, word }, at) => {
    if (at === 0) return (given[0]?.space ?? "") + word;
    const [level, known] = [indentOf(space), spaces[at] ?? null];
    if (level === null) return (known ?? space) + word;
    levels = levels.slice(0, level + 1);
    const parent = levels.findLastIndex((one, index) => one !== undefined && index < level);
    const indent = levels[level] ?? usual[level] ?? (levels[parent] ?? 0) + level - parent;
    levels[level] = (known === null ? null : indentOf(known)) ?? indent;
    return (known ?? lineBreak.repeat(space.split("\n").length - 1) + " ".repeat(indent)) + word;
  });
  const isLastKept = parts.at(-1)?.added !== true && parts.at(-1)?.removed !== true;
  return written.join("") + (isLastKept ? (/\s*$/.exec(original)?.[0] ?? "") : "");
}

function hasBreak(space: string | undefined): boolean {
  return space?.includes("\n") === true;
}

/** The indentation of a word that is the first in its line; null for other words. */
function indentOf(space: string): number | null {
  return hasBreak(space) ? space.length - space.lastIndexOf("\n") - 1 : null;
}
