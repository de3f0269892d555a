// What `apply` and `validate` print as JSON, made of their reports.

import { isComplete } from "../../view/completeness.ts";
import {
  diagnosticDocument,
  planDocument,
  tally,
  type ApplyDocument,
  type ValidateDocument,
} from "../../view/document.ts";
import type { ApplyReport, HeldReport, ValidateReport } from "../../view/report.ts";
import { undoDocument } from "../../view/undo.ts";

/** The document of an apply: the plan's, with an outcome for each change. */
export function applyDocument(report: ApplyReport | HeldReport): ApplyDocument {
  const { plan, problems, results, saved, baseUrl, undo } = report;
  const document = planDocument({ ...plan, diagnostics: [...plan.diagnostics, ...problems] }, baseUrl);
  return {
    ...document,
    changes: [...results],
    summary: saved?.summary ?? document.summary,
    result: { ...tally(results), complete: isComplete(report) },
    receipt: (report.of === "apply" ? report.receipt?.file : null) ?? null,
    ...(undo !== undefined && { undo: undoDocument(undo) }),
    ...(saved !== null && { not_reviewed: [...saved.notReviewed] }),
  };
}

/** The document of a look at the files. */
export function validateDocument({ isValid, files, diagnostics }: ValidateReport): ValidateDocument {
  return { format_version: "1.0", valid: isValid, files, diagnostics: diagnostics.map(diagnosticDocument) };
}
