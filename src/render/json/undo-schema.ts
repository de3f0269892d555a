// What an undo says besides its plan, as a schema.

import * as z from "zod";
import type { UndoDocument } from "../../view/undo.ts";

const object = { kind: z.enum(["link", "pixel"]), key: z.string() };

export const undoSchema: z.ZodType<UndoDocument> = z.object({
  receipt: z.string().describe("The receipt that is taken back."),
  at: z.string().describe("When its changes were made, in UTC."),
  ended: z.boolean().describe("False where that run was killed: what it did is told by comparing with live."),
  changes: z.int().describe("How many changes it holds."),
  already: z.int().describe("How many of them are taken back already, or were never made."),
  lost: z
    .array(z.object({ ...object, message: z.string() }))
    .describe("What can't come back, or comes back as another."),
  left: z
    .array(
      z.object({
        ...object,
        previous_key: z.string().nullable(),
        code: z.string(),
        message: z.string(),
        hint: z.string().nullable(),
        fields: z.array(z.string()).describe("The fields that are not restored; empty where the whole object is left."),
      }),
    )
    .describe("What is left as it is now, and why."),
  files: z
    .array(z.object({ file: z.string(), keys: z.array(z.string()) }))
    .describe("Files that still ask for what was taken back: the next apply would make it again."),
});
