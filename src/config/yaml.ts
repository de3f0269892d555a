// Parses YAML into a tree in which every key and value keeps its place and source text, and reports every syntax error.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  Scalar,
  stringify,
  type Pair,
  type Node as YamlNode,
} from "yaml";
import { append } from "../domain/collections.ts";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import { SourceText, type Place } from "../domain/place.ts";
import { isDeeperThan, readEvents } from "./yaml-events.ts";
import { CONFLICT_MARK, syntaxErrors, TOO_DEEP_HINT, type PlaceAt } from "./yaml-errors.ts";

const PARSING = {
  // yaml's check takes quadratic time and does not give the other place. `NodeReader` checks keys.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
  schema: "core",
  version: "1.2",
} as const;

/** What a file contains. */
interface ParsedYaml {
  readonly documents: TreeNode[];
  readonly diagnostics: Diagnostic[];
}

/**
 * Parses a file, which may have several documents. Returns every syntax error. Omits documents that are empty, have syntax errors, or
 * exceed the limits for nesting and aliases. `ref` is the commit of a file that is not on disk.
 */
export function parseYaml(text: string, file: string, ref: string | null = null): ParsedYaml {
  const source = new SourceText(text, file, ref);
  const correct = readEvents(text, source);
  if (correct !== null) return { documents: correct.filter((node) => !isNull(node)), diagnostics: [] };
  return isDeeperThan(SAFE_DEPTH, text) ? tooDeep(text, source) : parseAnyYaml(text, source);
}

/** The stack holds about twice as many levels. Near its end, V8 aborts the process if `yaml` has to compile a regular expression. */
const SAFE_DEPTH = 400;

function tooDeep(text: string, source: SourceText): ParsedYaml {
  const place = source.place(deepestLine(text));
  return { documents: [], diagnostics: [error("yaml-too-deep", "This is nested too deeply.", place, TOO_DEEP_HINT)] };
}

/** Parses a file with `yaml`, which is slower than `readEvents` but reads every file and reports every mistake. */
export function parseAnyYaml(text: string, source: SourceText): ParsedYaml {
  const diagnostics: Diagnostic[] = [];
  // yaml's LineCounter loses lines after syntax errors.
  const placeAt = (offset: number, end?: number): Place => source.place(offset, end);
  const conflictAt = text.search(CONFLICT_MARK);
  const documents: TreeNode[] = [];
  const parsed = parseDocuments(text);
  if (parsed === null) return tooDeep(text, source);
  for (const document of parsed) {
    append(diagnostics, syntaxErrors(document, { text, placeAt, conflictAt }));
    if (document.errors.length > 0 || document.contents === null) continue;
    const reader = new NodeReader(placeAt);
    const node = reader.read(document.contents, 0);
    append(diagnostics, reader.diagnostics);
    if (!reader.overLimit && !isNull(node)) documents.push(node);
  }
  return { documents, diagnostics };
}

