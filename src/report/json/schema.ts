// The JSON documents as zod schemas, from which `schemas/` and the types of the documents are generated.

import * as z from "zod";
import { SOFTWARE } from "../../domain/software.ts";
import { EXIT } from "../../errors.ts";
import { DRIFT_STATES } from "../document.ts";
import { PROJECT_COMMANDS } from "../format.ts";
import type { Word } from "../values.ts";

export const actionSchema = z.enum(["create", "update", "replace", "delete"]);
export const kindSchema = z.enum(["link", "pixel"]);
export const texts = z.array(z.string());

const object = { kind: kindSchema, key: z.string() };
const live = { ...object, id: z.int(), clicks: z.int().nullable() };
const bothKinds = z.object({ links: z.int(), pixels: z.int() });
const counts = { create: z.int(), update: z.int(), replace: z.int(), delete: z.int(), unchanged: z.int() };

function optional<Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<Schema> {
  return schema.optional().describe(description);
}

export function nullable<Schema extends z.ZodType>(schema: Schema, description: string): z.ZodNullable<Schema> {
  return schema.nullable().describe(description);
}

export const placeSchema = z.object({
  file: z.string(),
  line: z.int().min(1),
  column: z.int().min(1),
  end_column: optional(z.int(), "The column after the last character; left out if only the start is known."),
  ref: optional(z.string(), "Only for a position in the files of another commit."),
});

export const sourceLineSchema = z.object({
  line: z.int(),
  before: z.string(),
  marked: z.string().describe("The part that is meant; empty if the whole line is."),
  after: z.string(),
});

const excerptSchema = optional(z.array(sourceLineSchema), "Lines of the files without secrets. A long line is cut.");

export const relatedSchema = placeSchema.extend({
  says: z.string().describe("What this position is."),
  excerpt: excerptSchema,
});

export const diagnosticSchema = z
  .object({
    code: z.string(),
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    file: z.string().nullable(),
    line: z.int().min(1).nullable(),
    column: z.int().min(1).nullable(),
    end_column: optional(z.int().min(1).nullable(), "The column after the last character; null if it is not known."),
    hint: nullable(z.string(), "What to do."),
    source: optional(placeSchema, "Only for a position in the files of another commit."),
    excerpt: excerptSchema,
    also: optional(z.array(relatedSchema), "Other positions that the message names."),
    owner: optional(texts, "Only for `check`: the people or teams in charge of the links."),
    more: optional(z.int(), "The number of positions of the finding before it that are left out."),
    hidden: optional(z.literal(true), "A finding that other reports leave to `validate`, because it is not new."),
  })
  .describe("A finding about the files or the account.");

export const wordSchema: z.ZodType<Word> = z
  .union([
    z.null(),
    z.string(),
    z.number(),
    z.boolean(),
    texts,
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
  previous_key: nullable(z.string(), "The key before the change; null if it stays."),
  id: nullable(z.int(), "The id at the service; null before it is created."),
  reason: z
    .enum(["declared", "changed", "renamed", "moved", "tombstone", "removed", "undeclared"])
    .describe("`removed`: from the files, since the base. `undeclared`: it is in scope, but no file declares it."),
  origin: nullable(
    z.enum(["declared here", "pending", "drift", "both"]),
    "Where the change comes from. `declared here`: the files changed since the base. `pending`: the base already asked for it. `drift`: the live object changed. `both`: the files and the live object changed. Null without a base.",
  ),
  breaks_url: z.boolean().describe("The short URL stops working: deleted, renamed, replaced, disabled or expired."),
  takes_over: nullable(
    z.boolean(),
    "It changes a live object that the base does not declare. Null without a base, and for the input of `--resources`.",
  ),
  fields: fieldsSchema,
  stored: optional(fieldsSchema, "Only for a replacement: all fields of the new object."),
  source: placeSchema.describe("The place in the files that asks for the change."),
  short_url: optional(z.string(), "The short URL; left out if the key is the same."),
  lost_url: optional(z.string(), "The short URL that stops working."),
  clicks: optional(z.int(), "The clicks so far; left out if the service does not report them."),
  ending: optional(z.string(), "What stops working for visitors."),
  because: optional(z.string(), "Why an object without a tombstone is deleted."),
  lost: optional(z.array(z.object({ path: z.string(), value: wordSchema })), "Only for a delete: the required fields."),
  noticed: optional(z.boolean(), "Whether visitors notice the change."),
  family: optional(
    z.object({ pattern: z.string(), combination: z.record(z.string(), z.string()) }),
    "The family of the link: its alias with placeholders, and the link's values. Left out for other objects.",
  ),
  owner: optional(texts, "The people or teams in charge of the link; left out if the files name none."),
  drift: optional(z.enum(DRIFT_STATES), "Only for `drift`: how the live object differs."),
  changed_at: optional(z.string(), "Only for `drift`: when the service last changed the live object, in UTC."),
  trips: optional(z.boolean(), "It is one of the changes that exceed a limit."),
});

