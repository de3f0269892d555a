// Reads correct YAML files by js-yaml's events, several times faster than by the syntax tree of `yaml`.

import {
  COLLECTION_STYLE,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
  type Event,
  type ScalarEvent,
} from "js-yaml";
import { Scalar, Schema, type ScalarTag } from "yaml";
import type { Place, SourceText } from "../domain/place.ts";
import type { ListNode, MapNode, ScalarNode, TreeEntry, TreeNode } from "./yaml.ts";

/**
 * The documents of a file as `yaml` reads them, without empty ones. Returns null for a file that contains a mistake, or something rare
 * that the two parsers may read differently. `yaml` must read that file.
 */
export function readEvents(text: string, source: SourceText): TreeNode[] | null {
  if (text.startsWith(" ") || text.endsWith(" ") || RARE.test(text)) return null;
  if (TAB_INDENTATION.test(text) && !isJsonLike(text)) return null;
  try {
    return new EventReader(text, source).documents();
  } catch (cause) {
    if (cause instanceof YAMLException || cause instanceof Refusal) return null;
    throw cause;
  }
}

/** Whether collections are nested more than `limit` levels deep, as far as the text has no mistake. */
export function isDeeperThan(limit: number, text: string): boolean {
  try {
    parseEvents(text, { maxDepth: limit });
    return false;
  } catch (cause) {
    return cause instanceof YAMLException && cause.reason.startsWith("nesting exceeded");
  }
}

/**
 * A byte order mark, a carriage return that ends no line, text after the end of a document, or a backslash at the end of a line: `yaml`
 * reads an empty line after it as a space.
 */
const RARE = /\uFEFF|\r(?!\n)|^\.\.\.[^\r\n]|\\[\r\n]/m;
const TAB_INDENTATION = /^ *\t/m;

