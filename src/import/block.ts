// The block of a row, from its values by path.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, groupFields, GROUPS, pathsOf, type ResourceKind } from "../domain/table.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { withUtm } from "../edit/declare.ts";
import { utmPath } from "../edit/utm.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";
import { NOTE_PATH, OWNER_PATH, REVIEW_PATH } from "./targets.ts";

/** The entries of a block: fields in the order of the field table, then the keys that are never sent. */
export function blockOf(kind: ResourceKind, values: ReadonlyMap<string, YamlContent>): readonly YamlEntry[] {
  const heads = new Map<string, YamlEntry[]>();
  for (const field of blockFields(kind)) {
    for (const path of pathsOf(field)) {
      const [head = "", ...tail] = path.split(".");
      const value = values.get(path);
      if (value === undefined || isImplied(field, values)) continue;
      heads.set(head, [...(heads.get(head) ?? []), { key: tail.join(".") || head, value }]);
    }
  }
  const fields = [...heads].map(([head, entries]): YamlEntry => {
    return { key: head, value: GROUPS[head] === undefined ? (entries[0]?.value ?? null) : { entries } };
  });
  const block = [...fields, ...entriesAt(values, [OWNER_PATH, REVIEW_PATH, NOTE_PATH])];
  const utm = UTM_KEYS.flatMap((key) => entriesAt(values, [utmPath(key)]).map((one) => ({ ...one, key })));
  const content = utm.length === 0 ? values.get("utm") : { entries: utm };
  return content === undefined ? block : withUtm(block, content);
}

function entriesAt(values: ReadonlyMap<string, YamlContent>, paths: readonly string[]): YamlEntry[] {
  return paths.flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
}

/** A group with no fields and nothing active is implied. */
function isImplied(field: FieldSpec, values: ReadonlyMap<string, YamlContent>): boolean {
  const [head = ""] = field.path.split(".");
  if (GROUPS[head]?.active !== field.path || values.get(field.path) !== field.default) return false;
  return groupFields(head).every(({ path }) => path === field.path || !values.has(path));
}
