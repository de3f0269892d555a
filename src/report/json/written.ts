// The JSON documents of commands that write files, and their schemas.

import * as z from "zod";
import { diagnosticSchema, kindSchema, nullable, texts } from "./schema.ts";

/** What `pull`, `rm`, `import`, `init` and `fmt` print, on errors too. */
export const writtenSchema = z.object({
  format_version: z.literal("1.0"),
  command: z.enum(["pull", "rm", "import", "init", "fmt"]),
  written: z.boolean().describe("False if no file was changed."),
  files: z.array(
    z.object({
      file: z.string().describe("The path relative to the project folder, with `/`."),
      action: z.enum(["create", "update"]),
      patch: nullable(z.string(), "The unified diff of a dry run; null if the file was written, and for copied files."),
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
  variables: texts.describe("Environment variables to set before an apply, because it sends passwords."),
  next: texts.describe("What to do next. Lines of commands are indented."),
  diagnostics: z.array(diagnosticSchema),
});

const columnSchema = z.object({
  column: z.string().describe("The name in the first row; `#3` without a name."),
  field: nullable(z.string(), "The field that it is mapped to, or `key`, `secrets`, `note`; null if it is ignored."),
  because: z
    .enum(["flag", "name", "unknown"])
    .describe("The reason: a flag or its name. `unknown`: it is ignored because its name is unknown."),
  example: nullable(z.string(), "The first value; null for passwords and ignored columns."),
  secret: z.boolean().describe("True if it contains passwords, which are not written to files."),
});

/** What `import --format json` prints. */
export const importSchema = writtenSchema.extend({ columns: z.array(columnSchema).optional() });

export type WrittenDocument = z.infer<typeof importSchema>;
export type WrittenItem = WrittenDocument["items"][number];
