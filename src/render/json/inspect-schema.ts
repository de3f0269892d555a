// What `list` and `show` print as JSON, as zod schemas: `schemas/` is generated from them.

import * as z from "zod";
import type { ListDocument } from "./list.ts";
import type { ShowDocument } from "./show.ts";
import { changeSchema, diagnosticSchema, kindSchema, unreadableFieldsSchema, wordSchema } from "./schema.ts";

const place = z.object({ file: z.string(), line: z.int().min(1), column: z.int().min(1) });

const seen = z.object({
  kind: kindSchema,
  key: z.string().describe("domain/alias, or the pixel's name."),
  id: z.int().describe("The service's id of the row."),
  short_url: z.string().nullable().describe("A link's address as people type it, without its scheme."),
  status: z
    .array(z.enum(["active", "expired", "disabled"]))
    .describe(
      "Of a link: active, or what keeps it from being so; what visitors meet stands first. Of a pixel nothing, nor of a link that cannot be read.",
    ),
  clicks: z.int().nullable(),
  title: z.string().nullable().describe("What the service read at the link's destination as its title."),
  created_at: z.string().nullable().describe("In UTC; null where the service does not say."),
  updated_at: z.string().nullable().describe("In UTC; null where the service does not say."),
  declared: place.nullable().describe("The block that declares it; null where there is none, or no project."),
  absent: place.nullable().describe("The tombstone that names it."),
  unreadable: unreadableFieldsSchema
    .exactOptional()
    .describe("Fields without a meaning: linkform leaves the object alone. Only if there are any."),
  fields: z
    .record(z.string(), wordSchema)
    .describe("Every field by its key path in the files. Dates and times are those of `timezone`."),
});

/** What both begin and end with. */
const around = {
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False where an error kept anything from being read."),
  service: z.object({ base_url: z.string().nullable() }),
  timezone: z.string().nullable().describe("The zone of dates and times in `fields`."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int() }),
};

/** What `list --format json` prints. */
export const listSchema: z.ZodType<ListDocument> = z.object({
  ...around,
  kind: kindSchema.nullable(),
  sort: z.enum(["desc", "asc", "max", "min"]).nullable(),
  rows: z.array(seen),
  total: z
    .int()
    .nullable()
    .describe("How many rows are wanted, those that --limit leaves out too; null where nobody knows."),
});

/** What `show --format json` prints. */
export const showSchema: z.ZodType<ShowDocument> = z.object({
  ...around,
  objects: z.array(
    seen.extend({
      change: changeSchema.nullable().describe("What makes it as declared; null where it is so, or nothing names it."),
      problems: z.array(diagnosticSchema).describe("Why that can't be said."),
      declare: z
        .string()
        .nullable()
        .describe("Lines of YAML that declare it as it is; null where something names it, or none can."),
      pruned: z.boolean().describe("No file names it, and `prune: scope` asks for it to be deleted."),
      used_by: z
        .object({ count: z.int().nullable(), keys: z.array(z.string()) })
        .nullable()
        .describe("Of a pixel: how many links use it (null: nobody knows), and the keys of the first of them."),
    }),
  ),
});
