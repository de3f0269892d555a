// What every link or pixel must have, and nothing of a sheet says.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { FIELDS, KEY_FIELD, REFERENCE_FIELD, type ResourceKind } from "../domain/table.ts";
import { columnFor, type MappedColumn } from "./mapping.ts";
import type { Sheet } from "./sheet.ts";
import { isAddress } from "./short-url.ts";
import { KEY_PATH } from "./targets.ts";

/** The error for a first row that names no columns: what else stands in it may be a password, and is not to be shown. */
export function missingHeader({ columns, file }: Sheet): readonly Diagnostic[] {
  const looksLikeData = columns.find(isAddress);
  if (looksLikeData === undefined) return [];
  const message = `The first row has no names of columns in it, but \`${looksLikeData}\`.`;
  const hint = "If the file has no header, say so: --no-header; columns are #1, #2 and so on then.";
  return [error("csv-no-header", message, { file, line: 1, column: 1 }, hint)];
}

/** One error for each field that must be given, and has no column, flag or default. */
export function missingColumns(
  sheet: Sheet,
  kind: ResourceKind,
  columns: readonly MappedColumn[],
  isGiven: (path: string) => boolean,
): readonly Diagnostic[] {
  return FIELDS[kind].flatMap((row): Diagnostic[] => {
    if (!row.required || isGiven(row.path) || columnFor(columns, row.path) !== undefined) return [];
    const isInKey = row.path === KEY_FIELD[kind] || row.path === REFERENCE_FIELD.domain;
    if (isInKey && columnFor(columns, KEY_PATH) !== undefined) return [];
    const message = `No column says the \`${row.path}\`${row.called === null ? "" : ` (${row.called})`} of a ${kind}.`;
    const flag = row.path === REFERENCE_FIELD.domain ? " Or give it for all rows: --domain go.example.com." : "";
    const free = columns.filter(({ target }) => target === null).map(({ name }) => `\`${name}\``);
    const left = free.length === 0 ? "" : ` Columns that mean nothing yet: ${free.join(", ")}.`;
    const hint = `Name one: --map "COLUMN=${row.path}".${flag}${left}`;
    return [error("csv-no-column", message, { file: sheet.file, line: 1, column: 1 }, hint)];
  });
}
