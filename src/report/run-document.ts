// The documents of runs, from which every format is made.

import type { Outcome } from "../apply/outcome.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { differences, planDocument, reportedChanges, reportedDifference, type PlannedReport } from "./document.ts";
import { diagnosticDocuments } from "./finding-document.ts";
import type { ApplyDocument, PlanDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import { missingParts, nextSteps, runRemarks, type ApplyReport } from "./apply-result.ts";
import { driftRemarks, planRemarks, undoRemarks } from "./plan-remarks.ts";
import type { Report, RunReport } from "./report.ts";
import { filePatch, type FileEdit } from "./text-diff.ts";

export function plannedDocument(report: PlannedReport): PlanDocument & Pick<ApplyDocument, "undo"> {
  const { plan, pace = null, undo } = report;
  return {
    ...planDocument(report, [...reportedChanges(plan).values()]),
    pace: pace ?? undefined,
    ...(undo === undefined ? planRemarks(plan, pace) : undoRemarks(plan, pace)),
    undo,
  };
}

export function planReport(report: PlannedReport): RunReport {
  return { of: "run", command: "plan", document: plannedDocument(report) };
}

/** A drift report is the plan that would undo the drift, so that readers of plans can read it. */
export function driftReport(report: PlannedReport): RunReport {
  const { plan } = report;
  const changes = differences(plan).map((change) => reportedDifference(change, plan));
  return { of: "run", command: "drift", document: { ...planDocument(report, changes), ...driftRemarks(plan) } };
}

export function applyReport(report: ApplyReport): RunReport {
  const { plan, results, ended, pace = null, record = null, undo_command, moved_base, undo, not_reviewed } = report;
  const document = planDocument(report, []);
  const missing = missingParts(report);
  const count = (which: Outcome["outcome"]): number => results.filter(({ outcome }) => outcome === which).length;
  const isLeft = results.some(({ outcome }) => outcome !== "applied");
  const made: ApplyDocument = {
    ...document,
    changes: [...results],
    summary: report.summary ?? document.summary,
    result: {
      applied: count("applied"),
      failed: count("failed"),
      skipped: count("skipped"),
      complete: missing.length === 0,
    },
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
  return { of: "run", command: "apply", document: made };
}

export interface WrittenResult extends Readonly<Pick<WrittenDocument, "command" | "items" | "next" | "columns">> {
  /** False for a dry run and for `fmt --check`: nothing was written. */
  readonly isWritten: boolean;
  readonly edits: readonly FileEdit[];
  readonly variables: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function writtenReport(result: WrittenResult): Report {
  const { command, isWritten: written, edits, items, next, columns } = result;
  const files: WrittenDocument["files"] = edits.map((edit) => ({
    file: edit.file,
    action: edit.before === null ? "create" : "update",
    patch: written || edit.isCopy === true ? null : filePatch(edit),
  }));
  const variables = [...result.variables];
  const diagnostics = diagnosticDocuments(result.diagnostics);
  const document = { command, written, files, items, variables, next, diagnostics, columns };
  return { of: "written", document: { format_version: "1.0", ...document } };
}
