// The report of an import: columns, written rows, warnings and next steps.

import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import type { SheetColumns } from "../report/compose-written.ts";
import { plural } from "../report/counts.ts";
import type { WrittenItem } from "../report/json/written.ts";
import { soundsSecret } from "../report/redaction.ts";
import type { WrittenResult } from "../report/run-document.ts";
import type { CheckedRows } from "./check.ts";
import { shownDelimiter, type Sheet } from "./csv.ts";
import type { MappedColumn } from "./mapping.ts";
import type { ImportTarget } from "./project.ts";
import { rowKey } from "./rows.ts";
import { isSecretTarget } from "./targets.ts";

/** The columns of a sheet, with the first value of each mapped column that is not secret. */
export function columnsOf(sheet: Sheet, columns: readonly MappedColumn[]): SheetColumns {
  return {
    file: sheet.file,
    rows: sheet.rows.length,
    delimiter: shownDelimiter(sheet.delimiter),
    columns: columns.map(({ index, name, target, because }) => {
      const secret = isSecretTarget(target);
      const first = sheet.rows.find(({ cells }) => (cells[index] ?? "") !== "")?.cells[index];
      const example = target === null || secret ? null : (first ?? null);
      return { column: name, field: target?.path ?? null, because, example, secret };
    }),
  };
}

/** Warns about unmapped columns that sound like passwords: without them, the links would be open. */
export function secretsLeftOut(columns: readonly MappedColumn[], kind: ResourceKind): Diagnostic[] {
  const secret = FIELDS[kind].find((field) => field.kind === "secret");
  if (secret === undefined) return [];
  return columns.flatMap(({ name, target, because }) => {
    if (target !== null || because === "flag" || !soundsSecret(name)) return [];
    const message = `The column \`${name}\` may contain passwords, but it is ignored. Links that had a password would have none.`;
    const hint = `To import the passwords, pass --map "${name}=${secret.path}". To hide this warning, pass --map "${name}=ignore".`;
    return [warning("secret-left-out", message, null, hint)];
  });
}

interface FinishedImport {
  readonly target: ImportTarget;
  /** The text of the file with the rows. */
  readonly text: string;
  readonly kind: ResourceKind;
  readonly sheet: Sheet;
  readonly checked: CheckedRows;
  readonly columns: SheetColumns;
  /** About the sheet. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of findings about the file, none of which is an error. */
  readonly warnings: number;
  /** False for a dry run. */
  readonly isWritten: boolean;
  /** The file of rejected rows, if there is one. */
  readonly rejects: string | null;
}

/** The report of a successful import or dry run. */
export function writtenResult(done: FinishedImport): WrittenResult {
  const { target, text, kind, sheet, checked, columns, diagnostics, warnings, isWritten, rejects } = done;
  const { file, before } = target;
  const { good, bad } = checked;
  const added = good.map((read): WrittenItem => ({ what: "added", kind, key: rowKey(read), file, note: null }));
  const skipped = bad.map((read): WrittenItem => {
    const reasons = read.problems.map(({ reason }) => reason).join(" ");
    const note = `${sheet.file}:${sheet.placeOf(read.row, null).line}: ${reasons}`;
    return { what: "skipped", kind, key: rowKey(read) || null, file: null, note };
  });
  return {
    command: "import",
    isWritten,
    edits: [{ file, before, after: text }],
    items: [...added, ...skipped],
    variables: good.flatMap(({ variables }) => variables),
    next: isWritten
      ? [
          ...(rejects === null ? [] : [`${rejects} has the skipped rows, each with its reason.`]),
          ...(warnings === 0 ? [] : [`Run \`linkform validate\` to see ${plural(warnings, "warning")}.`]),
          "Run `linkform plan` to see which of them already exist. Existing ones become managed and are changed to match the file. The others are created.",
        ]
      : ["Run again without --dry-run to write the file."],
    diagnostics,
    columns: columns.columns,
  };
}
