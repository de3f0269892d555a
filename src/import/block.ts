// What a row says -> the block of a file.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, groupFields, GROUPS, pathsOf, type ResourceKind } from "../domain/table.ts";
import type { YamlContent, YamlEntry } from "../edit/yaml-text.ts";
import type { ReadRow } from "./rows.ts";

/**
 * The entries of a block in the order of the field table, those of a group below it. `variables` are those of the secrets, by path;
 * what is `shared` is said by the file's defaults.
 */
export function blockOf(
  kind: ResourceKind,
  { values, note }: Pick<ReadRow, "values" | "note">,
  variables: ReadonlyMap<string, string>,
  shared: ReadonlyMap<string, YamlContent>,
): readonly YamlEntry[] {
  const heads = new Map<string, YamlEntry[]>();
  const put = (path: string, value: YamlContent): void => {
    const [head = "", ...tail] = path.split(".");
    const entries = heads.get(head) ?? [];
    entries.push({ key: tail.join(".") || head, value });
    heads.set(head, entries);
  };
  for (const row of blockFields(kind)) {
    for (const path of pathsOf(row)) {
      const variable = variables.get(path);
      const value = values.get(path);
      if (variable !== undefined) put(path, { entries: [{ key: "env", value: variable }], inline: true });
      else if (value !== undefined && shared.get(path) !== value && !goesWithoutSaying(row, values)) put(path, value);
    }
  }
  const block = [...heads].map(([head, entries]): YamlEntry => {
    return { key: head, value: GROUPS[head] === undefined ? (entries[0]?.value ?? null) : { entries } };
  });
  return note === null ? block : [...block, { key: "note", value: note }];
}

/** Of a group without members, that none is in force. */
function goesWithoutSaying(row: FieldSpec, values: ReadonlyMap<string, YamlContent>): boolean {
  const [head = ""] = row.path.split(".");
  if (GROUPS[head]?.active !== row.path || values.get(row.path) !== row.default) return false;
  return groupFields(head).every(({ path }) => path === row.path || !values.has(path));
}