const about = {
  project: optional(z.string(), "The project file, from the root of its repository."),
  command: optional(z.enum(PROJECT_COMMANDS), "The command that printed this."),
};

export const brakeSchema = z.object({
  limits: z.enum(["deletes", "updates", "clicks"]),
  kind: kindSchema,
  count: nullable(z.int(), "The number of objects or clicks; null if the service does not report clicks."),
  limit: z.int().describe("The maximum that is allowed."),
  at_stake: z.int().describe("The number of objects or clicks that the limit is a share of."),
  setting: z.string().describe("The limit as in the project file."),
  allow: z.object({
    flag: z.string(),
    value: z.int().describe("The value of the flag that allows this run."),
    key: nullable(
      z.string(),
      "The value of the setting in the project file that allows this run. Null for deletes of a project file that the base does not have: only the flag allows them.",
    ),
  }),
  message: z.string().describe("What was found."),
  advice: z.string().describe("How to allow it."),
  write: nullable(z.string(), "The line of the project file that allows it; null if only the flag does."),
  projects: optional(z.int(), "Only for several projects: how many projects of the account are counted together."),
  changes: texts.describe("The keys of the counted changes, of all these projects."),
});

export const orphanSchema = z.object({
  ...live,
  source: placeSchema.describe("The place of its declaration in the files of the base."),
  paste: z.string().describe("Lines of YAML to add: a tombstone, or `renamed_from` for a new block."),
  renamed_from_for: nullable(z.string(), "The key of that new block; null for a tombstone."),
  advice: optional(z.string(), "Why it may have been renamed; left out for a tombstone."),
});

export const withheldSchema = z.object({
  action: actionSchema,
  ...object,
  id: z.int().nullable(),
  because: z.enum(["target", "exclude", "allow", "waits"]).describe("`waits`: it needs a change that is left out."),
  waits_for: z.object(object).nullable(),
});

export const unmanagedSchema = z.object({
  ...live,
  declare: nullable(z.string(), "Lines of YAML that declare it; null if it cannot be declared."),
  problem: optional(z.string(), "Why it cannot be declared, as the end of a sentence."),
});

export const unreadableFieldsSchema = z
  .array(
    z.object({
      path: z.string().describe("The field's key path in the files."),
      returned: z.string().describe("The name of the field in the response of the service."),
      seen: z.string().describe("The value that the service returned."),
    }),
  )
  .describe("The fields that cannot be read.");

const unreadableSchema = z.object({
  kind: kindSchema,
  key: nullable(z.string(), "Null if part of the key cannot be read."),
  id: z.int(),
  fields: unreadableFieldsSchema,
});

export const originsSchema = z.object({ declared_here: z.int(), pending: z.int(), drift: z.int(), both: z.int() });

/** What `plan --format json` and `drift --format json` print. */
export const planSchema = z.object({
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False if an error prevented the plan."),
  service: z.object({
    base_url: z.string().nullable(),
    software: nullable(
      z.enum(SOFTWARE),
      "The version of the service: detected, or declared in the project file. Null if it is not known.",
    ),
  }),
  base: z
    .object({
      ref: z.string(),
      commit: z.string(),
      implied: optional(z.literal(true), "Only if it is the tag `applied`, and no flag named a base."),
    })
    .nullable(),
  changes: z.array(changeSchema),
  summary: z.object({
    ...counts,
    unmanaged: nullable(z.int(), "The number of unmanaged objects; null if only a part of the account was read."),
    now_managed: nullable(z.int(), "The number of unchanged objects that the base lacks; null without a base."),
    origins: nullable(originsSchema, "The number of changes by origin; null without a base."),
  }),
  brakes: z.array(brakeSchema).describe("Exceeded limits. If there are any, nothing is applied."),
  orphans: z.array(orphanSchema).describe("Declared at the base, no longer declared, and still live."),
  to_delete: optional(
    z.object({ text: z.string(), lines: z.string() }),
    "How to delete those that were not renamed: a sentence, and lines of YAML to add.",
  ),
  withheld: z.array(withheldSchema).describe("Changes that the files ask for, but this plan leaves out."),
  not_compared: optional(
    bothKinds,
    "Only with `--changed`: the number of declared objects that the plan leaves out, because the base declares them in the same way.",
  ),
  now_managed: optional(bothKinds, "The unchanged objects that the base does not declare; left out if there are none."),
  unmanaged: nullable(z.array(unmanagedSchema), "Unmanaged objects; null without --show-unmanaged."),
  unreadable: optional(
    z.array(unreadableSchema),
    "Live objects with fields that linkform cannot read. It plans no changes for them. Only if there are any.",
  ),
  secrets_needed: texts.describe("Environment variables and files with secrets that an apply needs."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int(), apply: z.int(), verify: z.int() }),
  pace: optional(
    z.object({ per_minute: z.number(), seconds: z.number() }),
    "The rate limit of the service, and how long the changes take at it. Left out if the service reports none.",
  ),
  remarks: optional(texts, "What else there is to know about this run."),
  details: optional(texts, "What most people need not know about it."),
  ...about,
});

