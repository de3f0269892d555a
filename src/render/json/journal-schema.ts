// The lines of a journal as a schema.

import * as z from "zod";
import type { JournalDocument } from "./journal.ts";
import { actionSchema, fieldsSchema, kindSchema } from "./schema.ts";

const at = { at: z.string().describe("When the line was written, in UTC.") };
const call = z.int().min(1).describe("Ties an intent to what came of it.");

/** A line of the file that `apply --journal` appends to. */
export const journalSchema: z.ZodType<JournalDocument & { at: string }> = z.discriminatedUnion("event", [
  z.object({
    ...at,
    event: z.literal("begin"),
    format_version: z.literal("1.0"),
    linkform: z.string(),
    base_url: z.string(),
    changes: z.int(),
  }),
  z.object({
    ...at,
    event: z.literal("intent"),
    call,
    does: z.enum(["store", "update", "delete"]),
    action: actionSchema,
    kind: kindSchema,
    key: z.string(),
    id: z.int().nullable(),
    fields: fieldsSchema,
  }),
  z.object({
    ...at,
    event: z.literal("result"),
    call,
    result: z
      .enum(["done", "refused", "unknown"])
      .describe("`unknown`: it failed, and the service may have acted on it all the same."),
    id: z.int().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
  z.object({ ...at, event: z.literal("end"), applied: z.int(), failed: z.int(), skipped: z.int() }),
]);