/** Whether the text is in brackets, and every line in them starts with a bracket, a double quote or a comma. */
function isJsonLike(text: string): boolean {
  return /^[[{]/.test(text) && !/^[ \t]*[^\s{}[\]",]/m.test(text);
}

/** The longest key. `yaml` accepts a few more characters. */
const KEY_LIMIT = 1000;

/** Only `yaml` reads this file. */
class Refusal extends Error {}

function refuseUnless(isRead: boolean): asserts isRead {
  if (!isRead) throw new Refusal();
}

class EventReader {
  readonly #text: string;
  readonly #source: SourceText;
  readonly #events: readonly Event[];
  #next = 0;
  /** The offset after the last scalar or bracket. */
  #end = 0;

  constructor(text: string, source: SourceText) {
    this.#text = text;
    this.#source = source;
    this.#events = parseEvents(text, {});
  }

  documents(): TreeNode[] {
    const documents: TreeNode[] = [];
    while (this.#next < this.#events.length) {
      const event = this.#take();
      refuseUnless(event.type === EVENT_ID.DOCUMENT && event.directives.length === 0);
      const node = this.#node();
      if (node !== null) documents.push(node);
      refuseUnless(this.#isClosed());
    }
    return documents;
  }

  #take(): Event {
    const event = this.#events[this.#next];
    refuseUnless(event !== undefined);
    this.#next += 1;
    return event;
  }

  #isClosed(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  /** The next value; null if it is empty. */
  #node(): TreeNode | null {
    const event = this.#take();
    refuseUnless(event.type !== EVENT_ID.ALIAS && event.type !== EVENT_ID.DOCUMENT && event.type !== EVENT_ID.POP);
    refuseUnless(event.anchorStart < 0 && event.tagStart < 0);
    if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? null : this.#scalar(event);
    const isFlow = event.style === COLLECTION_STYLE.FLOW;
    return event.type === EVENT_ID.MAPPING ? this.#map(event.start, isFlow) : this.#list(event.start, isFlow);
  }

  #list(start: number, isFlow: boolean): ListNode {
    const items: TreeNode[] = [];
    while (!this.#isClosed()) {
      const item = this.#node();
      refuseUnless(item !== null);
      items.push(item);
    }
    return { type: "list", items, place: isFlow ? this.#flowPlace(start) : this.#source.place(start) };
  }

  #map(start: number, isFlow: boolean): MapNode {
    refuseUnless(!isFlow || this.#text[start] === "{");
    const entries = new Map<string, TreeEntry>();
    const blockPlace = isFlow ? null : this.#source.place(start);
    while (!this.#isClosed()) {
      const event = this.#take();
      refuseUnless(event.type === EVENT_ID.SCALAR && event.anchorStart < 0 && event.tagStart < 0);
      const { text: key, place: keyPlace } = this.#scalar(event);
      // A key in another column has a question mark before it.
      refuseUnless(blockPlace === null || (keyPlace.column === blockPlace.column && this.#text[this.#end] === ":"));
      refuseUnless(key.length <= KEY_LIMIT && key !== "<<" && key !== "__proto__" && !entries.has(key));
      const value = this.#node();
      // The key may be the rest of an address without quotes, which `yaml` reports.
      refuseUnless(value !== null || this.#text[event.valueStart - 1] !== ",");
      entries.set(key, { key, keyPlace, value: value ?? scalar("", null, keyPlace) });
    }
    const place = blockPlace ?? this.#flowPlace(start);
    return { type: "map", entries: [...entries.values()], byKey: entries, place, partial: false };
  }

  /** The place of a collection in brackets. Its last value was read. */
  #flowPlace(start: number): Place {
    let end = Math.max(this.#end, start + 1);
    for (let character = this.#text[end]; character !== "]" && character !== "}"; character = this.#text[++end]) {
      refuseUnless(character !== undefined);
      if (character === "#") end = this.#text.indexOf("\n", end);
    }
    this.#end = end + 1;
    return this.#source.place(start, this.#end);
  }

  #scalar(event: ScalarEvent): ScalarNode {
    const { valueStart: start, valueEnd: end, style } = event;
    refuseUnless(start >= 0);
    const text = event.fast ? this.#text.slice(start, end) : getScalarValue(this.#text, event);
    if (style === SCALAR_STYLE.PLAIN) {
      this.#end = end;
      return scalar(text, resolve(text), this.#source.place(start, end));
    }
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      this.#end = end + 1;
      return scalar(text, text, this.#source.place(start - 1, end + 1));
    }
    const lineStart = this.#text.lastIndexOf("\n", start - 2) + 1;
    const indicator = style === SCALAR_STYLE.LITERAL_BLOCK ? "|" : ">";
    const header = this.#text.indexOf(indicator, Math.max(lineStart, this.#end));
    // The two parsers do not agree about the last lines of a text with an indentation indicator.
    refuseUnless(!/\d/.test(this.#text.slice(header, header + 3)));
    this.#end = end;
    return scalar(text, text, this.#source.place(header, this.#text.length));
  }
}

function scalar(text: string, value: ScalarNode["value"], place: Place): ScalarNode {
  return { type: "scalar", text, value, place, broken: false };
}

/** The scalar tags of `yaml` that apply to text without quotes. */
function plainTags(schema: "core" | "yaml-1.1"): (ScalarTag & { test: RegExp })[] {
  return new Schema({ schema }).tags.filter(
    (tag): tag is ScalarTag & { test: RegExp } => "test" in tag && tag.test !== undefined && tag.default === true,
  );
}

const TAGS = plainTags("core");
const OLD_TAGS = plainTags("yaml-1.1");

/**
 * Whether a reader of YAML 1.1 takes text without quotes for something else: `no` for a boolean, `12_3` and `18:30` for numbers, a
 * date for a timestamp. `<<` and `=` are special keys there.
 */
export function isOtherInYaml11(text: string): boolean {
  return text === "<<" || text === "=" || OLD_TAGS.some(({ test }) => test.test(text));
}

/** The start of a number, a boolean or null. */
const MAY_HAVE_TAG = /^[-+.\d~nNtTfF]/;

/** The value of text without quotes in YAML 1.2. */
function resolve(text: string): ScalarNode["value"] {
  const tag = MAY_HAVE_TAG.test(text) ? TAGS.find(({ test }) => test.test(text)) : undefined;
  if (tag === undefined) return text;
  const read: unknown = tag.resolve(text, () => refuseUnless(false), {});
  const value: unknown = read instanceof Scalar ? read.value : read;
  refuseUnless(value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean");
  return value;
}
