// The documents of runs, which every format draws and the JSON format prints.

import { planDocument, tally, type ReportDocument } from "./document.ts";
import { diagnosticDocuments } from "./finding-document.ts";
import type { ReportedCommand } from "./compose.ts";
import type { ApplyDocument, PlanDocument, ValidateDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import { isRunReport } from "./report.ts";
import type { ApplyReport, PlanReport, Report, RunReport, ValidateReport, WrittenReport } from "./report.ts";
import { missingParts, nextSteps, runRemarks } from "./apply-result.ts";
import { differences } from "./drift.ts";
import { driftRemarks, planRemarks, undoRemarks } from "./plan-remarks.ts";
import { reportedChanges, reportedDifference, reportedResults } from "./change-document.ts";
import { filePatch } from "./text-diff.ts";

/** The command of a run, as its report names it. */
export function commandOfRun(report: RunReport): ReportedCommand {
  return report.of === "failure" ? report.command : report.of;
}

/** The document of a run, which every format with all reports draws. */
export function runDocument(report: RunReport): ReportDocument {
  switch (report.of) {
    case "validate":
    case "check":
      return validateDocument(report);
    case "plan":
      return plannedDocument(report);
    case "drift":
      return driftDocument(report);
    case "apply":
      return applyDocument(report);
    case "failure":
      return {
        complete: false,
        service: { base_url: report.baseUrl, software: null },
        diagnostics: diagnosticDocuments(report.diagnostics),
      };
    default:
      return report satisfies never;
  }
}

/** A run in one project. */
export interface Run {
  readonly report: ReportDocument;
  readonly command: ReportedCommand;
  readonly project: string;
}

/** The runs of a report: one for each project. `project` is that of a report about only one. */
export function runsOf(report: Report, project: string): readonly Run[] {
  if (report.of === "projects") return report.sections;
  return isRunReport(report) ? [{ report: runDocument(report), command: commandOfRun(report), project }] : [];
}

/** The document of a plan. */
export function plannedDocument(report: PlanReport): PlanDocument & Pick<ApplyDocument, "undo"> {
  const { plan, pace = null, undo } = report;
  return {
    ...planDocument(report, reportedChanges(plan)),
    pace: pace ?? undefined,
    ...(undo === undefined ? planRemarks(plan, pace) : undoRemarks(plan, pace)),
    undo,
  };
}

/** A drift report is the plan that would undo the drift, so that readers of plans can read it. */
function driftDocument(report: PlanReport): PlanDocument {
  const { plan } = report;
  const changes = differences(plan).map((change) => reportedDifference(change, plan));
  return { ...planDocument(report, changes), ...driftRemarks(plan) };
}

/** The document of an apply: the plan with an outcome for each change. */
function applyDocument(report: ApplyReport): ApplyDocument {
  const { plan, results, ended, pace = null, record = null, undo_command, moved_base, undo, not_reviewed } = report;
  const document = planDocument(report, []);
  const missing = missingParts(report);
  const isLeft = results.some(({ outcome }) => outcome !== "applied");
  return {
    ...document,
    changes: reportedResults(results, plan),
    summary: report.summary ?? document.summary,
    result: { ...tally(results), complete: missing.length === 0 },
    ...(ended === undefined
      ? { ...planRemarks(plan, pace), pace: pace ?? undefined }
      : { run: ended.run, missing, next: isLeft ? nextSteps(report, ended) : undefined }),
    moved_base,
    undo_command,
    ...(ended !== undefined && runRemarks(ended.run)),
    record,
    undo,
    not_reviewed,
  };
}

function validateDocument(report: Omit<ValidateReport, "of">): ValidateDocument {
  const { isValid, files, diagnostics, listsAll, destinations } = report;
  const findings = diagnosticDocuments(diagnostics, listsAll);
  return { format_version: "1.0", valid: isValid, files, diagnostics: findings, destinations };
}

/** The document of a dry run has patches. */
export function writtenDocument(report: WrittenReport): WrittenDocument {
  return {
    format_version: "1.0",
    command: report.command,
    written: report.isWritten,
    files: report.edits.map((edit) => ({
      file: edit.file,
      action: edit.before === null ? "create" : "update",
      patch: report.isWritten || edit.isCopy === true ? null : filePatch(edit),
    })),
    items: report.items,
    variables: [...report.variables],
    next: report.next,
    diagnostics: diagnosticDocuments(report.diagnostics),
    columns: report.columns,
  };
}
