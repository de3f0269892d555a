// Values of random files: their content, shared if aliases share them, and the ways to write them.

import type { YamlContent } from "../../src/edit/yaml-text.ts";
import type { Said } from "./editing.ts";

/** The value of a key. An alias has the same object as its anchor. */
export interface Value {
  content: string | null | Value[] | Map<string, Value>;
}

export function value(content: Value["content"]): Value {
  return { content };
}

export function mapOf(entries: readonly (readonly [string, Value["content"]])[]): Value {
  return value(new Map(entries.map(([key, content]) => [key, value(content)])));
}

/** The value that results from this content. */
export function valueOf(content: YamlContent): Value {
  if (content === null) return value(null);
  if (typeof content !== "object") return value(String(content));
  if ("entries" in content && !isList(content))
    return value(new Map(content.entries.map((one) => [one.key, valueOf(one.value)])));
  return value(isList(content) ? content.map(valueOf) : null);
}

/** The content that results in this value. */
export function contentOf({ content }: Value): YamlContent {
  if (content === null) return null;
  if (typeof content === "string") return content === "true" ? true : content === "false" ? false : content;
  if (Array.isArray(content)) return content.map((one) => (typeof one.content === "string" ? one.content : ""));
  return { entries: [...content].map(([key, one]) => ({ key, value: contentOf(one) })) };
}

/** The same in the form in which it is read from a text. The order of a map has no meaning. */
export function saidOf({ content }: Value): Said {
  if (content === null || typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(saidOf);
  return sorted({ pairs: [...content].map(([key, one]) => [key, saidOf(one)]) });
}

export function sorted(said: Said): Said {
  if (said === null || typeof said === "string") return said;
  if (!("pairs" in said)) return said.map(sorted);
  const entries = said.pairs.map(([key, one]): readonly [string, Said] => [key, sorted(one)]);
  return { pairs: entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

function isList(content: object): content is readonly string[] {
  return Array.isArray(content);
}
