// What `list` and `show` print as JSON, and its schemas.

import * as z from "zod";
import { SOFTWARE } from "../../domain/software.ts";
import { changeSchema, diagnosticSchema, kindSchema, nullable, placeSchema, texts } from "./schema.ts";
import { unreadableFieldsSchema, wordSchema } from "./schema.ts";

const recordSchema = z.object({
  kind: kindSchema,
  key: z.string().describe("domain/alias, or the pixel's name."),
  id: z.int().describe("The id at the service."),
  short_url: nullable(z.string(), "The short URL of a link, without the scheme."),
  status: z
    .array(z.enum(["active", "expired", "disabled"]))
    .describe(
      "For a link: active, or the reasons why it is not, with the one that visitors see first. Empty for a pixel, and for a link that cannot be read.",
    ),
  clicks: z.int().nullable(),
  title: nullable(z.string(), "The title that the service read from the destination."),
  created_at: nullable(z.string(), "In UTC; null if the service does not report it."),
  updated_at: nullable(z.string(), "In UTC; null if the service does not report it."),
  declared: nullable(placeSchema, "The block that declares it; null if there is none, or without a project."),
  absent: nullable(placeSchema, "The tombstone that names it."),
  family: z.string().exactOptional().describe("The alias of the family that declares it. Only if one does."),
  owner: texts.describe("The people or teams in charge of the link. Empty if the files name none."),
  review_by: nullable(z.string(), "The date to review the link; null if the files set none."),
  unreadable: unreadableFieldsSchema
    .exactOptional()
    .describe("Fields that linkform cannot read. It does not change the object. Only if there are any."),
  fields: z
    .record(z.string(), wordSchema)
    .describe("Every field by its key path in the files. Dates and times are in `timezone`."),
});

const shownSchema = recordSchema.extend({
  defaults: texts.describe("The fields that have their default."),
  change: nullable(changeSchema, "The change that would make it match the files; null if it matches or is unmanaged."),
  problems: z.array(diagnosticSchema).describe("The errors that prevent a comparison."),
  declare: nullable(z.string(), "Lines of YAML that declare it; null if it is managed, or if it cannot be declared."),
  declare_problem: z.string().exactOptional().describe("Why it cannot be declared, as the end of a sentence."),
  pruned: z.boolean().describe("True if no file declares it and `prune: scope` deletes it."),
  used_by: nullable(
    z.object({ count: z.int().nullable(), keys: texts }),
    "For a pixel: the number of links that use it (null if unknown), and the keys of the first of them.",
  ),
});

const envelope = {
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False if an error prevented reading."),
  service: z.object({ base_url: z.string().nullable() }),
  has_files: z
    .boolean()
    .describe("Whether the files of a project were read. Without them, it is not known what is declared."),
  timezone: nullable(z.string(), "The time zone of dates and times in `fields`."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int() }),
};

export const listSchema = z.object({
  ...envelope,
  kind: kindSchema.nullable(),
  sort: z.enum(["desc", "asc", "max", "min"]).nullable(),
  filtered: z.boolean().describe("Whether flags select rows."),
  search: nullable(z.object({ text: z.string(), in: z.string() }), "The text of --search, and the searched field."),
  rows: z.array(recordSchema),
  total: nullable(z.int(), "The number of matching rows, including those beyond --limit; null if unknown."),
});

export const showSchema = z.object({
  ...envelope,
  service: envelope.service.extend({
    software: nullable(z.enum(SOFTWARE), "The version of the service; null if nothing depends on it."),
  }),
  objects: z.array(shownSchema),
});

export type RecordDocument = z.infer<typeof recordSchema>;
export type ListDocument = z.infer<typeof listSchema>;
export type ShownDocument = z.infer<typeof shownSchema>;
export type ShowDocument = z.infer<typeof showSchema>;
