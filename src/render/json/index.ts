// Every report as one JSON document: schemas/ says what is in it.

import {
  diagnosticDocument,
  emptyPlanDocument,
  NOTHING_APPLIED,
  planDocument,
  tally,
  type ApplyDocument,
  type ValidateDocument,
} from "../../view/document.ts";
import { explainDocument } from "./explain.ts";
import type { Format } from "../format.ts";
import { jsonText } from "./text.ts";
import { emptyListDocument, emptyShowDocument, listDocument, showDocument } from "./inspect.ts";
import type { ApplyReport, Check, FailureReport, HeldReport, Report, ValidateReport } from "../../view/report.ts";
import { PLAIN } from "../text/screen.ts";
import type { DoctorDocument } from "./schema.ts";
import { undoDocument } from "../../view/undo.ts";
import { unwrittenDocument, writtenDocument } from "../text/written.ts";
import { isComplete } from "../../view/completeness.ts";

export const json: Format = { render: (report) => `${jsonText(documentOf(report), 2)}\n` };

function documentOf(report: Report): unknown {
  switch (report.of) {
    case "validate":
      return validateDocument(report);
    case "plan":
    case "drift": {
      const { plan, problems, baseUrl } = report;
      const all = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
      // What differs is what a plan would change: whoever reads plans reads drift as well.
      const document = planDocument(all, baseUrl, report.of === "plan" ? report.unmanaged : null);
      return report.undo === undefined ? document : { ...document, undo: undoDocument(report.undo) };
    }
    case "apply":
    case "held":
      return applyDocument(report);
    case "failure":
      return failedDocument(report);
    case "doctor":
      return doctorDocument(report.checks);
    case "list":
      return listDocument(report);
    case "show":
      return showDocument(report);
    case "written":
      return writtenDocument(report, PLAIN);
    case "explain":
      return explainDocument(report);
    default:
      return report satisfies never;
  }
}

/** Whoever reads a plan, an apply or a drift finds an empty one; of any other command, only what was wrong. */
function failedDocument({ command, baseUrl, diagnostics }: FailureReport): unknown {
  if (command === "plan" || command === "drift") return emptyPlanDocument(baseUrl, diagnostics);
  if (command === "apply" || command === "undo")
    return { ...emptyPlanDocument(baseUrl, diagnostics), ...NOTHING_APPLIED };
  if (command === "show") return emptyShowDocument(baseUrl, diagnostics);
  if (command === "list") return emptyListDocument(baseUrl, diagnostics);
  if (command === "pull" || command === "rm" || command === "import" || command === "init")
    return unwrittenDocument(command, diagnostics);
  return { format_version: "1.0", diagnostics: diagnostics.map(diagnosticDocument) };
}

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

/** What the doctor found. */
export function doctorDocument(checks: readonly Check[]): DoctorDocument {
  return {
    format_version: "1.0",
    well: checks.every(({ status }) => status !== "failed"),
    checks: checks.map(({ name, status, message, hint }) => ({ name, status, message, hint })),
  };
}
