// Reads YAML, and JSON as a part of it, from js-yaml's events into a tree in which every key and value keeps its place and source text.

import {
  boolCoreTag,
  COLLECTION_STYLE,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { besides, error, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place, SourceText } from "../domain/place.ts";
import type { ListNode, MapNode, ScalarNode, TreeEntry, TreeNode } from "./yaml.ts";

export interface ReadYaml {
  /** Without empty ones. */
  readonly documents: TreeNode[];
  readonly diagnostics: Diagnostic[];
}

/** Returns js-yaml's reason if it refuses the text. A text that exceeds a limit has no documents. */
export function readEvents(text: string, source: SourceText): ReadYaml | YAMLException {
  const loneReturn = text.search(/\r(?!\n)/);
  if (loneReturn >= 0) {
    const message = "A carriage return is not at the end of its line.";
    const hint = "Remove it. Save the file with the line endings of Linux or Windows.";
    return { documents: [], diagnostics: [error("yaml-syntax", message, source.place(loneReturn), hint)] };
  }
  try {
    const reader = new EventReader(text, source);
    const documents = reader.documents().filter((node) => !isNull(node));
    const { overLimit, diagnostics } = reader;
    return overLimit === null ? { documents, diagnostics } : { documents: [], diagnostics: [overLimit] };
  } catch (cause) {
    if (cause instanceof YAMLException) return cause;
    throw cause;
  }
}

/** Whether a key follows the comma in an address without quotes: `note` in `{ url: https://example.com/x,note }`. */
function followsBareAddress({ source, line, column }: Place): boolean {
  return /(?:^|[\s{[,:])[a-z]+:\/\/[^\s"']*,$/i.test(source?.line(line)?.slice(0, column - 1) ?? "");
}

export function tooDeep(place: Place): Diagnostic {
  const hint = "A linkform file needs at most six levels.";
  return error("yaml-too-deep", "This is nested more than 100 levels deep.", place, hint);
}

/** The nodes that the aliases of a file may expand to. */
const ALIAS_LIMIT = 100_000;
const DEPTH_LIMIT = 100;

/** In characters. `yaml`, which writes files, reads a few more. */
const KEY_LIMIT = 1000;

/** Whether a value is `null`, `~` or empty. */
export function isNull(node: TreeNode): boolean {
  return node.type === "scalar" && node.value === null;
}

/** The part before a colon without a space, in a text that was probably meant as `key: value`; null for another text. */
export function keyBeforeColon(text: string): string | null {
  return /^([^\s:]+):(?!\/\/)\S/.exec(text)?.[1] ?? null;
}

/** A key for messages. What follows a colon or an equals sign may be a secret, and so may the user in an address. */
export function shownKey(key: string): string {
  return key.replace(/^([^:=]+(?:=|:(?!\/\/)))\s*\S.*$/s, "$1…").replace(/^([^:]+:\/\/)[^\s/?#]*@/, "$1•••@");
}

/** The text before an indicator, with comments. */
const UP_TO_DASH = /(?:[^-#]|#.*)*/y;
const UP_TO_COLON = /(?:[^:?#]|#.*)*/y;
const UP_TO_BRACKET = /(?:[^\]}#]|#.*)*/y;

class EventReader {
  readonly diagnostics: Diagnostic[] = [];
  /** If the aliases exceed a limit. */
  overLimit: Diagnostic | null = null;
  readonly #text: string;
  readonly #source: SourceText;
  readonly #events: readonly Event[];
  #next = 0;
  /** The offset after the last scalar, property or bracket. */
  #end = 0;
  /** `node` is null inside of the value. */
  #anchors = new Map<string, { node: TreeNode | null }>();
  #expanded = 0;

  constructor(text: string, source: SourceText) {
    this.#text = text;
    this.#source = source;
    this.#events = parseEvents(text, { maxDepth: DEPTH_LIMIT });
  }

  documents(): TreeNode[] {
    const documents: TreeNode[] = [];
    while (this.#next < this.#events.length) {
      this.#take();
      this.#anchors = new Map();
      documents.push(this.#node(null, 0));
      this.#isClosed();
    }
    return documents;
  }

  #take(): Event {
    const event = this.#events[this.#next];
    if (event === undefined) throw new Error("js-yaml's events end inside of a value");
    this.#next += 1;
    return event;
  }

  #isClosed(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  /** `emptyPlace` is the place of a value without a text, if that is not here. */
  #node(emptyPlace: Place | null, depth: number): TreeNode {
    const event = this.#take();
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event, depth);
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
      throw new Error("js-yaml's events have no value where one is required");
    const { anchorStart, anchorEnd, tagStart, tagEnd } = event;
    this.#end = Math.max(this.#end, anchorEnd, tagEnd);
    const tag = this.#text.slice(tagStart, tagEnd);
    const isSupported = tag === "" || STANDARD_TAGS.test(tag);
    if (!isSupported) {
      const hint = "Remove the tag. If this is text, put quotes around it.";
      this.#report("yaml-tag", "This tag is not supported.", this.#source.place(tagStart, tagEnd), hint);
    }
    const anchor: { node: TreeNode | null } = { node: null };
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), anchor);
    const read =
      event.type === EVENT_ID.MAPPING
        ? this.#map(event, depth)
        : event.type === EVENT_ID.SEQUENCE
          ? this.#list(event, depth)
          : this.#scalar(event, emptyPlace);
    if (read.type !== "scalar" || tag === "") anchor.node = read;
    else anchor.node = { ...read, value: tag === "!!str" ? read.text : read.value, broken: !isSupported };
    return anchor.node;
  }

  /** Mistakes in an expanded value are reported at the alias. */
  #alias({ anchorStart, anchorEnd }: AliasEvent, depth: number): TreeNode {
    this.#end = anchorEnd;
    const place = this.#source.place(anchorStart - 1, anchorEnd);
    const anchor = this.#anchors.get(this.#text.slice(anchorStart, anchorEnd));
    if (anchor?.node) {
      this.#checkLimits(anchor.node, depth + 1, place);
      return { ...anchor.node, place };
    }
    // A password can begin with this character, so messages do not repeat the name.
    const [message, hint] = anchor
      ? ["This alias is inside the value of its anchor.", "Move it outside."]
      : [
          "This alias has no anchor before it.",
          "If this is text, put quotes around it. If it is an alias, put its anchor (`&` and the name) before its value, earlier in the file.",
        ];
    this.#report("yaml-alias", message, place, hint);
    return { ...scalar("", null, place), broken: true };
  }

  #checkLimits(node: TreeNode, depth: number, place: Place): void {
    if (this.overLimit !== null) return;
    this.#expanded += 1;
    if (this.#expanded > ALIAS_LIMIT) {
      const message = "The YAML aliases in this file expand to more than 100,000 values.";
      const hint = "Write the values out, or use fewer nested aliases.";
      this.overLimit = error("yaml-alias-bomb", message, place, hint);
    } else if (depth > DEPTH_LIMIT) this.overLimit = tooDeep(place);
    const inner = node.type === "map" ? node.entries.map(({ value }) => value) : node.type === "list" ? node.items : [];
    for (const value of inner) this.#checkLimits(value, depth + 1, place);
  }

  #list({ start, style }: SequenceEvent, depth: number): ListNode {
    const isFlow = style === COLLECTION_STYLE.FLOW;
    this.#end = Math.max(this.#end, start);
    const items: TreeNode[] = [];
    while (!this.#isClosed()) {
      if (!isFlow) this.#end = this.#skipTo(UP_TO_DASH, this.#end) + 1;
      items.push(this.#node(null, depth + 1));
    }
    return { type: "list", items, place: isFlow ? this.#flowPlace(start) : this.#source.place(start) };
  }

  #map({ start, style }: MappingEvent, depth: number): MapNode {
    // A pair in a list, `[a: b]`, is a map without brackets.
    const isFlow = style === COLLECTION_STYLE.FLOW && this.#text[start] === "{";
    const place = this.#source.place(start);
    const entries = new Map<string, TreeEntry>();
    let partial = false;
    /** Whether the key is the rest of an address. */
    let isRest = false;
    while (!this.#isClosed()) {
      const event = this.#events[this.#next];
      const isEmpty = event?.type === EVENT_ID.SCALAR && event.valueStart < 0;
      const keyStart = isEmpty ? this.#skipTo(UP_TO_COLON, Math.max(this.#end, start)) : start;
      const key = this.#node(isEmpty ? this.#source.place(keyStart) : place, depth + 1);
      const after = this.#text[this.#end];
      const value = this.#node(key.place, depth + 1);
      const wasRest = isRest;
      isRest = isFlow && isNull(value) && after !== ":" && followsBareAddress(key.place);
      if (isRest && key.type === "scalar") {
        const message = `The comma before \`${shownKey(key.text)}\` ends the address.`;
        const hint = "Put quotes around the address. In `{ }` and `[ ]`, a comma ends an address without quotes.";
        if (!wasRest) this.#report("yaml-key", message, key.place, hint);
      } else if (this.#isKey(key, event, entries)) {
        entries.set(key.text, { key: key.text, keyPlace: key.place, value });
        continue;
      }
      partial = true;
    }
    const mapPlace = isFlow ? this.#flowPlace(start) : place;
    return { type: "map", entries: [...entries.values()], byKey: entries, place: mapPlace, partial };
  }

  /** Reports why a node cannot be a key. */
  #isKey(key: TreeNode, event: Event | undefined, before: ReadonlyMap<string, TreeEntry>): key is ScalarNode {
    if (event?.type !== EVENT_ID.SCALAR || key.type !== "scalar") {
      const hint = "Write `key: value`. Put quotes around a value that starts with `{` or `[`.";
      this.#report("yaml-key", "A key must be plain text, not a list, a map or an alias.", key.place, hint);
      return false;
    }
    const { text, place } = key;
    const first = before.get(text);
    if (text === "<<" && event.style === SCALAR_STYLE.PLAIN) {
      const hint = "Put shared fields under `defaults`.";
      this.#report("yaml-merge-key", "YAML merge keys (`<<`) are not supported.", place, hint);
    } else if (text.length > KEY_LIMIT) {
      const hint = "Put quotes around long text that contains `: `.";
      this.#report("yaml-syntax", "A key has more than 1,000 characters.", place, hint);
    } else if (first !== undefined) {
      const message = `The key \`${shownKey(text)}\` appears twice, first on line ${first.keyPlace.line}.`;
      const twice = error("duplicate-key", message, place, "Keep one of the two.");
      this.diagnostics.push(besides(twice, first.keyPlace, "first here"));
    } else return true;
    return false;
  }

  /** The place of a collection in brackets, whose last value was read. */
  #flowPlace(start: number): Place {
    this.#end = this.#skipTo(UP_TO_BRACKET, Math.max(this.#end, start + 1)) + 1;
    return this.#source.place(start, this.#end);
  }

  /** The offset of the next indicator. No value is before it. */
  #skipTo(pattern: RegExp, offset: number): number {
    pattern.lastIndex = offset;
    pattern.exec(this.#text);
    return pattern.lastIndex;
  }

  #scalar(event: ScalarEvent, emptyPlace: Place | null): ScalarNode {
    const { valueStart: start, valueEnd: end, style } = event;
    if (start < 0) return scalar("", null, emptyPlace ?? this.#source.place(this.#end));
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
    this.#end = end;
    return scalar(text, text, this.#source.place(header, this.#text.length));
  }

  #report(code: string, message: string, place: Place, hint: string): void {
    this.diagnostics.push(error(code, message, place, hint));
  }
}

/** Standard tags. Only the one for texts changes a value: `!!str 1`. */
const STANDARD_TAGS = /^!!(?:str|int|float|bool|null|map|seq)$/;

function scalar(text: string, value: ScalarNode["value"], place: Place): ScalarNode {
  return { type: "scalar", text, value, place, broken: false };
}

/** The start of a number, a boolean or null. */
const MAY_HAVE_TAG = /^[-+.\d~nNtTfF]/;
const PLAIN_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];

/** The value of text without quotes in YAML 1.2. */
export function resolve(text: string): ScalarNode["value"] {
  if (!MAY_HAVE_TAG.test(text)) return text;
  for (const tag of PLAIN_TAGS) {
    const value = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}
