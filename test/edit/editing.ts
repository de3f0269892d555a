// Edits a text in tests: the places of its blocks, and its content as linkform reads it.

import { entry, parseYaml, type TreeNode } from "../../src/config/yaml.ts";
import type { Place } from "../../src/domain/place.ts";
import { EditedFile } from "../../src/edit/edited-file.ts";

export const FILE = "links/a.yaml";

/** The content of a YAML text as linkform reads it: source texts, in lists and lists of pairs. */
export type Said = string | null | readonly Said[] | { readonly pairs: readonly (readonly [string, Said])[] };

/** The documents of a text. Throws for one with errors. */
function documentsOf(text: string): TreeNode[] {
  const { documents, diagnostics } = parseYaml(text.replace(/^\uFEFF/, ""), FILE);
  if (diagnostics.length > 0) throw new Error(`${diagnostics.map(({ message }) => message).join(" ")}\n${text}`);
  return documents;
}

export function said(text: string): Said[] {
  return documentsOf(text).map(saidBy);
}

function saidBy(node: TreeNode): Said {
  if (node.type === "list") return node.items.map(saidBy);
  if (node.type === "map") return { pairs: node.entries.map(({ key, value }) => [key, saidBy(value)]) };
  return node.value === null ? null : node.text;
}

/** The place of a key of a block or tombstone: `links`, `absent.links`. With several documents, the first that has it. */
export function placeOf(text: string, section: string, key: string): Place {
  for (const document of documentsOf(text)) {
    let node: TreeNode | undefined = document;
    for (const step of section.split(".")) node = entry(node, step)?.value;
    const place = placeIn(node, key);
    if (place !== undefined) return place;
  }
  throw new Error(`there is no ${key} in ${section} of\n${text}`);
}

function placeIn(node: TreeNode | undefined, key: string): Place | undefined {
  if (node?.type === "map") return node.byKey.get(key)?.keyPlace;
  if (node?.type !== "list") return undefined;
  const items = node.items.map((item) =>
    item.type === "scalar" && item.text === key ? item.place : placeIn(item, key),
  );
  return items.find((place) => place !== undefined);
}

/** The text after changes. `at` finds the block of a key among the links, or in another section. */
export function edited(
  text: string,
  change: (file: EditedFile, at: (key: string, section?: string) => Place) => void,
): string {
  const file = new EditedFile(text, FILE);
  change(file, (key, section = "links") => placeOf(text, section, key));
  return file.text;
}
