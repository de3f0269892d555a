// Single live objects as a JSON document.

import type { Diagnostic } from "../../domain/diagnostic.ts";
import {
  changeDocument,
  diagnosticDocument,
  type ChangeDocument,
  type DiagnosticDocument,
} from "../../view/document.ts";
import { recordDocument, type RecordDocument } from "./list.ts";
import type { Shown, ShowReport } from "../../view/inspect.ts";
import { unmanagedDocuments } from "../../view/unmanaged.ts";

/** A live object with what the files say of it. */
export interface ShownDocument extends RecordDocument {
  /** What makes it as declared. */
  change: ChangeDocument | null;
  problems: DiagnosticDocument[];
  declare: string | null;
  pruned: boolean;
  used_by: { count: number | null; keys: string[] } | null;
}

/** What `show --format json` prints. */
export interface ShowDocument {
  format_version: "1.0";
  complete: boolean;
  service: { base_url: string | null };
  timezone: string | null;
  objects: ShownDocument[];
  diagnostics: DiagnosticDocument[];
  requests: { read: number };
}

/** The document of what was asked for; what was not found stands in its diagnostics. */
export function showDocument({ baseUrl, zones, shown, requests, diagnostics }: ShowReport): ShowDocument {
  return {
    ...emptyShowDocument(baseUrl, diagnostics),
    complete: true,
    timezone: zones.files,
    objects: shown.map(shownDocument),
    requests: { read: requests },
  };
}

/** The document where nothing could be read: its diagnostics say why. */
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

function shownDocument(one: Shown): ShownDocument {
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
