// Values of random files: what they say, shared where aliases share them, and how they can be written.

import type { YamlContent } from "../../src/edit/yaml-text.ts";
import type { Said } from "./editing.ts";

/** What stands below a key; an alias has the same object as its anchor. */
export interface Value {
  content: string | null | Value[] | Map<string, Value>;
}

export function value(content: Value["content"]): Value {
  return { content };
}

export function mapOf(entries: readonly (readonly [string, Value["content"]])[]): Value {
  return value(new Map(entries.map(([key, content]) => [key, value(content)])));
}

/** The value that a file has once it says this. */
export function valueOf(content: YamlContent): Value {
  if (content === null) return value(null);
  if (typeof content !== "object") return value(String(content));
  if ("entries" in content && !isList(content))
    return value(new Map(content.entries.map((one) => [one.key, valueOf(one.value)])));
  return value(isList(content) ? content.map(valueOf) : null);
}

/** What the file is to say for it to be this. */
export function contentOf({ content }: Value): YamlContent {
  if (content === null) return null;
  if (typeof content === "string") return content === "true" ? true : content === "false" ? false : content;
  if (Array.isArray(content)) return content.map((one) => (typeof one.content === "string" ? one.content : ""));
  return { entries: [...content].map(([key, one]) => ({ key, value: contentOf(one) })) };
}

/** The same as reading a text gives it; the order of a map means nothing. */
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
