// YAML that can be shown on a terminal and pasted into a file: no text breaks out of its line, or is taken for another.

import { append } from "../domain/collections.ts";
import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { escapeCommands, hasUnseen, isCommandLike, replaceUnseen, visible } from "../domain/control-characters.ts";

/** What is written: a map is a list of entries, so that it has an order and any key there is. */
export type YamlContent = string | number | boolean | null | Block | readonly string[];

/** A map; `inline` stands in braces on the line of its key. */
export interface Block {
  readonly entries: readonly YamlEntry[];
  readonly inline?: boolean;
}

export interface YamlEntry {
  readonly key: string;
  readonly value: YamlContent;
  /** A line above the entry, after an empty one. */
  readonly comment?: string;
}

/** Longer than any text: double quotes stay on one line. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The lines of a map, each with its line break. */
export function yamlText(block: Block): string {
  const document = new Document(mapOf(block), { version: "1.2", schema: "core" });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: NEVER });
  // What is unseen stands in double quotes, where this is its escape; ends of lines are the lines' own.
  return replaceUnseen(escapeCommands(text), (codePoint, sign) => (sign === "\n" ? sign : escapeOf(codePoint)));
}

function mapOf({ entries, inline = false }: Block): YAMLMap {
  const map = new YAMLMap();
  for (const [index, { key, value, comment }] of entries.entries()) {
    const name = scalarOf(key);
    // A merge key is one for its looks.
    if (key === "<<") name.type = Scalar.QUOTE_DOUBLE;
    if (comment !== undefined) {
      name.commentBefore = ` ${visible(comment)}`;
      name.spaceBefore = index > 0;
    }
    map.items.push(new Pair(name, nodeOf(value)));
  }
  map.flow = inline;
  return map;
}

function nodeOf(content: YamlContent): Scalar | YAMLMap | YAMLSeq {
  if (content === null || typeof content !== "object") return scalarOf(content);
  if ("entries" in content && !isList(content)) return mapOf(content);
  const list = new YAMLSeq();
  if (isList(content)) append(list.items, content.map(scalarOf));
  return list;
}

function isList(content: object): content is readonly string[] {
  return Array.isArray(content);
}

function scalarOf(value: string | number | boolean | null): Scalar {
  const scalar = new Scalar<unknown>(value);
  if (typeof value === "string" && (hasUnseen(value) || isCommandLike(value))) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function escapeOf(codePoint: number): string {
  const digits = codePoint.toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
