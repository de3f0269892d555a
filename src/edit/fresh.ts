// New values of a file: as trees that can still change, and as YAML.

import { isAlias, isMap, isScalar, isSeq, type Node as YamlNode } from "yaml";
import { sourceOf } from "../config/yaml.ts";
import { type Block, type YamlContent, yamlText } from "./yaml-text.ts";
import { visible, hasUnseen } from "../domain/control-characters.ts";

export type Fresh = FreshScalar | FreshMap | FreshList | FreshNothing;

/** No value, for the key of a tombstone without id. */
interface FreshNothing {
  readonly type: "nothing";
}

interface FreshScalar {
  readonly type: "scalar";
  readonly value: string | number | boolean | null;
}

export interface FreshMap {
  readonly type: "map";
  readonly entries: FreshEntry[];
  readonly inline: boolean;
}

interface FreshList {
  readonly type: "list";
  readonly items: FreshItem[];
}

export interface FreshItem {
  value: Fresh;
  /** Lines above it, each with its `#`. */
  readonly comments: readonly string[];
}

export interface FreshEntry extends FreshItem {
  readonly key: string;
}

/** The tree for new content. */
export function freshOf(content: YamlContent): Fresh {
  if (content === null || typeof content !== "object") return { type: "scalar", value: content };
  if (isBlock(content)) {
    const entries = content.entries.map(({ key, value, comment }) => ({
      key,
      value: freshOf(value),
      comments: comment === undefined ? [] : [commentLine(comment)],
    }));
    return { type: "map", entries, inline: content.inline === true };
  }
  return { type: "list", items: content.map((item) => ({ value: freshOf(item), comments: [] })) };
}

export function isBlock(content: object): content is Block {
  return "entries" in content && !Array.isArray(content);
}

export function commentLine(text: string): string {
  return `# ${visible(text)}`.trimEnd();
}

/** A copy of an existing value, with aliases resolved. */
export function freshCopy(node: YamlNode | null, resolved: (node: YamlNode) => YamlNode | null): Fresh {
  if (isAlias(node)) return freshCopy(resolved(node), resolved);
  if (isMap(node)) {
    const entries = node.items.flatMap(({ key, value }) =>
      isScalar(key) ? [{ key: sourceOf(key), value: freshCopy(asNode(value), resolved), comments: [] }] : [],
    );
    return { type: "map", entries, inline: node.flow === true };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => ({ value: freshCopy(asNode(item), resolved), comments: [] }));
    return { type: "list", items };
  }
  return { type: "scalar", value: isScalar(node) ? plainValue(node.value, sourceOf(node)) : null };
}

/** A number or word that YAML would write like its source; any other scalar is a text. */
function plainValue(value: unknown, source: string): FreshScalar["value"] {
  if (value === null || typeof value === "boolean") return value;
  return typeof value === "number" && String(value) === source ? value : source;
}

function asNode(value: unknown): YamlNode | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}

/** The quotes of the scalar that is replaced. */
export type Quoting = "double" | "single" | "plain";

/** A scalar on one line. In braces and brackets, more characters need quotes. */
export function scalarText(value: FreshScalar["value"], isFlow: boolean, quoting: Quoting = "plain"): string {
  const line = yamlText({ entries: [{ key: "k", value }], inline: isFlow }).trimEnd();
  const text = isFlow ? line.slice("{ k: ".length, -" }".length) : line.slice("k: ".length);
  return typeof value === "string" ? requoted(value, text, quoting) : text;
}

export function keyText(key: string, isFlow: boolean, quoting: Quoting = "plain"): string {
  const line = yamlText({ entries: [{ key, value: 1 }], inline: isFlow }).trimEnd();
  const text = isFlow ? line.slice("{ ".length, -": 1 }".length) : line.slice(0, -": 1".length);
  return requoted(key, text, quoting);
}

/** The text of a value in other quotes, if it can be written in them without escapes. */
function requoted(value: string, text: string, quoting: Quoting): string {
  if (quoting === "plain" || hasUnseen(value) || (text.startsWith('"') && text.includes("\\u"))) return text;
  return quoting === "single"
    ? `'${value.replaceAll("'", "''")}'`
    : `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** Whether a value is written on lines below its key. */
export function hasLines(fresh: Fresh): boolean {
  if (fresh.type === "map") return fresh.entries.length > 0 && !fresh.inline;
  return fresh.type === "list" && fresh.items.length > 0;
}

/** A value on one line, without comments. `isFlow`: inside of braces or brackets. */
export function inlineText(fresh: Fresh, isFlow: boolean, quoting: Quoting = "plain"): string {
  if (fresh.type === "nothing") return "null";
  if (fresh.type === "scalar") return scalarText(fresh.value, isFlow, quoting);
  const parts =
    fresh.type === "list"
      ? fresh.items.map(({ value }) => inlineText(value, true, quoting))
      : fresh.entries.map((entry) => flowEntry(entry, quoting));
  if (fresh.type === "list") return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** An entry inside of braces. */
export function flowEntry({ key, value }: Pick<FreshEntry, "key" | "value">, quoting: Quoting): string {
  return `${keyText(key, true, quoting)}: ${inlineText(value, true, quoting)}`;
}

/** `step` is the indentation of one level. */
interface Indenting {
  readonly indent: string;
  readonly step: string;
}

/** The lines of an entry, with the comments above it. */
export function entryLines({ key, value, comments }: FreshEntry, at: Indenting): string[] {
  const head = `${at.indent}${keyText(key, false)}:`;
  return [...comments.map((line) => `${at.indent}${line}`), ...valueLines(head, value, at)];
}

/** The lines of an item of a list. */
export function itemLines({ value, comments }: FreshItem, at: Indenting): string[] {
  const above = comments.map((line) => `${at.indent}${line}`);
  if (value.type !== "map" || !hasLines(value)) return [...above, ...valueLines(`${at.indent}-`, value, at)];
  const inner = value.entries.flatMap((entry) => entryLines(entry, { ...at, indent: `${at.indent}  ` }));
  return [...above, ...inner.map((line, index) => (index === 0 ? line.replace(/^( *) {2}/, "$1- ") : line))];
}

function valueLines(head: string, value: Fresh, at: Indenting): string[] {
  if (value.type === "nothing") return [head];
  if (!hasLines(value)) return [`${head} ${inlineText(value, false)}`];
  return [head, ...contentLines(value, { ...at, indent: at.indent + at.step })];
}

/** The lines of a map or list, without its key. */
export function contentLines(fresh: Fresh, at: Indenting): string[] {
  if (fresh.type === "map") return fresh.entries.flatMap((entry) => entryLines(entry, at));
  return fresh.type === "list" ? fresh.items.flatMap((item) => itemLines(item, at)) : [];
}
