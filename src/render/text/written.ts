// What was written into files, or would be: as text and as JSON.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { ColumnDocument } from "../../view/report.ts";
import { diagnosticDocument, type DiagnosticDocument } from "../../view/document.ts";
import { plural, showCount } from "../../view/counts.ts";
import { patchText } from "./patch.ts";
import type { WrittenItem, WrittenReport } from "../../view/report.ts";
import type { Screen } from "./screen.ts";
import { visible } from "../../domain/control-characters.ts";
import { wrap } from "./width.ts";

/** What a command that writes files prints as JSON. */
export interface WrittenDocument {
  format_version: "1.0";
  command: WrittenReport["command"];
  written: boolean;
  files: { file: string; action: "create" | "update" | "delete"; patch: string | null }[];
  items: WrittenItem[];
  variables: string[];
  diagnostics: DiagnosticDocument[];
  /** Only of an import. */
  columns?: ColumnDocument[];
}

/** The document of a report; patches are in it where nothing was written. */
export function writtenDocument(report: WrittenReport, plain: Screen): WrittenDocument {
  return {
    format_version: "1.0",
    command: report.command,
    written: report.isWritten,
    files: report.edits.map((edit) => ({
      file: edit.file,
      action: edit.before === null ? "create" : edit.after === null ? "delete" : "update",
      patch: report.isWritten || edit.isCopy === true ? null : patchText(edit, plain),
    })),
    items: report.items.map((item) => ({ ...item })),
    variables: [...report.variables],
    diagnostics: report.diagnostics.map(diagnosticDocument),
    ...(report.columns !== undefined && { columns: report.columns.columns.map((column) => ({ ...column })) }),
  };
}

/** The document of a run that could not do what it is for. */
export function unwrittenDocument(
  command: WrittenReport["command"],
  diagnostics: readonly Diagnostic[],
): WrittenDocument {
  const nothing = { files: [], items: [], variables: [] };
  return {
    format_version: "1.0",
    command,
    written: false,
    ...nothing,
    diagnostics: diagnostics.map(diagnosticDocument),
  };
}

const DONE = {
  added: "added",
  changed: "changed",
  removed: "removed",
  tombstoned: "tombstone",
  skipped: "left out",
};

/** Why there are variables to set. */
const WHY_VARIABLES: Readonly<Record<WrittenReport["command"], string>> = {
  pull: "Passwords can't be read.",
  rm: "Passwords can't be read.",
  import: "Passwords go into no file.",
  init: "Passwords can't be read.",
};

/** The report as text: what a patch says where nothing was written, else which files, and what is to be done next. */
export function writtenText(report: WrittenReport, screen: Screen): string {
  const { paint } = screen;
  const shown = report.isWritten ? [] : report.edits.filter(({ isCopy }) => isCopy !== true);
  const patches = shown.map((edit) => patchText(edit, screen)).join("");
  const told = report.items.filter(({ what, note }) => note !== null || what === "removed" || what === "tombstoned");
  const items = told.map(({ what, kind, key, note }) => {
    const subject = `${what === "tombstoned" ? "tombstone for" : DONE[what]} ${kind}${key === null ? "" : ` ${key}`}`;
    return `${wrap(visible(note === null ? subject : `${subject}: ${note}`), screen.columns, 2)}\n`;
  });
  const variables =
    report.variables.length === 0
      ? ""
      : `\n${WHY_VARIABLES[report.command]} Before one is sent, set ${plural(report.variables.length, "variable")}:\n${report.variables.map((name) => `    ${name}\n`).join("")}`;
  const next = report.next.length === 0 ? "" : `\n${report.next.map((line) => nextLine(line, screen)).join("")}`;
  return `${patches}${patches === "" ? "" : "\n"}${items.join("")}${filesLine(report, paint.green)}${variables}${next}`;
}

/** A sentence, behind the spaces that it begins with; below the first line of an item the others begin a little further in. */
function nextLine(line: string, { columns }: Screen): string {
  const [, spaces = "", item = "", sentence = ""] = /^( *)(- )?(.*)$/s.exec(visible(line)) ?? [];
  const indent = spaces.length + item.length;
  return `${spaces}${item}${wrap(sentence, columns, indent)}\n`;
}

function filesLine({ edits, isWritten, items }: WrittenReport, good: (text: string) => string): string {
  if (edits.length === 0) return "Nothing to change in the files.\n";
  const counts = (["added", "changed", "removed", "tombstoned", "skipped"] as const).flatMap((what) => {
    const count = items.filter((item) => item.what === what).length;
    return count === 0
      ? []
      : [what === "tombstoned" ? plural(count, "tombstone") : `${showCount(count)} ${DONE[what]}`];
  });
  const verb = isWritten ? good("Written:") : "Nothing was written. It would be:";
  const rows = edits.map(
    ({ file, before, after }) => `    ${before === null ? "+" : after === null ? "-" : "~"} ${visible(file)}\n`,
  );
  return `${verb} ${plural(edits.length, "file")}${counts.length === 0 ? "" : `, ${counts.join(", ")}`}.\n${rows.join("")}`;
}
