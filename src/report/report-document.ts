// What `apply` and `validate` print as JSON, made of their reports.

import { diagnosticDocument, planDocument, tally, type ApplyDocument, type ValidateDocument } from "./document.ts";
import type { ApplyReport, HeldReport, ValidateReport } from "./report.ts";

/** The document of an apply: the plan's, with an outcome for each change. */
export function applyDocument({ plan, problems, told, saved, baseUrl }: ApplyReport | HeldReport): ApplyDocument {
  const document = planDocument({ ...plan, diagnostics: [...plan.diagnostics, ...problems] }, baseUrl);
  return {
    ...document,
    changes: [...told],
    summary: saved?.summary ?? document.summary,
    result: tally(told),
    ...(saved !== null && { not_reviewed: [...saved.notReviewed] }),
  };
}

/** The document of a look at the files. */
export function validateDocument({ isValid, files, diagnostics }: ValidateReport): ValidateDocument {
  return { format_version: "1.0", valid: isValid, files, diagnostics: diagnostics.map(diagnosticDocument) };
}
