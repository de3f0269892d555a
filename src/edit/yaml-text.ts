// Writes YAML that is safe to print on a terminal and to paste into a file: no text can leave its line or hide characters.

import { append } from "../domain/collections.ts";
import { Document, Pair, Scalar, Schema, YAMLMap, YAMLSeq } from "yaml";
import { escapeCommands, hasUnseen, isCommandLike, replaceUnseen, visible } from "../domain/control-characters.ts";

/** YAML content. A map is a list of entries, so that it keeps its order and may have any key. */
export type YamlContent = string | number | boolean | null | Block | readonly string[];

/** A map. `inline`: in braces on the line of its key. */
export interface Block {
  readonly entries: readonly YamlEntry[];
  readonly inline?: boolean;
}

export interface YamlEntry {
  readonly key: string;
  readonly value: YamlContent;
  /** A comment above the entry, after an empty line. */
  readonly comment?: string;
}

/** The block of an object: its key, with the domain unless the defaults of its place have it, and its fields. */
export interface NewBlock extends YamlEntry {
  readonly value: Block;
}

export function isBlock(content: YamlContent | undefined): content is Block {
  return typeof content === "object" && content !== null && "entries" in content && !Array.isArray(content);
}

/** A text on one line, as a value or a key. In braces and brackets, more characters need quotes. */
export function scalarText(text: string, isFlow: boolean, isKey: boolean): string {
  const entry = isKey ? { key: text, value: 1 } : { key: "k", value: text };
  const line = yamlText({ entries: [entry], inline: isFlow }).trimEnd();
  const own = isFlow ? line.slice("{ ".length, -" }".length) : line;
  return isKey ? own.slice(0, -": 1".length) : own.slice("k: ".length);
}

/** The lines of a map, each level indented by `step`. */
export function yamlText(block: Block, step = 2): string {
  const document = new Document(nodeOf(block), { version: "1.2", schema: "core" });
  // Keeps texts in double quotes on one line.
  const doubleQuotedMinMultiLineLength = Number.MAX_SAFE_INTEGER;
  const text = document.toString({ lineWidth: 0, indent: step, doubleQuotedMinMultiLineLength });
  // Texts with invisible characters are in double quotes, where this escape is valid. Line breaks of the YAML itself stay.
  return replaceUnseen(escapeCommands(text), (character) => (character === "\n" ? character : escapeOf(character)));
}

export function nodeOf(content: YamlContent): Scalar | YAMLMap | YAMLSeq {
  if (content === null || typeof content !== "object") return scalarOf(content);
  if (!isBlock(content)) {
    const list = new List();
    append(list.items, content.map(scalarOf));
    return list;
  }
  const map = new YAMLMap();
  for (const { key, value, comment } of content.entries) {
    const name = scalarOf(key);
    if (isOtherInYaml11(key)) name.type = Scalar.QUOTE_DOUBLE;
    if (comment !== undefined) {
      name.commentBefore = ` ${visible(comment)}`;
      name.spaceBefore = map.items.length > 0;
    }
    map.items.push(new Pair(name, nodeOf(value)));
  }
  map.flow = content.inline === true;
  return map;
}

/** A list that is written without spaces inside its brackets, as by `fmt`. */
class List extends YAMLSeq {
  override toString(context?: Parameters<YAMLSeq["toString"]>[0], ...rest: (() => void)[]): string {
    return super.toString(context && { ...context, flowCollectionPadding: "" }, ...rest);
  }
}

function scalarOf(value: string | number | boolean | null): Scalar {
  const scalar = new Scalar<unknown>(value);
  if (typeof value === "string" && (hasUnseen(value) || isCommandLike(value) || needsQuotes(value)))
    scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

const OLD_TAGS = new Schema({ schema: "yaml-1.1" }).tags.filter((tag) => "test" in tag && tag.default === true);

/** Whether a reader of YAML 1.1 takes text without quotes for something else: `no`, `12_3`, `18:30` or a date. `<<` and `=` are special keys. */
export function isOtherInYaml11(text: string): boolean {
  return text === "<<" || text === "=" || OLD_TAGS.some((tag) => "test" in tag && (tag.test?.test(text) ?? false));
}

/** Whether a value needs quotes for readers of YAML 1.1. They read a date as the same date. */
export function needsQuotes(value: string): boolean {
  return isOtherInYaml11(value) && !/^\d{4}-\d{2}-\d{2}$/.test(value);
}

function escapeOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
