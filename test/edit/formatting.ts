// What formatting must keep: the content of the documents, and every comment with what is beside or below it.

import { expect } from "vitest";
import { Parser } from "yaml";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import type { TreeNode } from "../../src/config/yaml.ts";
import { formatText } from "../../src/edit/format.ts";

export const FILE = "links/a.yaml";

/** The content of a text without the order of keys: source texts and values. */
export function meaning(text: string): unknown {
  const { documents, diagnostics } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  return { documents: documents.map(contentOf), problems: diagnostics.map(({ message }) => message) };
}

function contentOf(node: TreeNode): unknown {
  if (node.type === "scalar") return [node.text, node.value];
  if (node.type === "list") return node.items.map(contentOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [`key ${key}`, contentOf(value)]));
}

/** The keys of the links of all documents, in order. */
function linksIn(text: string): string[] {
  const { documents } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  return documents.flatMap((node) => {
    const links = node.type === "map" ? node.byKey.get("links")?.value : undefined;
    return links?.type === "map" ? links.entries.map(({ key }) => key) : [];
  });
}

/** The comments of a text, sorted. */
export function commentsOf(text: string): string[] {
  const found: string[] = [];
  JSON.stringify([...new Parser().parse(text.replace(/^\uFEFF/, ""))], (_, token: unknown) => {
    if (typeof token === "object" && token !== null && "source" in token && "type" in token && token.type === "comment")
      found.push(String(token.source).trimEnd());
    return token;
  });
  return found.toSorted();
}

/** Formats a text, and fails if it is refused, if the meaning, a comment or the order of links changes, or if it is not stable. */
export function checkFormat(before: string): void {
  const result = formatText(before, FILE);
  if ("problems" in result) throw new Error(`${result.problems.map(({ message }) => message).join(" ")}\n${before}`);
  const after = result.text;
  expect({ before, after, says: meaning(after) }).toEqual({ before, after, says: meaning(before) });
  expect({ before, after, comments: commentsOf(after) }).toEqual({ before, after, comments: commentsOf(before) });
  expect({ before, links: linksIn(after) }).toEqual({ before, links: linksIn(before) });
  expect({ before, again: formatText(after, FILE) }).toEqual({ before, again: { text: after } });
}
