// The text of a new file: its first line, where editors find the path of its schema, and its links or pixels.

import type { FieldSpec } from "../domain/field.ts";
import { blockFields, GROUPS, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { yamlText, type NewBlock, type YamlContent, type YamlEntry } from "./yaml-text.ts";

export function schemaLine(schema: string | null): string {
  return schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
}

/** The line for a new resource file. Its schema is in the folder of the schema that the project file names, or where npm installs it. */
export function resourceSchemaLine(projectText: string, file: string): string {
  const [, folder = "node_modules/linkform/schemas/"] =
    /^\uFEFF?# yaml-language-server: \$schema=(\S*)project\.schema\.json\s*$/m.exec(projectText) ?? [];
  // A URL or an absolute path.
  const isAbsolute = /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(folder);
  const up = isAbsolute ? "" : "../".repeat(file.split("/").length - 1);
  return schemaLine(`${up}${folder}resource.schema.json`);
}

/** `head`: the lines above everything else. Values that all links have are the `defaults` of the file. */
export function newFileText(kind: ResourceKind, head: string, blocks: readonly NewBlock[]): string {
  const shared = kind === "link" && blocks.length > 1 ? sharedEntries(blocks) : [];
  const domain = shared.find(({ key }) => key === REFERENCE_FIELD.domain)?.value;
  const others = new Set(shared.map(({ key }) => key));
  const entries = blocks.map(({ key, value, ...rest }): NewBlock => ({
    ...rest,
    // An alias contains no slash.
    key: domain === undefined ? key : key.slice(key.lastIndexOf("/") + 1),
    value: { entries: value.entries.filter((one) => !others.has(one.key)) },
  }));
  const defaults: YamlEntry = { key: "defaults", value: { entries: [{ key: kind, value: { entries: shared } }] } };
  const sections = [...(shared.length === 0 ? [] : [defaults]), { key: SECTION[kind], value: { entries } }];
  return head + sections.map((section) => yamlText({ entries: [section] })).join("\n");
}

/** Fields whose default also suits the next link. A secret, flag, date, count or destination would surprise its author. */
const SHARED: readonly FieldSpec[] = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

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
