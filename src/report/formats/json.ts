// Every report as one JSON document: schemas/ says what is in it.

import { emptyPlanDocument, planDocument, NOTHING_APPLIED } from "../document.ts";
import { doctorDocument } from "../doctor.ts";
import type { Format } from "../format.ts";
import { jsonText } from "../json.ts";
import type { Report } from "../report.ts";
import { applyDocument, validateDocument } from "../report-document.ts";

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
      return planDocument(all, baseUrl, report.of === "plan" ? report.unmanaged : null);
    }
    case "apply":
    case "held":
      return applyDocument(report);
    case "failure": {
      const nothing = emptyPlanDocument(report.baseUrl, report.diagnostics);
      return report.command === "apply" ? { ...nothing, ...NOTHING_APPLIED } : nothing;
    }
    case "doctor":
      return doctorDocument(report.checks);
    default:
      return report satisfies never;
  }
}