/** Null if the text is nested so deeply that the parser, which is recursive, exceeds the stack. */
function parseDocuments(text: string): ReturnType<typeof parseAllDocuments> | null {
  try {
    return parseAllDocuments(text, PARSING);
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/** The offset of the first content in the line that starts with the most indentation and indicators. */
function deepestLine(text: string): number {
  let deepest = { length: -1, end: 0 };
  for (const match of text.matchAll(/^[ ?:-]*/gm)) {
    const [{ length }] = match;
    if (length > deepest.length) deepest = { length, end: match.index + length };
  }
  return Math.min(deepest.end, text.length);
}

/** A value on one line of YAML: `{ env: LINKFORM_SECRET_SPRING }`. */
export function formatInline(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

/** A single value. `text` is the source text, so `0123` and `on` are kept as written. */
export interface ScalarNode {
  readonly type: "scalar";
  readonly text: string;
  /** The value in YAML 1.2. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
  /** It could not be read, which has been reported. No other error is reported for it. */
  readonly broken: boolean;
}

export interface TreeEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: TreeNode;
}

export interface MapNode {
  readonly type: "map";
  readonly entries: readonly TreeEntry[];
  /** The same entries by key: a file may have ten thousand links. */
  readonly byKey: ReadonlyMap<string, TreeEntry>;
  readonly place: Place;
  /** An entry could not be read, which has been reported. It may be a key that seems to be missing. */
  readonly partial: boolean;
}

export interface ListNode {
  readonly type: "list";
  readonly items: readonly TreeNode[];
  readonly place: Place;
}

export type TreeNode = ScalarNode | MapNode | ListNode;

export function entry(node: TreeNode | undefined, key: string): TreeEntry | undefined {
  return node?.type === "map" ? node.byKey.get(key) : undefined;
}

/** Whether a value is `null`, `~` or empty. */
export function isNull(node: TreeNode): boolean {
  return node.type === "scalar" && node.value === null;
}

/** The trimmed text of a scalar that has one; null for other nodes. */
export function textOf(node: TreeNode | undefined): string | null {
  return node?.type === "scalar" && !isNull(node) ? node.text.trim() || null : null;
}

/** Whether a value could not be read completely, which has been reported. */
export function isDamaged(node: TreeNode): boolean {
  return (node.type === "scalar" && node.broken) || (node.type === "map" && node.partial);
}

/** How many nodes the aliases of a document may expand to. Real files need far fewer. */
const ALIAS_LIMIT = 100_000;
const DEPTH_LIMIT = 100;

/** Standard tags, which change nothing. Others are errors. */
const PLAIN_TAGS = new Set(["str", "int", "float", "bool", "null", "map", "seq"].map((t) => `tag:yaml.org,2002:${t}`));

/** Converts one document. Values with errors are marked in the tree. */
class NodeReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #placeAt: PlaceAt;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #open = new Set<YamlNode>();
  /** A limit was exceeded, so the rest of the tree is not complete. */
  overLimit = false;
  /** The place of the outermost alias that is being expanded. */
  #aliasPlace: Place | null = null;
  #expanded = 0;
  #inAlias = 0;

  constructor(placeAt: PlaceAt) {
    this.#placeAt = placeAt;
  }

  read(node: YamlNode, depth: number): TreeNode {
    const place = this.#placeOf(node);
    if (this.#inAlias > 0 && ++this.#expanded > ALIAS_LIMIT) {
      if (!this.overLimit) {
        this.overLimit = true;
        this.#report(
          "yaml-alias-bomb",
          "The YAML aliases in this file expand to more than 100,000 values.",
          this.#aliasPlace ?? place,
          "Write the values out, or use fewer nested aliases.",
        );
      }
      return emptyScalar(place, true);
    }
    if (depth > DEPTH_LIMIT && this.overLimit) return emptyScalar(place, true);
    if (depth > DEPTH_LIMIT) {
      this.overLimit = true;
      this.#report("yaml-too-deep", `This is nested more than ${DEPTH_LIMIT} levels deep.`, place, TOO_DEEP_HINT);
      return emptyScalar(place, true);
    }
    if (isAlias(node)) return this.#alias(node.source, place, depth);
    const hasKnownTag = this.#readProperties(node, place);
    this.#open.add(node);
    const read = this.#content(node, place, depth);
    this.#open.delete(node);
    return hasKnownTag || read.type !== "scalar" ? read : { ...read, broken: true };
  }

  /** A block collection is marked at its start, other nodes from start to end. */
  #placeOf(node: YamlNode): Place {
    const [start, end] = node.range ?? [0, 0];
    const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
    return this.#placeAt(start, isBlock ? start : end);
  }

  /** Registers a node's anchor. Returns false if its tag is not supported. */
  #readProperties(node: Pick<Scalar, "anchor" | "tag"> & YamlNode, place: Place): boolean {
    // Anchors inside an expanded alias are known. Setting them again would hide later ones with the same name.
    if (this.#inAlias > 0) return true;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (node.tag === undefined || PLAIN_TAGS.has(node.tag)) return true;
    const written = node.tag.replace("tag:yaml.org,2002:", "!!");
    this.#report(
      "yaml-tag",
      `The tag \`${written}\` is not supported.`,
      placeBefore(place, written),
      "Remove the tag.",
    );
    return false;
  }

  #content(node: YamlNode, place: Place, depth: number): TreeNode {
    if (isMap(node)) return this.#map(node.items, place, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => (isNode(item) ? this.read(item, depth + 1) : emptyScalar(place, false)));
      return { type: "list", items, place };
    }
    return isScalar(node) ? scalar(node, place) : emptyScalar(place, false);
  }

  #alias(name: string, place: Place, depth: number): TreeNode {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.#report(
        "yaml-alias",
        `The alias \`*${name}\` has no anchor \`&${name}\` before it.`,
        place,
        `If this is text, put quotes around it: \`"*${name}"\`. If it is an alias, put \`&${name}\` before its value, earlier in the file.`,
      );
      return emptyScalar(place, true);
    }
    if (this.#open.has(target)) {
      this.#report(
        "yaml-alias",
        `The alias \`*${name}\` is inside the value of its anchor.`,
        place,
        "Move it outside.",
      );
      return emptyScalar(place, true);
    }
    if (this.#inAlias === 0) this.#aliasPlace = place;
    this.#inAlias += 1;
    const read = this.read(target, depth + 1);
    this.#inAlias -= 1;
    // Mistakes in an expanded value are reported at the alias.
    return { ...read, place };
  }

  #map(pairs: readonly Pair[], place: Place, depth: number): MapNode {
    const entries = new Map<string, TreeEntry>();
    let partial = false;
    let isRest = false;
    for (const pair of pairs) {
      const wasRest = isRest;
      isRest = pair.value === null && isNode(pair.key) && followsBareAddress(this.#placeOf(pair.key));
      if (isRest && isScalar(pair.key)) {
        partial = true;
        const message = `The comma before \`${sourceOf(pair.key)}\` ends the address.`;
        if (!wasRest) this.#report("yaml-key", message, this.#placeOf(pair.key), BARE_ADDRESS_HINT);
        continue;
      }
      const key = this.#key(pair.key, entries, place);
      if (key === null) {
        partial = true;
        continue;
      }
      const value = isNode(pair.value) ? this.read(pair.value, depth + 1) : emptyScalar(key.keyPlace, false);
      // An empty value has the place of its key.
      const isWritten = !isScalar(pair.value) || pair.value.range?.[0] !== pair.value.range?.[1];
      entries.set(key.key, { ...key, value: isWritten ? value : { ...value, place: key.keyPlace } });
    }
    return { type: "map", entries: [...entries.values()], byKey: entries, place, partial };
  }

  /** The key of a pair; null if it is not valid. */
  #key(key: unknown, before: ReadonlyMap<string, TreeEntry>, mapPlace: Place): Omit<TreeEntry, "value"> | null {
    const keyPlace = isNode(key) ? this.#placeOf(key) : mapPlace;
    if (!isScalar(key) && isTemplate(mapPlace)) {
      const hint = "Write the value itself. Put quotes around text that starts with `{`.";
      this.#report("yaml-key", "Placeholders such as `{{ … }}` are not replaced.", mapPlace, hint);
      return null;
    }
    if (!isScalar(key)) {
      this.#report(
        "yaml-key",
        "A key must be plain text, not a list, a map or an alias.",
        keyPlace,
        "Write `key: value`. Put quotes around a value that starts with `{` or `[`.",
      );
      return null;
    }
    this.#readProperties(key, keyPlace);
    const text = sourceOf(key);
    if (text === "<<" && key.type === Scalar.PLAIN) {
      const hint = "Put shared fields under `defaults`.";
      this.#report("yaml-merge-key", "YAML merge keys (`<<`) are not supported.", keyPlace, hint);
      return null;
    }
    if (text === "__proto__") {
      this.diagnostics.push(prototypeKey(keyPlace));
      return null;
    }
    const first = before.get(text);
    if (first !== undefined) {
      this.diagnostics.push(duplicateKey(text, keyPlace, first.keyPlace));
      return null;
    }
    return { key: text, keyPlace };
  }

  #report(code: string, message: string, place: Place, hint: string): void {
    this.diagnostics.push(error(code, message, place, hint));
  }
}