const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  path: nullable(z.string(), "The field with the error."),
  ...placeSchema.shape,
  excerpt: excerptSchema,
});

export const resultSchema = z.object({
  applied: z.int(),
  failed: z.int(),
  skipped: z.int(),
  complete: z
    .boolean()
    .describe(
      "True if everything that the files ask for is live now; with `not_compared`, everything that they ask for since the base. Move the base of the next deploy only then.",
    ),
});

const runSchema = z.object({
  exit_code: z.int(),
  verified: z.boolean().describe("Whether the changed objects were read back."),
  clicks_lost: z.int().describe("The clicks of the deleted and replaced links."),
  requests: z.int().describe("With those that read the account."),
  seconds: z.number().describe("Since the first change."),
  waited: z.number().describe("The seconds spent waiting for the rate limit."),
});

const undoSchema = z.object({
  record: z.string().describe("The record of the run that is undone."),
  at: z.string().describe("When its changes were applied, in UTC."),
  ended: z
    .boolean()
    .describe("False if that run did not finish. Its changes are then found by comparison with the live state."),
  changes: z.int().describe("The number of changes of that run."),
  already: z.int().describe("The number of them that are already undone or were never made."),
  lost: z
    .array(z.object({ ...object, message: z.string() }))
    .describe("What cannot be restored, or is restored as a new object."),
  left: z
    .array(
      z.object({
        ...object,
        previous_key: z.string().nullable(),
        code: z.string(),
        message: z.string(),
        hint: z.string().nullable(),
        fields: texts.describe("The fields that are not restored; empty if the whole object is skipped."),
        partly: z.boolean().describe("Whether the rest of the object is restored."),
      }),
    )
    .describe("What is not restored, and why."),
  files: z
    .array(z.object({ file: z.string(), keys: texts }))
    .describe("Files that still ask for the undone changes. The next apply would make them again."),
  pending: nullable(z.int(), "Changes that the files ask for and the undo does not make; null if they have errors."),
});

const outcomeSchema = z.object({
  outcome: z.enum(["applied", "failed", "skipped"]),
  error: failureSchema.nullable(),
  already_so: optional(z.boolean(), "Only for a saved plan: the change was already live before this run."),
});

export const changeResultSchema = changeSchema.extend(outcomeSchema.shape);

/** What `apply --format json` prints. */
export const applySchema = planSchema.extend({
  changes: z.array(changeResultSchema),
  result: resultSchema,
  run: optional(runSchema, "How the run went; left out if a brake or an error stopped it before the first change."),
  missing: optional(texts, "What is missing for a complete run, as parts of a sentence."),
  next: optional(texts, "What to do about the changes that were not made."),
  moved_base: optional(
    z.object({ ref: z.string(), from: z.string().nullable(), to: z.string() }),
    "The tag that --move-base moved or found in place.",
  ),
  undo_command: optional(z.string(), "The command that reverts the run."),
  record: nullable(z.string(), "The file that `linkform undo` needs; null if none was written."),
  undo: optional(undoSchema, "Only for `linkform undo`."),
  not_reviewed: optional(
    z.array(changeSchema),
    "Only for a saved plan: changes that the files ask for now, but the plan does not have. They are not applied.",
  ),
});

/** What `undo --format json` prints: the document of an apply, or with `--dry-run` that of a plan. */
export const undoReportSchema = z.union([applySchema, planSchema.extend({ undo: undoSchema })]);

const allowance = z.int().min(0).nullable();

