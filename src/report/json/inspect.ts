// What `list` and `show` print as JSON, and its schemas.

import type { Zones } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { reportedChange } from "../change-document.ts";
import { placeDocument } from "../change-document.ts";
import { diagnosticDocuments } from "../document.ts";
import { liveWords } from "../values.ts";
import type { InspectedRecord, ListReport, ShownRecord, ShowReport } from "../inspect.ts";
import { unmanagedDocuments } from "../unplanned.ts";
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
  id: z.int().describe("The id at the service."),
  short_url: z.string().nullable().describe("The short URL of a link, without the scheme."),
  status: z
    .array(z.enum(["active", "expired", "disabled"]))
    .describe(
      "For a link: active, or the reasons why it is not, with the one that visitors see first. Empty for a pixel, and for a link that cannot be read.",
    ),
  clicks: z.int().nullable(),
  title: z.string().nullable().describe("The title that the service read from the destination."),
  created_at: z.string().nullable().describe("In UTC; null if the service does not report it."),
  updated_at: z.string().nullable().describe("In UTC; null if the service does not report it."),
  declared: placeSchema.nullable().describe("The block that declares it; null if there is none, or without a project."),
  absent: placeSchema.nullable().describe("The tombstone that names it."),
  family: z.string().exactOptional().describe("The alias of the family that declares it. Only if one does."),
  owner: z.array(z.string()).describe("The people or teams in charge of the link. Empty if the files name none."),
  review_by: z.string().nullable().describe("The date to review the link; null if the files set none."),
  unreadable: unreadableFieldsSchema
    .exactOptional()
    .describe("Fields that linkform cannot read. It does not change the object. Only if there are any."),
  fields: z
    .record(z.string(), wordSchema)
    .describe("Every field by its key path in the files. Dates and times are in `timezone`."),
});

const shownSchema = recordSchema.extend({
  change: changeSchema
    .nullable()
    .describe("The change that would make it match the files; null if it matches, or if it is unmanaged."),
  problems: z.array(diagnosticSchema).describe("The errors that prevent a comparison."),
  declare: z
    .string()
    .nullable()
    .describe("Lines of YAML that declare it; null if it is managed, or if it cannot be declared."),
  pruned: z.boolean().describe("True if no file declares it and `prune: scope` deletes it."),
  used_by: z
    .object({ count: z.int().nullable(), keys: z.array(z.string()) })
    .nullable()
    .describe("For a pixel: the number of links that use it (null if unknown), and the keys of the first of them."),
});

/** The keys that both documents have. */
const envelope = {
  format_version: z.literal("1.0"),
  complete: z.boolean().describe("False if an error prevented reading."),
  service: z.object({ base_url: z.string().nullable() }),
  timezone: z.string().nullable().describe("The time zone of dates and times in `fields`."),
  diagnostics: z.array(diagnosticSchema),
  requests: z.object({ read: z.int() }),
};

/** What `list --format json` prints. */
export const listSchema = z.object({
  ...envelope,
  kind: kindSchema.nullable(),
  sort: z.enum(["desc", "asc", "max", "min"]).nullable(),
  rows: z.array(recordSchema),
  total: z.int().nullable().describe("The number of matching rows, including those beyond --limit; null if unknown."),
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
    diagnostics: diagnosticDocuments(diagnostics),
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
    ...(seen.family !== null && { family: seen.family }),
    owner: [...seen.owners],
    review_by: seen.reviewBy,
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
    diagnostics: diagnosticDocuments(diagnostics),
    requests: { read: 0 },
  };
}

function shownDocument(one: ShownRecord): ShownDocument {
  const [lines] = one.declarable === null ? [] : unmanagedDocuments([one.declarable]);
  return {
    ...recordDocument(one, one.plan.zones),
    change: one.change && reportedChange(one.change, one.plan),
    problems: diagnosticDocuments(one.problems),
    declare: lines?.declare ?? null,
    pruned: one.isPruned,
    used_by: one.users && { count: one.users.count, keys: [...one.users.keys] },
  };
}
