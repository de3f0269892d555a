// The JSON documents as zod schemas, from which `schemas/` is generated. Their types are those of the documents.

import * as z from "zod";
import { SOFTWARE } from "../../domain/software.ts";
import type { PlanDocument } from "../../view/document.ts";
import type { Word } from "../../view/values.ts";

export const actionSchema = z.enum(["create", "update", "replace", "delete"]);
export const kindSchema = z.enum(["link", "pixel"]);

export const placeSchema = z.object({ file: z.string(), line: z.int().min(1), column: z.int().min(1) });

export const diagnosticSchema = z
  .object({
    code: z.string(),
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    file: z.string().nullable(),
    line: z.int().min(1).nullable(),
    column: z.int().min(1).nullable(),
    end_column: z
      .int()
      .min(1)
      .nullable()
      .exactOptional()
      .describe("The column behind the last character, on the same line; null where only the beginning is known."),
    hint: z.string().nullable().describe("One sentence on what to do."),
  })
  .describe("A finding about the files or the account.");

export const wordSchema: z.ZodType<Word> = z
  .union([
    z.null(),
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()),
    z.record(z.string(), z.union([z.string(), z.literal(true)])),
  ])
  .describe(
    'A value in the words of the files; null is none. A secret is { "secret": "set" | "unset" }, a field that the service does not return { "unknown": true }.',
  );

export const fieldsSchema = z.array(z.object({ path: z.string(), before: wordSchema, after: wordSchema }));

export const changeSchema = z.object({
  action: actionSchema,
  kind: kindSchema,
  key: z.string().describe("domain/alias, or the pixel's name."),
  previous_key: z.string().nullable().describe("The key the row has until now, where that changes."),
  id: z.int().nullable().describe("The service's id of the row; null before it is created."),
  reason: z
    .enum(["declared", "changed", "renamed", "moved", "tombstone", "removed", "undeclared"])
    .describe("`removed`: its declaration was, since the base. `undeclared`: it lies in scope and is in no file."),
  origin: z
    .enum(["declared here", "pending", "drift", "both"])
    .nullable()
    .describe(
      "Where the change comes from: the files have changed since the base; they asked for it then; live was changed by hand; or both the files and live. Null where no base was given.",
    ),
  breaks_url: z
    .boolean()
    .describe(
      "The short URL stops working: it is deleted, renamed, replaced or disabled, or it expires with this change.",
    ),
  fields: fieldsSchema,
  stored: fieldsSchema.exactOptional().describe("Only of a replacement: all that the new row is stored with."),
  source: placeSchema.describe("The place in the files that asks for it."),
});

const brake = z.object({
  limits: z.enum(["deletes", "updates", "clicks"]),
  kind: kindSchema,
  count: z.int().nullable().describe("Objects, or clicks; null where the service does not say how many clicks."),
  limit: z.int().describe("The most that is allowed."),
  at_stake: z.int().describe("Objects, or clicks, that the limit is a share of."),
  setting: z.string().describe("The limit as the project file says it."),
  allow: z.object({
    flag: z.string(),
    value: z.int().describe("With this number the flag lets the run through."),
    key: z.string().describe("With this value the setting of the project file does."),
  }),
  changes: z.array(z.string()).describe("The keys of the changes that were counted."),
});

const orphan = z.object({
  kind: kindSchema,
  key: z.string(),
  id: z.int(),
  clicks: z.int().nullable(),
  source: placeSchema.describe("Where it was declared, in the files of the base."),
  paste: z.string().describe("Lines of YAML: a tombstone, or `renamed_from` for a block that is new."),
  renamed_from_for: z.string().nullable().describe("The key of that new block; null for a tombstone."),
});

const withheld = z.object({
  action: actionSchema,
  kind: kindSchema,
  key: z.string(),
  id: z.int().nullable(),
  because: z.enum(["target", "exclude", "allow", "waits"]).describe("`waits`: for a change that is left out as well."),
  waits_for: z.object({ kind: kindSchema, key: z.string() }).nullable(),
});

const unmanaged = z.object({
  kind: kindSchema,
  key: z.string(),
  id: z.int(),
  clicks: z.int().nullable(),
  declare: z.string().nullable().describe("Lines of YAML that declare it as it is; null where none can."),
});

export const unreadableFieldsSchema = z
  .array(
    z.object({
      path: z.string().describe("The field's key path in the files."),
      returned: z.string().describe("Its name in the service's answer."),
      seen: z.string().describe("What came instead of a value that has a meaning."),
    }),
  )
  .describe("The fields that cannot be read.");

const unreadable = z.object({
  kind: kindSchema,
  key: z.string().nullable().describe("Null where part of the key cannot be read."),
  id: z.int(),
  fields: unreadableFieldsSchema,
});

