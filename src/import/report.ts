// The report of an import: columns, written rows, warnings and next steps.

import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { FIELDS, type ResourceKind } from "../domain/table.ts";
import { shownDelimiter, type Sheet } from "./csv.ts";
import type { MappedColumn } from "./mapping.ts";
import { rowKey } from "./rows.ts";
import type { ResolvedRows } from "./resolve.ts";
import { reasonOf } from "./row-problems.ts";
import type { WrittenItem } from "../report/json/written.ts";
import type { SheetColumns } from "../report/compose-written.ts";
import type { WrittenReport } from "../report/report.ts";
import { soundsSecret } from "../report/redaction.ts";
import { plural } from "../report/counts.ts";
import type { ImportTarget } from "./project.ts";

/** The columns of a sheet, with the first value of each mapped column that is not secret. */
export function columnsOf(sheet: Sheet, columns: readonly MappedColumn[]): SheetColumns {
  return {
    file: sheet.file,
    rows: sheet.rows.length,
    delimiter: shownDelimiter(sheet.delimiter),
    columns: columns.map(({ index, name, target, because }) => {
      const isSecret = target?.to === "field" && target.field.kind === "secret";
      const first = sheet.rows.find(({ cells }) => (cells[index] ?? "") !== "")?.cells[index];
      const example = target === null || isSecret ? null : (first ?? null);
      return { column: name, field: target?.path ?? null, because, example, secret: isSecret };
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

/** The report of a successful import or dry run. */
export function writtenReport(
  done: {
    readonly target: ImportTarget;
    readonly text: string;
    readonly kind: ResourceKind;
    readonly sheet: Sheet;
    readonly resolved: ResolvedRows;
    /** About the sheet, and those of the project with the written file. */
    readonly warnings: readonly Diagnostic[];
    readonly found: readonly Diagnostic[];
    readonly columns: SheetColumns;
  },
  { isWritten, rejects }: { readonly isWritten: boolean; readonly rejects: string | null },
): WrittenReport {
  const { target, text, kind, sheet, resolved, warnings, found, columns } = done;
  const { file, before } = target;
  const added = resolved.good.map((read): WrittenItem => ({
    what: "added",
    kind,
    key: rowKey(read),
    file,
    note: null,
  }));
  const skipped = resolved.bad.map((bad): WrittenItem => {
    const { line } = sheet.placeOf(bad.read.row, null);
    const note = `${sheet.file}:${line}: ${reasonOf(sheet, bad)}`;
    return { what: "skipped", kind, key: rowKey(bad.read) || null, file: null, note };
  });
  const advice = found.filter(({ place }) => place?.file === file).length;
  return {
    of: "written",
    command: "import",
    isWritten,
    edits: [{ file, before, after: text }],
    items: [...added, ...skipped],
    variables: resolved.good.flatMap(({ variables }) => variables),
    next: [
      ...(rejects === null || !isWritten ? [] : [`${rejects} has the skipped rows, each with its reason.`]),
      ...(advice === 0 || !isWritten ? [] : [`Run \`linkform validate\` to see ${plural(advice, "warning")}.`]),
      isWritten
        ? "Run `linkform plan` to see which of them already exist. Existing ones become managed and are changed to match the file. The others are created."
        : "Run again without --dry-run to write the file.",
    ],
    diagnostics: warnings,
    columns: columns.columns,
  };
}
