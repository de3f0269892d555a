// What `list` and `show` print as JSON, and its schemas.

import type { Zones } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { changeDocument, diagnosticDocument, placeDocument } from "../../view/document.ts";
import { liveWords } from "../../view/values.ts";
import type { InspectedRecord, ListReport, ShownRecord, ShowReport } from "../../view/inspect.ts";
import { unmanagedDocuments } from "../../view/unplanned.ts";
import * as z from "zod";
import {
  changeSchema,
  diagnosticSchema,
  kindSchema,
  placeSchema,
  unreadableFieldsSchema,
  wordSchema,
} from "./schema.ts";

const recordSchema = z.object({
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
  declared: placeSchema.nullable().describe("The block that declares it; null where there is none, or no project."),
  absent: placeSchema.nullable().describe("The tombstone that names it."),
  unreadable: unreadableFieldsSchema
    .exactOptional()
    .describe("Fields without a meaning: linkform leaves the object alone. Only if there are any."),
  fields: z
    .record(z.string(), wordSchema)
    .describe("Every field by its key path in the files. Dates and times are those of `timezone`."),
});

const shownSchema = recordSchema.extend({
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
});

/** The keys that both documents have. */
const envelope = {
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False where an error kept anything from being read."),
  service: z.object({ base_url: z.string().nullable() }),
  timezone: z.string().nullable().describe("The zone of dates and times in `fields`."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int() }),
};

/** What `list --format json` prints. */
export const listSchema = z.object({
  ...envelope,
  kind: kindSchema.nullable(),
  sort: z.enum(["desc", "asc", "max", "min"]).nullable(),
  rows: z.array(recordSchema),
  total: z
    .int()
    .nullable()
    .describe("How many rows are wanted, those that --limit leaves out too; null where nobody knows."),
});

/** What `show --format json` prints. */
export const showSchema = z.object({
  ...envelope,
  objects: z.array(shownSchema),
});

export type RecordDocument = z.infer<typeof recordSchema>;
export type ListDocument = z.infer<typeof listSchema>;
export type ShownDocument = z.infer<typeof shownSchema>;
export type ShowDocument = z.infer<typeof showSchema>;

export function listDocument(report: ListReport): ListDocument {
  return {
    ...emptyListDocument(report.baseUrl, report.diagnostics),
    complete: true,
    kind: report.kind,
    sort: report.sort,
    timezone: report.zones.files,
    rows: report.rows.map((seen) => recordDocument(seen, report.zones)),
    total: report.total,
    requests: { read: report.requests },
  };
}

/** The document of a failed list. */
export function emptyListDocument(baseUrl: string | null, diagnostics: readonly Diagnostic[]): ListDocument {
  return {
    format_version: "1.0",
    complete: false,
    service: { base_url: baseUrl },
    kind: null,
    sort: null,
    timezone: null,
    rows: [],
    total: null,
    diagnostics: diagnostics.map(diagnosticDocument),
    requests: { read: 0 },
  };
}

export function recordDocument(seen: InspectedRecord, zones: Zones): RecordDocument {
  const { live } = seen;
  return {
    kind: live.kind,
    key: live.key,
    id: live.id,
    short_url: seen.url,
    status: [...seen.statuses],
    clicks: live.clicks,
    title: seen.title,
    created_at: seen.createdAt,
    updated_at: seen.updatedAt,
    declared: seen.declared && placeDocument(seen.declared),
    absent: seen.absent && placeDocument(seen.absent),
    ...(seen.unreadable.length > 0 && { unreadable: seen.unreadable.map((field) => ({ ...field })) }),
    fields: Object.fromEntries(liveWords(live, zones)),
  };
}

/** The shown objects; objects that were not found are in the diagnostics. */
export function showDocument({ baseUrl, zones, shown, requests, diagnostics }: ShowReport): ShowDocument {
  return {
    ...emptyShowDocument(baseUrl, diagnostics),
    complete: true,
    timezone: zones.files,
    objects: shown.map(shownDocument),
    requests: { read: requests },
  };
}

/** The document of a failed show. */
export function emptyShowDocument(baseUrl: string | null, diagnostics: readonly Diagnostic[]): ShowDocument {
  return {
    format_version: "1.0",
    complete: false,
    service: { base_url: baseUrl },
    timezone: null,
    objects: [],
    diagnostics: diagnostics.map(diagnosticDocument),
    requests: { read: 0 },
  };
}

function shownDocument(one: ShownRecord): ShownDocument {
  const [lines] = one.declarable === null ? [] : unmanagedDocuments([one.declarable]);
  return {
    ...recordDocument(one, one.plan.zones),
    change: one.change && changeDocument(one.change, one.plan),
    problems: one.problems.map(diagnosticDocument),
    declare: lines?.declare ?? null,
    pruned: one.isPruned,
    used_by: one.users && { count: one.users.count, keys: [...one.users.keys] },
  };
}
