// Writes the blocks of rows into a new or existing file.

import { labelsOf } from "../config/keys.ts";
import { REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import type { Edit } from "../edit/edits.ts";
import { newFileText } from "../edit/new-file.ts";
import { writeEdits } from "../edit/writer.ts";
import { usageError } from "../errors.ts";
import type { ImportTarget } from "./project.ts";
import { rowKey, type ReadRow } from "./rows.ts";

/** The text of a file with these rows: a new one if `before` is null. */
export function fileWith(
  kind: ResourceKind,
  { file, head, before, given, project }: ImportTarget,
  rows: readonly ReadRow[],
): string {
  const inherited = given.get(REFERENCE_FIELD.domain)?.value;
  const known = typeof inherited === "string" ? labelsOf(project.domains).labelOf(inherited) : null;
  const blocks = rows.map((read) => {
    // `__proto__` cannot be a key of a plain object.
    const isShort = read.domain === known && read.name !== "__proto__";
    return { key: isShort ? (read.name ?? "") : rowKey(read), value: { entries: read.block } };
  });
  if (before === null) return newFileText(kind, head, blocks);
  const edits = blocks.map((block): Edit => [{ step: "add", kind, block, spot: null }]);
  const { text, leftAlone } = writeEdits(before, file, edits);
  const [reason] = leftAlone.values();
  if (reason === undefined) return text;
  throw usageError(
    "wrong-into",
    `linkform cannot add blocks to ${file}, because ${reason}.`,
    "Choose another file with --into.",
  );
}
