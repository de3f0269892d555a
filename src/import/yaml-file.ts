// Writes the blocks of rows into a new or existing file.

import { fieldAt, REFERENCE_FIELD, type ResourceKind, SECTION } from "../domain/table.ts";
import type { Edit } from "../edit/edits.ts";
import { writeEdits } from "../edit/writer.ts";
import { type YamlContent, type YamlEntry, yamlText } from "../edit/yaml-text.ts";
import { EXIT, UserError } from "../errors.ts";
import type { ImportTarget } from "./project.ts";
import { rowKey, type ReadRow } from "./rows.ts";

/** The text of a file with these rows: a new one if `before` is null. In a new file, values that all rows have are its `defaults`. */
export function fileWith(
  kind: ResourceKind,
  { file, head, before, given, labels }: ImportTarget,
  rows: readonly ReadRow[],
): string {
  const inherited = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof inherited === "string" ? labels.labelOf(inherited) : null;
  const shared: ReadonlyMap<string, YamlContent> = before === null ? sharedValues(kind, rows, known) : new Map();
  const domain = shared.get(REFERENCE_FIELD.domain) ?? known;
  const blocks = rows.map((read) => {
    // `__proto__` cannot be a key of a plain object.
    const isShort = read.domain === domain && read.name !== "__proto__";
    const entries = read.block.filter(({ key, value }) => shared.get(key) !== value);
    return { key: isShort ? (read.name ?? "") : rowKey(read), value: { entries } };
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

/** The values for the `defaults` of a new file: references that all rows have. Other shared values may not suit the next link. */
function sharedValues(
  kind: ResourceKind,
  rows: readonly ReadRow[],
  knownDomain: string | null,
): ReadonlyMap<string, YamlContent> {
  const [first] = rows;
  if (kind === "pixel" || first === undefined || rows.length < 2) return new Map();
  const { domain } = first;
  const isOwn = domain !== null && domain !== knownDomain && rows.every((row) => row.domain === domain);
  const shared = first.block.flatMap(({ key, value }): [string, YamlContent][] => {
    const isShared = rows.every(({ block }) => block.find((one) => one.key === key)?.value === value);
    return isShared && fieldAt(kind, key)?.kind === "reference" ? [[key, value]] : [];
  });
  return new Map(isOwn ? [[REFERENCE_FIELD.domain, domain], ...shared] : shared);
}
