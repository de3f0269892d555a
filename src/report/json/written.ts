// The JSON documents of commands that write files, and their schemas.

import * as z from "zod";
import { diagnosticDocuments } from "../document.ts";
import type { WrittenReport } from "../report.ts";
import { filePatch } from "../text-diff.ts";
import { diagnosticSchema, kindSchema } from "./schema.ts";

/** What `pull`, `rm`, `import`, `init` and `fmt` print, on errors too. */
export const writtenSchema = z.object({
  format_version: z.literal("1.0"),
  command: z.enum(["pull", "rm", "import", "init", "fmt"]),
  written: z.boolean().describe("False if no file was changed."),
  files: z.array(
    z.object({
      file: z.string().describe("The path relative to the project folder, with `/`."),
      action: z.enum(["create", "update", "delete"]),
      patch: z
        .string()
        .nullable()
        .describe("The unified diff of a dry run; null if the file was written, and for copied files."),
    }),
  ),
  items: z
    .array(
      z.object({
        what: z.enum(["added", "changed", "removed", "tombstoned", "skipped"]),
        kind: kindSchema,
        key: z.string().nullable(),
        file: z.string().nullable(),
        note: z.string().nullable(),
      }),
    )
    .describe("The result for each link and pixel. `tombstoned`: turned into a tombstone. `skipped`: not written."),
  variables: z.array(z.string()).describe("Environment variables to set before an apply, because it sends passwords."),
  next: z.array(z.string()).describe("What to do next. Lines of commands are indented."),
  diagnostics: z.array(diagnosticSchema),
});

const columnSchema = z.object({
  column: z.string().describe("The name in the first row; `#3` without a name."),
  field: z
    .string()
    .nullable()
    .describe("The field that it is mapped to, or `key`, `secrets`, `note`; null if it is ignored."),
  because: z
    .enum(["flag", "name", "unknown"])
    .describe("The reason: a flag or its name. `unknown`: it is ignored because its name is unknown."),
  example: z.string().nullable().describe("The first value; null for passwords and ignored columns."),
  secret: z.boolean().describe("True if it contains passwords, which are not written to files."),
});

/** What `import --format json` prints. */
export const importSchema = writtenSchema.extend({ columns: z.array(columnSchema).optional() });

export type WrittenDocument = z.infer<typeof importSchema>;
export type WrittenItem = WrittenDocument["items"][number];

/** The document of a dry run has patches. */
export function writtenDocument(report: WrittenReport): WrittenDocument {
  return {
    format_version: "1.0",
    command: report.command,
    written: report.isWritten,
    files: report.edits.map((edit) => ({
      file: edit.file,
      action: edit.before === null ? "create" : edit.after === null ? "delete" : "update",
      patch: report.isWritten || edit.isCopy === true ? null : filePatch(edit),
    })),
    items: [...report.items],
    variables: [...report.variables],
    next: [...report.next],
    diagnostics: diagnosticDocuments(report.diagnostics),
    columns: report.columns?.columns,
  };
}
