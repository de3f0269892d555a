// What a text must be to stand in a field: its form and length, as the field's row gives them.

import type { TextRow } from "./field.ts";
import { FIELDS } from "./table.ts";

/** Every destination is held to the rules of the one that each link has. */
export const DESTINATION: TextRow = destinationRow();

function destinationRow(): TextRow {
  const row = FIELDS.link.find((one): one is TextRow => one.kind === "text" && one.path === "url");
  if (row === undefined) throw new Error("a link has no destination");
  return row;
}

/** What keeps a text from being a value of this field, as a sentence about "this"; null if nothing does. */
export function textProblem(row: TextRow, written: string): string | null {
  if (!row.pattern.test(written)) return `This must be ${row.shape}.`;
  // Characters as people count them, not UTF-16 units: so does the service (docs/service.md, "Text and numbers").
  const length = [...written].length;
  return length > row.longest ? `This has ${length} characters; at most ${row.longest} fit.` : null;
}
