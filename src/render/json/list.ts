// A list of live rows as a JSON document.

import type { Zones } from "../../domain/change.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Sort } from "../../domain/filter.ts";
import type { Place } from "../../domain/place.ts";
import type { Status } from "../../domain/status.ts";
import type { ResourceKind } from "../../domain/table.ts";
import { diagnosticDocument, type DiagnosticDocument, type UnreadableFieldDocument } from "../../view/document.ts";
import { liveWords } from "../../view/record-values.ts";
import type { ListReport, InspectedRecord } from "../../view/inspect.ts";
import type { Word } from "../../view/values.ts";

/** Where something stands in the files, as JSON shows it. */
export interface PlaceDocument {
  file: string;
  line: number;
  column: number;
}

/** A live object, as JSON shows it. */
export interface RecordDocument {
  kind: ResourceKind;
  key: string;
  id: number;
  short_url: string | null;
  status: Status[];
  clicks: number | null;
  title: string | null;
  created_at: string | null;
  updated_at: string | null;
  declared: PlaceDocument | null;
  absent: PlaceDocument | null;
  /** Only if there are any. */
  unreadable?: UnreadableFieldDocument[];
  fields: Record<string, Word>;
}

/** What `list --format json` prints. */
export interface ListDocument {
  format_version: "1.0";
  complete: boolean;
  service: { base_url: string | null };
  kind: ResourceKind | null;
  sort: Sort | null;
  timezone: string | null;
  rows: RecordDocument[];
  total: number | null;
  diagnostics: DiagnosticDocument[];
  requests: { read: number };
}

/** The document of a list. */
export function listDocument(report: ListReport): ListDocument {
  return {
    format_version: "1.0",
    complete: true,
    service: { base_url: report.baseUrl },
    kind: report.kind,
    sort: report.sort,
    timezone: report.zones.files,
    rows: report.rows.map((seen) => recordDocument(seen, report.zones)),
    total: report.total,
    diagnostics: report.diagnostics.map(diagnosticDocument),
    requests: { read: report.requests },
  };
}

/** The document where nothing could be listed: its diagnostics say why. */
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

/** A live object as a document. */
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
    declared: placeDocument(seen.declared),
    absent: placeDocument(seen.absent),
    ...(seen.unreadable.length > 0 && { unreadable: seen.unreadable.map((field) => ({ ...field })) }),
    fields: Object.fromEntries(liveWords(live, zones)),
  };
}

function placeDocument(place: Place | null): PlaceDocument | null {
  return place && { file: place.file, line: place.line, column: place.column };
}
