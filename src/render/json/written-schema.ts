// The JSON of commands that write files as a zod schema, from which `schemas/` is generated; typed against the document itself.

import * as z from "zod";
import { diagnosticSchema, kindSchema } from "./schema.ts";
import type { WrittenDocument } from "../text/written.ts";

/** What `pull`, `rm`, `import` and `init` print, on errors too. */
export const writtenSchema: z.ZodType<WrittenDocument> = z.object({
  format_version: z.literal("1.0"),
  command: z.enum(["pull", "rm", "import", "init"]),
  written: z.boolean().describe("False where nothing was to be written, or could not: the files are as they were."),
  files: z.array(
    z.object({
      file: z.string().describe("From the project folder, with `/`."),
      action: z.enum(["create", "update", "delete"]),
      patch: z
        .string()
        .nullable()
        .describe("The unified diff where nothing was written; null where it was, and of copies that nobody reads."),
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
    .describe("What became of single links and pixels. `tombstoned`: made a tombstone. `skipped`: left out."),
  variables: z.array(z.string()).describe("Variables that must be set before passwords can be sent."),
  diagnostics: z.array(diagnosticSchema),
});
