// What formatting must keep: the content of the documents, and every comment with what is beside or below it.

import { parseYaml, type TreeNode } from "../../src/config/yaml.ts";
import { Syntax } from "../../src/edit/syntax.ts";
import { FILE } from "./editing.ts";

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
export function linksIn(text: string): string[] {
  const { documents } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  return documents.flatMap((node) => {
    const links = node.type === "map" ? node.byKey.get("links")?.value : undefined;
    return links?.type === "map" ? links.entries.map(({ key }) => key) : [];
  });
}

/** The comments of a text, sorted. */
export function commentsOf(text: string): string[] {
  const source = text.replace(/^\uFEFF/, "");
  return new Syntax(source).comments.map(({ start, end }) => source.slice(start, end).trimEnd()).toSorted();
}
