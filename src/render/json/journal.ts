// The lines of a journal as JSON, and their schema. A line says only whether a secret is set, never its text.

import * as z from "zod";
import { actionSchema, fieldsSchema, kindSchema, type WithoutTime } from "./schema.ts";
import type { Intent, Result } from "../../apply/journal.ts";
import type { Plan } from "../../domain/change.ts";
import { wordChanges } from "../../view/values.ts";

const at = { at: z.string().describe("When the line was written, in UTC.") };
const callNumber = z.int().min(1).describe("Connects an intent with its result.");

/** A line of the file that `apply --journal` appends to. */
export const journalSchema = z.discriminatedUnion("event", [
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
    call: callNumber,
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
    call: callNumber,
    result: z
      .enum(["done", "refused", "unknown"])
      .describe("`unknown`: it failed, but the service may have executed it."),
    id: z.int().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
  z.object({ ...at, event: z.literal("end"), applied: z.int(), failed: z.int(), skipped: z.int() }),
]);

/** A line without its time. `call` links an intent to its result. */
export type JournalDocument = WithoutTime<z.infer<typeof journalSchema>>;

/** The line of a call or of its result. */
export function journalDocument({ zones }: Plan, line: Intent | Result): JournalDocument {
  if (line.event === "result") {
    const { event, call, result, id, error } = line;
    return { event, call, result, id, error };
  }
  const { event, call, operation, change, id } = line;
  const fields = line.fields.flatMap((field) => wordChanges(change.kind, field, zones, operation === "store"));
  return { event, call, does: operation, action: change.action, kind: change.kind, key: change.key, id, fields };
}
