// Writes the blocks of rows into a new or existing file.

import type { FieldSpec } from "../domain/field.ts";
import {
  blockFields,
  groupFields,
  GROUPS,
  pathsOf,
  type ResourceKind,
  SECTION,
  fieldAt,
  REFERENCE_FIELD,
} from "../domain/table.ts";
import { type YamlContent, type YamlEntry, yamlText } from "../edit/yaml-text.ts";
import { keyOf, type ReadRow } from "./rows.ts";
import { NOTE_PATH, OWNER_PATH, REVIEW_PATH } from "./targets.ts";
import { UTM_KEYS } from "../domain/utm.ts";
import { withUtm } from "../edit/declare.ts";
import { utmPath } from "../edit/utm.ts";
import type { ImportTarget } from "./project.ts";
import type { Edit } from "../edit/edits.ts";
import { writeEdits } from "../edit/writer.ts";
import { EXIT, UserError } from "../errors.ts";

/**
 * The entries of a block in the order of the field table. `variables` are the names for its secrets, by path. Values in
 * `shared` are left out, because the `defaults` of the file have them.
 */
export function blockOf(
  kind: ResourceKind,
  { values }: Pick<ReadRow, "values">,
  variables: ReadonlyMap<string, string>,
  shared: ReadonlyMap<string, YamlContent> = new Map(),
): readonly YamlEntry[] {
  const heads = new Map<string, YamlEntry[]>();
  const put = (path: string, value: YamlContent): void => {
    const [head = "", ...tail] = path.split(".");
    const entries = heads.get(head) ?? [];
    entries.push({ key: tail.join(".") || head, value });
    heads.set(head, entries);
  };
  for (const field of blockFields(kind)) {
    for (const path of pathsOf(field)) {
      const variable = variables.get(path);
      const value = values.get(path);
      if (variable !== undefined) put(path, { entries: [{ key: "env", value: variable }], inline: true });
      else if (value !== undefined && shared.get(path) !== value && !isImplied(field, values)) put(path, value);
    }
  }
  const block = [...heads].map(([head, entries]): YamlEntry => {
    return { key: head, value: GROUPS[head] === undefined ? (entries[0]?.value ?? null) : { entries } };
  });
  for (const key of [OWNER_PATH, REVIEW_PATH, NOTE_PATH]) {
    const value = values.get(key);
    if (value !== undefined) block.push({ key, value });
  }
  const utm = utmOf(values);
  return utm === undefined ? block : withUtm(block, utm);
}

function utmOf(values: ReadonlyMap<string, YamlContent>): YamlContent | undefined {
  const entries = UTM_KEYS.flatMap((key): YamlEntry[] => {
    const value = values.get(utmPath(key));
    return value === undefined ? [] : [{ key, value }];
  });
  return entries.length === 0 ? values.get("utm") : { entries };
}

/** A group with no fields and nothing active is implied. */
function isImplied(field: FieldSpec, values: ReadonlyMap<string, YamlContent>): boolean {
  const [head = ""] = field.path.split(".");
  if (GROUPS[head]?.active !== field.path || values.get(field.path) !== field.default) return false;
  return groupFields(head).every(({ path }) => path === field.path || !values.has(path));
}

/** The text of a file with these rows: a new one if `before` is null. In a new file, values that all rows have are its `defaults`. */
export function fileWith(
  { kind, file, head, before, given, labels, variables }: RowsFile,
  rows: readonly ReadRow[],
): string {
  const inherited = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof inherited === "string" ? labels.labelOf(inherited) : null;
  const shared: ReadonlyMap<string, YamlContent> = before === null ? sharedValues(kind, rows, known) : new Map();
  const domain = shared.get(REFERENCE_FIELD.domain) ?? known;
  const blocks = rows.map((read) => {
    // `__proto__` cannot be a key of a plain object.
    const isShort = read.domain === domain && read.name !== "__proto__";
    const entries = blockOf(kind, read, variables.get(read) ?? new Map(), shared);
    return { key: isShort ? (read.name ?? "") : keyOf(read), value: { entries } };
  });
  if (before !== null) {
    const edits = blocks.map(({ key, value }): Edit => [{ step: "add", kind, key, block: value, spot: null }]);
    const { text, leftAlone } = writeEdits(before, file, edits);
    const [reason] = leftAlone.values();
    if (reason === undefined) return text;
    throw new UserError("wrong-into", `linkform cannot add blocks to ${file}, because ${reason}.`, {
      hint: "Choose another file with --into.",
      exit: EXIT.usage,
    });
  }
  const section: YamlEntry = { key: SECTION[kind], value: { entries: blocks } };
  const entries = [...shared].map(([key, value]): YamlEntry => ({ key, value }));
  const defaults: YamlEntry = { key: "defaults", value: { entries: [{ key: kind, value: { entries } }] } };
  return head + yamlText({ entries: entries.length === 0 ? [section] : [defaults, section] });
}

/** A file to write rows into, and the variables for their secrets. */
interface RowsFile extends Pick<ImportTarget, "file" | "head" | "before" | "given" | "labels"> {
  readonly kind: ResourceKind;
  readonly variables: ReadonlyMap<ReadRow, ReadonlyMap<string, string>>;
}

/**
 * The values for the `defaults` of a new file: references that all rows have, and defaults of the service if every row names
 * the field. Other shared values may not suit the next link.
 */
function sharedValues(
  kind: ResourceKind,
  rows: readonly ReadRow[],
  knownDomain: string | null,
): ReadonlyMap<string, YamlContent> {
  const [first] = rows;
  if (kind === "pixel" || first === undefined || rows.length < 2) return new Map();
  const { domain } = first;
  const isOwn = domain !== null && domain !== knownDomain && rows.every((row) => row.domain === domain);
  return new Map([
    ...(isOwn ? [[REFERENCE_FIELD.domain, domain] as const] : []),
    ...[...first.values].flatMap(([path, value]): [string, YamlContent][] => {
      const field = fieldAt(kind, path);
      if (field === undefined || path.includes(".")) return [];
      if (field.kind === "reference")
        return rows.every(({ values }) => values.get(path) === value) ? [[path, value]] : [];
      const serviceDefault = field.default;
      if (typeof serviceDefault !== "string" && typeof serviceDefault !== "boolean") return [];
      const isOnEveryRow =
        rows.every(({ values }) => values.has(path)) && rows.some(({ values }) => values.get(path) === serviceDefault);
      return isOnEveryRow ? [[path, serviceDefault]] : [];
    }),
  ]);
}
