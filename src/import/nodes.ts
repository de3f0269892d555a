// The documents of rows, as if each row were a resource file: trees like those of YAML, with places in the sheet.

import { DESTINATION_FIELD, KEY_FIELD, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import type { Place } from "../domain/place.ts";
import type { MapNode, TreeEntry, TreeNode } from "../config/yaml.ts";
import { isBlock, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import { KEY_PATH } from "./targets.ts";

/** The document with this block of a row, below the defaults of the file that it goes to. `placeOf` returns the place of a path. */
export function documentOf(
  kind: ResourceKind,
  key: string,
  block: readonly YamlEntry[],
  inherited: readonly TreeEntry[],
  placeOf: (path: string) => Place,
): TreeNode {
  const keyPlace = placeOf("");
  const resource = { key, keyPlace, value: nodeOf({ entries: block }, "", placeOf) };
  const section = { key: SECTION[kind], keyPlace, value: mapNode([resource], keyPlace) };
  return mapNode([...inherited, section], keyPlace);
}

function nodeOf(content: YamlContent, path: string, placeOf: (path: string) => Place): TreeNode {
  const place = placeOf(path);
  if (content === null || typeof content !== "object")
    return { type: "scalar", text: content === null ? "" : String(content), value: content, place, broken: false };
  if (!isBlock(content)) return { type: "list", items: content.map((item) => nodeOf(item, path, placeOf)), place };
  const entries = content.entries.map(({ key, value }) => {
    const inner = path === "" ? key : `${path}.${key}`;
    return { key, keyPlace: placeOf(inner), value: nodeOf(value, inner, placeOf) };
  });
  return mapNode(entries, place);
}

function mapNode(entries: readonly TreeEntry[], place: Place): MapNode {
  return { type: "map", entries, byKey: new Map(entries.map((one) => [one.key, one])), place, partial: false };
}

/** The column for a path: its own, that of a path above or below it, or the column of the key. */
export function columnOf(path: string, kind: ResourceKind, columns: readonly MappedColumn[]): MappedColumn | undefined {
  for (let above = path; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf(".")))) {
    const column = columnFor(columns, above);
    if (column !== undefined) return column;
  }
  const below = path === "" ? undefined : columns.find(({ target }) => target?.path.startsWith(`${path}.`) === true);
  // UTM values without a column come from the URL.
  const ofUrl = /^utm(?:\.|$)/.test(path) ? columnFor(columns, DESTINATION_FIELD) : undefined;
  const ofKey = [KEY_FIELD[kind], KEY_PATH, REFERENCE_FIELD.domain].map((one) => columnFor(columns, one));
  return (path.startsWith("utm.") ? undefined : below) ?? ofUrl ?? ofKey.find((column) => column !== undefined);
}
