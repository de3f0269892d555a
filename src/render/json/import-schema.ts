// The JSON of an import as a zod schema, from which `schemas/` is generated; typed against the document itself.

import * as z from "zod";
import { diagnosticSchema, kindSchema } from "./schema.ts";
import type { WrittenDocument } from "../text/written.ts";

const column = z.object({
  column: z.string().describe("As the first row calls it; `#3` where it has no name."),
  field: z
    .string()
    .nullable()
    .describe("The field it is taken for, or `key`, `secrets`, `note`; null where it is left out."),
  because: z
    .enum(["flag", "name", "unknown"])
    .describe("The reason: a flag or its name; `unknown`: it is left out because its name is not known."),
  example: z.string().nullable().describe("The first value; null for passwords and for what is left out."),
  secret: z.boolean().describe("It holds passwords, which go into no file."),
});

const item = z.object({
  what: z
    .enum(["added", "changed", "removed", "tombstoned", "skipped"])
    .describe("`skipped`: a row that was left out."),
  kind: kindSchema,
  key: z.string().nullable(),
  file: z.string().nullable(),
  note: z.string().nullable().describe("Of a row that was left out: its line, and why."),
});

/** What `import --format json` prints if the rows can be taken. */
export const importSchema: z.ZodType<WrittenDocument> = z.object({
  format_version: z.literal("1.0"),
  command: z.enum(["pull", "rm", "import", "init"]),
  written: z.boolean().describe("False with --dry-run."),
  files: z.array(
    z.object({
      file: z.string().describe("From the project folder."),
      action: z.enum(["create", "update", "delete"]),
      patch: z.string().nullable().describe("A unified diff; null once it is written."),
    }),
  ),
  items: z.array(item),
  variables: z.array(z.string()).describe("Variables that must be set before these passwords can be sent."),
  diagnostics: z.array(diagnosticSchema),
  columns: z.array(column).exactOptional(),
});