const savedOptions = z
  .strictObject({
    targets: texts,
    excludes: texts,
    base: z.strictObject({ ref: z.string(), commit: z.string() }).nullable(),
    changed: optional(z.literal(true), "Only with `--changed`."),
    resend_secrets: texts,
    allowances: z.strictObject({ deletes: allowance, updates: allowance, clicks: allowance }),
    resources: optional(
      z.array(z.strictObject({ name: z.string(), text: z.string() })),
      "The input of `--resources`; left out without that flag.",
    ),
  })
  .describe("The options of the plan, which the apply uses, too.");

/** What `plan --out` writes, and the first line of the record of a run. Unknown options are refused, because ignoring one could change the plan. */
export const savedPlanSchema = planSchema.extend({
  event: z.literal("planned"),
  complete: z.literal(true),
  options: savedOptions,
  account: nullable(
    z.string(),
    "`sha256:` and a hash of the account's id and the address; null if the run did not read the id, or the service does not report it.",
  ),
  digest: z.string().describe("`sha256:` and the hash of the other keys, written as JSON without white space."),
});

const destinationSchema = z.object({
  url: z.string(),
  verdict: z.enum(["alive", "dead", "unknown"]),
  reason: z.string(),
  redirects: texts.describe("The addresses that it redirects to, in order."),
  links: texts.describe("The keys of the links that lead there."),
});

/** What `validate --format json` and `check --format json` print. */
export const validateSchema = z.object({
  format_version: z.literal("1.0"),
  valid: z.boolean(),
  files: z.int(),
  diagnostics: z.array(diagnosticSchema),
  destinations: optional(z.array(destinationSchema), "Only for `check`; left out if the files have errors."),
  ...about,
});

/** The exit codes, with the reasons in docs/commands.md. */
const exitCode = z.union(Object.values(EXIT).map((code) => z.literal(code)));

/** What these commands print with `--format json` for several projects, and what `merge` prints. */
export const projectsSchema = z.object({
  format_version: z.literal("1.0"),
  projects: z.array(
    z.object({
      project: z.string().describe("The project file, from the root of its repository."),
      name: z.string().describe("The name that replaces `{project}` in --base."),
      command: z.enum(PROJECT_COMMANDS),
      exit_code: exitCode,
      report: z.union([applySchema, planSchema, validateSchema]).describe("What the command prints for this project."),
    }),
  ),
  exit_code: exitCode.describe("The exit code of the run: the first of 64, 130, 4, 1, 3, 2 that a project has, or 0."),
  summary: z
    .object({
      projects: z.int(),
      failed: z.int().describe("Projects with an error, a refused plan, or changes that were not applied."),
      ...counts,
      breaks: z.int().describe("The number of changes that end a short URL."),
      errors: z.int(),
      warnings: z.int(),
    })
    .describe("Sums over all projects."),
});

/** What `doctor --format json` prints. */
export const doctorSchema = z.object({
  format_version: z.literal("1.0"),
  well: z.boolean().describe("True if no check failed."),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "warning", "failed"]),
      message: z.string(),
      hint: z.string().nullable(),
    }),
  ),
});

// A build writes these types out, with the descriptions above, for users of the library.
export type PlaceDocument = z.infer<typeof placeSchema>;
export type SourceLine = z.infer<typeof sourceLineSchema>;
export type RelatedDocument = z.infer<typeof relatedSchema>;
export type DiagnosticDocument = z.infer<typeof diagnosticSchema>;
export type ChangeDocument = z.infer<typeof changeSchema>;
export type BrakeDocument = z.infer<typeof brakeSchema>;
export type OrphanDocument = z.infer<typeof orphanSchema>;
export type WithheldDocument = z.infer<typeof withheldSchema>;
export type UnmanagedDocument = z.infer<typeof unmanagedSchema>;
export type OriginsDocument = z.infer<typeof originsSchema>;
export type PlanDocument = z.infer<typeof planSchema>;
export type ErrorDocument = z.infer<typeof failureSchema>;
export type OutcomeDocument = z.infer<typeof outcomeSchema>;
export type ChangeResult = z.infer<typeof changeResultSchema>;
export type RunDocument = z.infer<typeof runSchema>;
export type UndoDocument = z.infer<typeof undoSchema>;
export type ApplyDocument = z.infer<typeof applySchema>;
export type SavedOptions = z.infer<typeof savedOptions>;
export type SavedPlan = z.infer<typeof savedPlanSchema>;
export type ValidateDocument = z.infer<typeof validateSchema>;
export type ProjectsDocument = z.infer<typeof projectsSchema>;
export type DoctorDocument = z.infer<typeof doctorSchema>;