/** What `plan --format json` prints. */
export const planSchema = z.object({
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False where an error kept anything from being planned."),
  service: z.object({
    base_url: z.string().nullable(),
    software: z
      .enum(SOFTWARE)
      .nullable()
      .describe("The version of the service: detected, or declared in the project file. Null if it is not known."),
  }),
  base: z.object({ ref: z.string(), commit: z.string() }).nullable(),
  changes: z.array(changeSchema),
  summary: z.object({
    create: z.int(),
    update: z.int(),
    replace: z.int(),
    delete: z.int(),
    unchanged: z.int(),
    unmanaged: z.int().nullable().describe("Live objects that no file names; null when the read was narrowed."),
    origins: z
      .object({ declared_here: z.int(), pending: z.int(), drift: z.int(), both: z.int() })
      .nullable()
      .describe("How many changes come from where; null where no base was given."),
  }),
  brakes: z.array(brake).describe("Limits that are exceeded: while there are any, nothing is applied."),
  orphans: z.array(orphan).describe("Declared at the base and no longer, still live, and not to be deleted."),
  withheld: z.array(withheld).describe("What the files ask for and this plan leaves out."),
  unmanaged: z
    .array(unmanaged)
    .nullable()
    .describe("Live and in no file; null without --show-unmanaged, which asks for this list."),
  unreadable: z
    .array(unreadable)
    .exactOptional()
    .describe("Live objects with a field that has no meaning. Nothing is planned for them. Only if there are any."),
  secrets_needed: z.array(z.string()).describe("Variables and files that must be there before anything is applied."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int(), apply: z.int(), verify: z.int() }),
}) satisfies z.ZodType<PlanDocument>;

export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  path: z.string().nullable().describe("The field at fault."),
  ...placeSchema.shape,
});

export const resultSchema = z.object({
  applied: z.int(),
  failed: z.int(),
  skipped: z.int(),
  complete: z
    .boolean()
    .describe("Everything that the files ask for is live now. Only then may the base of the next deploy move."),
});

const object = { kind: kindSchema, key: z.string() };

const undoSchema = z.object({
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

/** What `apply --format json` prints. */
export const applySchema = planSchema.extend({
  changes: z.array(
    changeSchema.extend({
      outcome: z.enum(["applied", "failed", "skipped"]),
      error: z.union([failureSchema, z.null()]),
      already_so: z.boolean().exactOptional().describe("Only of a saved plan: it was so before this run."),
    }),
  ),
  result: resultSchema,
  receipt: z
    .string()
    .nullable()
    .describe("The file with which `linkform undo` takes it back; null where none was written."),
  undo: undoSchema.exactOptional().describe("Only of `linkform undo`."),
  not_reviewed: z
    .array(changeSchema)
    .exactOptional()
    .describe("Only of a saved plan: what the files ask for now and the plan does not hold. It is left as it is."),
});

export type ApplyDocument = z.infer<typeof applySchema>;
export type UndoDocument = z.infer<typeof undoSchema>;

/** What `undo --format json` prints: the document of an apply, or with `--dry-run` that of a plan. */
export const undoReportSchema = z.union([applySchema, planSchema.extend({ undo: undoSchema })]);

const allowance = z.int().min(0).nullable();

const savedOptions = z
  .strictObject({
    targets: z.array(z.string()),
    excludes: z.array(z.string()),
    base: z.strictObject({ ref: z.string(), commit: z.string() }).nullable(),
    resend_secrets: z.array(z.string()),
    allowances: z.strictObject({ deletes: allowance, updates: allowance, clicks: allowance }),
  })
  .describe("What the plan was made with, and what it is applied with.");

export type SavedOptions = z.infer<typeof savedOptions>;

export interface SavedPlan extends PlanDocument {
  options: SavedOptions;
  digest: string;
}

/** What `plan --out` writes. Unknown options are refused, because ignoring one could change the plan. */
export const savedPlanSchema: z.ZodType<SavedPlan> = planSchema.extend({
  complete: z.literal(true),
  options: savedOptions,
  digest: z.string().describe("`sha256:` and the hash of the rest, written as JSON without white space."),
});

/** What `validate --format json` prints. */
export const validateSchema = z.object({
  format_version: z.literal("1.0"),
  valid: z.boolean(),
  files: z.int(),
  diagnostics: z.array(diagnosticSchema),
});

export type ValidateDocument = z.infer<typeof validateSchema>;

/** What `doctor --format json` prints. */
export const doctorSchema = z.object({
  format_version: z.literal("1.0"),
  well: z.boolean().describe("Nothing failed."),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "warning", "failed"]),
      message: z.string(),
      hint: z.string().nullable(),
    }),
  ),
});

export type DoctorDocument = z.infer<typeof doctorSchema>;

/** A document without the time at which it was written. */
export type WithoutTime<Document> = Document extends unknown ? Omit<Document, "at"> : never;