function duplicateKey(key: string, place: Place, first: Place): Diagnostic {
  const message = `The key \`${key}\` appears twice, first on line ${first.line}.`;
  return besides(error("duplicate-key", message, place, "Keep one of the two."), first, "first here");
}

function prototypeKey(place: Place): Diagnostic {
  const hint = "Choose another key. You can write a link with this alias as go.example.com/__proto__.";
  return error("wrong-key", "`__proto__` cannot be a key.", place, hint);
}

/** The place of a text before another one on the same line; the other place if it is not found. */
function placeBefore(place: Place, text: string): Place {
  const at = place.source?.line(place.line)?.lastIndexOf(text, place.column - 1) ?? -1;
  return at < 0 ? place : { ...place, column: at + 1, length: text.length };
}

export const BARE_ADDRESS_HINT =
  "Put quotes around the address. In `{ }` and `[ ]`, a comma ends an address without quotes.";

/** Whether a key or item begins directly after the comma in an address without quotes: `note` in `{ url: https://example.com/x,note }`. */
export function followsBareAddress({ source, line, column }: Place): boolean {
  return /(?:^|[\s{[,:])[a-z]+:\/\/[^\s"']*,$/i.test(source?.line(line)?.slice(0, column - 1) ?? "");
}

/** Whether a template's `{{` begins here. */
function isTemplate({ source, line, column }: Place): boolean {
  return source?.line(line)?.startsWith("{{", column - 1) === true;
}

function isNode(value: unknown): value is YamlNode {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function scalar(node: Scalar, place: Place): ScalarNode {
  const text = sourceOf(node);
  const { value } = node;
  const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null;
  return { type: "scalar", text, value: plain ? value : text, place, broken: false };
}

/** The source text of a scalar, without quotes. */
function sourceOf(node: Scalar): string {
  if (node.type === Scalar.PLAIN) return node.source ?? "";
  return typeof node.value === "string" ? node.value : (node.source ?? "");
}

function emptyScalar(place: Place, broken: boolean): ScalarNode {
  return { type: "scalar", text: "", value: null, place, broken };
}
