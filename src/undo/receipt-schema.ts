// The receipt of an apply as a JSON document, and the schema that describes it.

import * as z from "zod";
import type { ReceiptChange, Receipt } from "../domain/receipt.ts";
import { actionSchema, kindSchema } from "../render/json/schema.ts";

/** What a reference pointed to. */
export interface PointerDocument {
  id: number | null;
  name: string;
}

/** A value as a receipt keeps it: by the kind of its field, so that nothing of it is lost. */
export type KeptDocument =
  | null
  | string
  | number
  | boolean
  | readonly string[]
  | readonly (readonly [string, string])[]
  | { readonly secret: "set" | "unset" }
  | PointerDocument
  | readonly PointerDocument[];

/** Fields by path. */
export type SnapshotDocument = Record<string, KeptDocument>;

export interface KeyDocument {
  domain: PointerDocument | null;
  name: string;
}

export interface ReceiptChangeDocument {
  action: ReceiptChange["action"];
  kind: ReceiptChange["kind"];
  key: string;
  previous_key: string | null;
  was: KeyDocument | null;
  is: KeyDocument | null;
  id: number | null;
  new_id: number | null;
  clicks: number | null;
  outcome: ReceiptChange["outcome"];
  may_have_acted: boolean | null;
  before: SnapshotDocument | null;
  after: SnapshotDocument | null;
  source: { file: string; line: number; column: number };
}

export interface ReceiptDocument {
  format_version: "1.0";
  linkform: string;
  at: string;
  command: Receipt["command"];
  ended: boolean;
  service: { base_url: string };
  project: string;
  base: { ref: string; commit: string } | null;
  zones: { files: string; account: string | null };
  changes: ReceiptChangeDocument[];
  digest: string;
}

const pointer = z
  .object({ id: z.int().nullable(), name: z.string() })
  .describe("What a reference points to; without an id where it had none yet.");

const kept: z.ZodType<KeptDocument> = z
  .union([
    z.null(),
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()),
    z.array(z.tuple([z.string(), z.string()])),
    z.object({ secret: z.enum(["set", "unset"]) }),
    pointer,
    z.array(pointer),
  ])
  .describe(
    "A value by the kind of its field: an instant is in UTC, a target group a list of pairs, a space { id, name }; of a secret only whether one is set.",
  );

const snapshot = z.record(z.string(), kept);

const key = z
  .object({ domain: pointer.nullable().describe("Null for pixels."), name: z.string() })
  .describe("Where the object is found: the alias on its domain, or the pixel's name.");

const change = z.object({
  action: actionSchema,
  kind: kindSchema,
  key: z.string(),
  previous_key: z.string().nullable(),
  was: key.nullable().describe("Its key before; null for a create."),
  is: key.nullable().describe("Its key after; null for a delete."),
  id: z.int().positive().nullable().describe("The row that was there."),
  new_id: z.int().positive().nullable().describe("The row that was made; null where none was, or its id is not known."),
  clicks: z.int().nullable().describe("Clicks when the apply began."),
  outcome: z
    .enum(["applied", "failed", "skipped"])
    .nullable()
    .describe("Null where the run did not come to its end: then what it did is told by comparing with live."),
  may_have_acted: z
    .boolean()
    .nullable()
    .describe("Of one that failed: false where nothing of it was done, so that there is nothing to take back."),
  before: snapshot
    .nullable()
    .describe("Of an update the fields it changed; of a delete or replacement all of the former object."),
  after: snapshot.nullable().describe("What these fields became, or what a new row was stored with."),
  source: z.object({ file: z.string(), line: z.int(), column: z.int() }).describe("What asked for it."),
});

/** What every apply writes beside the files. */
export const receiptSchema: z.ZodType<ReceiptDocument> = z.object({
  format_version: z.literal("1.0"),
  linkform: z.string().describe("The version that wrote it."),
  at: z.string().describe("When the changes began, in UTC."),
  command: z.enum(["apply", "undo"]),
  ended: z.boolean().describe("False where the run was killed: then no change has an outcome."),
  service: z.object({ base_url: z.string() }),
  project: z.string().describe("The project file's name."),
  base: z.object({ ref: z.string(), commit: z.string() }).nullable(),
  zones: z.object({ files: z.string(), account: z.string().nullable() }),
  changes: z.array(change),
  digest: z.string().describe("`sha256:` and the hash of the rest, written as JSON without white space."),
});
