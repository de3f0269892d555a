// The text of a new file of links or pixels.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, GROUPS, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { yamlText, type NewBlock, type YamlContent, type YamlEntry } from "./yaml-text.ts";

/** `head`: the lines above everything else. Values that all links have are the `defaults` of the file. */
export function newFileText(kind: ResourceKind, head: string, blocks: readonly NewBlock[]): string {
  const shared = kind === "link" && blocks.length > 1 ? sharedEntries(blocks) : [];
  const domain = shared.find(({ key }) => key === REFERENCE_FIELD.domain)?.value;
  const others = new Set(shared.map(({ key }) => key));
  const entries = blocks.map((block): NewBlock => {
    const { key, value } = block;
    // An alias contains no slash.
    const alias = key.slice(key.lastIndexOf("/") + 1);
    return {
      ...block,
      key: domain === undefined ? key : alias,
      value: { entries: value.entries.filter((one) => !others.has(one.key)) },
    };
  });
  const defaults: YamlEntry = { key: "defaults", value: { entries: [{ key: kind, value: { entries: shared } }] } };
  const sections = [...(shared.length === 0 ? [] : [defaults]), { key: SECTION[kind], value: { entries } }];
  return head + sections.map((section) => yamlText({ entries: [section] })).join("\n");
}

/** Fields whose default also suits the next link. A secret, flag, date, count or destination would surprise its author. */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

/** The domain and the fields that all links have, with equal values. */
function sharedEntries(blocks: readonly NewBlock[]): YamlEntry[] {
  return SHARED.flatMap(({ path }): YamlEntry[] => {
    const [first, ...others] = blocks.map((block) => valueAt(block, path));
    const isShared = others.every((one) => JSON.stringify(one) === JSON.stringify(first));
    return first === undefined || !isShared ? [] : [{ key: path, value: first }];
  });
}

function valueAt({ key, value }: NewBlock, path: string): YamlContent | undefined {
  if (path !== REFERENCE_FIELD.domain) return value.entries.find((one) => one.key === path)?.value;
  return key.includes("/") ? key.slice(0, key.lastIndexOf("/")) : undefined;
}
