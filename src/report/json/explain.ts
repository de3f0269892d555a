// What `explain --format json` prints, and its schema.

import * as z from "zod";
import { SOFTWARE } from "../../domain/software.ts";
import { NOTES, type NoteCode } from "../../domain/visit.ts";
import { diagnosticSchema, nullable, placeSchema, texts } from "./schema.ts";

const source = nullable(placeSchema, "The line in the files that sets this; null if there is none.");

const who = z
  .discriminatedUnion("by", [
    z.object({ by: z.literal("all") }),
    z.object({ by: z.literal("key"), key: z.string().describe("A key of the target group, such as a country.") }),
    z.object({ by: z.literal("others") }),
    z.object({ by: z.literal("turn"), turn: z.int().min(1), turns: z.int().min(1) }),
  ])
  .describe("The visitors.");

const basis = z
  .enum(["doubtful", "unknown"])
  .describe("`doubtful`: seen only on a test installation, and your service can differ. `unknown`: not seen.");

const codes: NoteCode[] = Object.keys(NOTES).filter((code): code is NoteCode => code in NOTES);

const softwareVersion = z.enum(SOFTWARE);

/** What visitors get, on one version of the service. */
const visitSchema = z.object({
  says: z.string().describe("The answer as a sentence."),
  status: nullable(
    z.union([z.literal(200), z.literal(301), z.literal(404), z.literal(500)]),
    "The HTTP status of the first response; null if unknown.",
  ),
  pages: z
    .array(z.enum(["expired", "disabled", "password", "warning", "pixels", "not-found", "error"]))
    .describe(
      "The pages that visitors see before a redirect or instead of one, in their order. `warning` asks visitors to confirm a warning, `pixels` asks for consent.",
    ),
  pixels: texts,
  goes_to: z
    .array(z.object({ who, url: z.string(), source }))
    .describe("The final destinations. Several if they depend on facts about the visitor that were not given."),
  after_consent: nullable(
    z.object({ url: z.string(), source }),
    "The destination of visitors who accept tracking; null without pixels. Others go to `goes_to`.",
  ),
});

const sideSchema = z.object({
  from: z.enum(["files", "live"]),
  key: nullable(z.string(), "domain/alias; null if the link does not exist."),
  id: z.int().nullable(),
  clicks: nullable(z.int(), "The click count that the answer assumes; null if unknown."),
  source,
  found: z.enum(["link", "missing", "deleted", "renamed"]).describe("`deleted`, `renamed`: the files ask for it."),
  renamed_to: z.string().nullable(),
  ...visitSchema.shape,
  by_version: z
    .array(z.object({ version: softwareVersion, ...visitSchema.shape }))
    .describe(
      "The answer of each version of the service that has the link's fields, if the version is not known and the answers differ; otherwise empty.",
    ),
  steps: z.array(
    z.object({
      asks: z.enum(["expired", "disabled", "password", "warning", "destination", "pixels"]),
      reached: z.boolean().describe("False after a step that ends the visit."),
      says: z.string(),
      basis: nullable(basis, "Why the answer may be wrong; null if it is certain."),
      source,
    }),
  ),
  unknown: z
    .array(z.object({ path: z.string(), why: z.enum(["silent", "kept", "not returned", "unreadable"]) }))
    .describe("Unknown fields, for which the answer assumes the default."),
  unknown_says: texts,
  notes: z
    .array(z.object({ code: z.enum(codes), basis, says: z.string() }))
    .describe("The facts that the answer is based on without being certain."),
});

export const explainSchema = z.object({
  format_version: z.literal("1.0"),
  asked: nullable(z.string(), "The short URL or key. Null if the command failed."),
  version: nullable(
    softwareVersion,
    "The version of the service: detected, or `service.software` of the project file. Null if it is not known.",
  ),
  visitor: nullable(
    z.object({
      is: z
        .record(z.string(), z.string().nullable())
        .describe("The given facts about the visitor, by group; null means `other`."),
      crawler: z.boolean().describe("Whether the service treats the visitor as a crawler."),
      at: z.string().describe("An instant in UTC."),
    }),
    "Null if the command failed.",
  ),
  timezone: nullable(z.string(), "The time zone of the files, which sentences use. Null if the command failed."),
  sides: z.array(sideSchema).describe("The link according to the files or the account; empty if the command failed."),
  diagnostics: z.array(diagnosticSchema),
});

export type ExplainDocument = z.infer<typeof explainSchema>;
export type SideDocument = z.infer<typeof sideSchema>;
export type VisitDocument = z.infer<typeof visitSchema>;
