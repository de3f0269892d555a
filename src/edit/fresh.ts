// Values that are to be written: as trees that can be changed until they are.

import { isAlias, isMap, isScalar, isSeq, type Node as YamlNode } from "yaml";
import { sourceOf } from "../config/yaml.ts";
import type { Block, YamlContent } from "./yaml-text.ts";
import { visible } from "../domain/control-characters.ts";

export type Fresh = FreshScalar | FreshMap | FreshList | FreshNothing;

/** What is not written: of a tombstone, its key says all. */
export interface FreshNothing {
  readonly type: "nothing";
}

export interface FreshScalar {
  readonly type: "scalar";
  readonly value: string | number | boolean | null;
}

export interface FreshMap {
  readonly type: "map";
  readonly entries: FreshEntry[];
  readonly inline: boolean;
}

export interface FreshList {
  readonly type: "list";
  readonly items: FreshItem[];
}

export interface FreshItem {
  value: Fresh;
  /** Lines above it, each with its `#`. */
  readonly comments: readonly string[];
}

/** An entry of a map. */
export interface FreshEntry extends FreshItem {
  readonly key: string;
}

/** The tree of what a file is to say. */
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

/** A remark as a line of a file. */
export function commentLine(text: string): string {
  return `# ${visible(text)}`.trimEnd();
}

/** The tree of what stands in a file; `resolved` follows aliases. */
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

/** A number or word of YAML as itself where that is how it is written; what else is a text, in its own signs. */
function plainValue(value: unknown, source: string): FreshScalar["value"] {
  if (value === null || typeof value === "boolean") return value;
  return typeof value === "number" && String(value) === source ? value : source;
}

function asNode(value: unknown): YamlNode | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}
