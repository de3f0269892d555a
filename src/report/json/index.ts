// Reports as one JSON document each; their schemas are in schemas/.

import { diagnosticDocuments, emptyPlanDocument, NOTHING_APPLIED, planDocument, tally } from "../document.ts";
import type { ApplyDocument, DoctorDocument, UndoDocument, ValidateDocument } from "./schema.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { emptyExplainDocument, explainDocument } from "./explain.ts";
import type { Format } from "../format.ts";
import { jsonText } from "./text.ts";
import { emptyListDocument, emptyShowDocument, listDocument, showDocument } from "./inspect.ts";
import type { ApplyReport, Check, HeldReport, Report, ReportingCommand, ValidateReport } from "../report.ts";
import type { UndoSummary } from "../undo.ts";
import { unwrittenDocument, writtenDocument } from "./written.ts";
import { isComplete } from "../apply-result.ts";
import { reportedChanges, reportedDifference, reportedResults } from "../change-document.ts";

import { exitOfProjects, PROJECT_COMMANDS, summarize, type ProjectCommand, type ProjectsReport } from "../projects.ts";

export const json: Format = {
  render: (report, { project }) => `${jsonText(reportDocument(report, project), 2)}\n`,
};

/** The document of a report. That of a command that several projects can share names its project and command. */
export function reportDocument(report: Report, project: string): unknown {
  const command = commandOf(report);
  const document = documentOf(report);
  return command === null || typeof document !== "object" ? document : { ...document, project, command };
}

/** The command, if several reports of it can be merged. */
function commandOf(report: Report): ProjectCommand | null {
  if ("undo" in report && report.undo !== undefined) return null;
  const name = report.of === "failure" ? report.command : report.of === "held" ? "apply" : report.of;
  return PROJECT_COMMANDS.find((one) => one === name) ?? null;
}

function documentOf(report: Report): unknown {
  switch (report.of) {
    case "validate":
      return validateDocument(report);
    case "projects":
      return projectsDocument(report);
    case "plan":
    case "drift": {
      const { plan, problems, baseUrl } = report;
      const all = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
      // A drift report is the plan that would undo the drift, so readers of plans can read it.
      const planned = planDocument(all, baseUrl, report.of === "plan" ? report.unmanaged : null);
      const changes =
        report.of === "plan" ? reportedChanges(plan) : plan.changes.map((change) => reportedDifference(change, plan));
      const document = { ...planned, changes };
      return report.undo === undefined ? document : { ...document, undo: undoDocument(report.undo) };
    }
    case "apply":
    case "held":
      return applyDocument(report);
    case "failure":
      return failureDocument(report.command, report.diagnostics, report.baseUrl);
    case "doctor":
      return doctorDocument(report.checks);
    case "list":
      return listDocument(report);
    case "show":
      return showDocument(report);
    case "written":
      return writtenDocument(report);
    case "explain":
      return explainDocument(report);
    default:
      return report satisfies never;
  }
}

/** The document of a command that failed. `command` is null if no command was recognized, or one without reports. */
export function failureDocument(
  command: ReportingCommand | null,
  diagnostics: readonly Diagnostic[],
  baseUrl: string | null = null,
): unknown {
  switch (command) {
    case "plan":
    case "drift":
      return emptyPlanDocument(baseUrl, diagnostics);
    case "apply":
    case "undo":
      return { ...emptyPlanDocument(baseUrl, diagnostics), ...NOTHING_APPLIED };
    case "validate":
      return validateDocument({ isValid: false, files: 0, diagnostics });
    case "list":
      return emptyListDocument(baseUrl, diagnostics);
    case "show":
      return emptyShowDocument(baseUrl, diagnostics);
    case "doctor":
      return doctorDocument(
        diagnostics.map(({ message, hint }) => ({ name: "usage", status: "failed" as const, message, hint })),
      );
    case "pull":
    case "rm":
    case "import":
    case "init":
    case "fmt":
      return unwrittenDocument(command, diagnostics);
    case "explain":
      return emptyExplainDocument(diagnostics);
    case "merge":
    case null:
      return { format_version: "1.0", diagnostics: diagnosticDocuments(diagnostics) };
    default:
      return command satisfies never;
  }
}

/** The document of an apply: the plan with an outcome for each change. */
export function applyDocument(report: ApplyReport | HeldReport): ApplyDocument {
  const { plan, problems, results, saved, baseUrl, undo } = report;
  const document = planDocument({ ...plan, diagnostics: [...plan.diagnostics, ...problems] }, baseUrl);
  return {
    ...document,
    changes: reportedResults(results, plan),
    summary: saved?.summary ?? document.summary,
    result: { ...tally(results), complete: isComplete(report) },
    receipt: (report.of === "apply" ? report.receipt?.file : null) ?? null,
    ...(undo !== undefined && { undo: undoDocument(undo) }),
    ...(saved !== null && { not_reviewed: [...saved.notReviewed] }),
  };
}

/** The document of several projects: that of each, and their sums. */
function projectsDocument(report: ProjectsReport): unknown {
  return {
    format_version: "1.0",
    projects: report.sections.map(({ project, name, command, exitCode, document }) => ({
      project,
      name,
      command,
      exit_code: exitCode,
      report: document,
    })),
    exit_code: exitOfProjects(report),
    summary: summarize(report),
  };
}

function undoDocument({
  receipt,
  at,
  isEnded,
  changes,
  alreadyUndone,
  losses,
  skipped,
  contradictingFiles,
}: UndoSummary): UndoDocument {
  return {
    receipt,
    at,
    ended: isEnded,
    changes,
    already: alreadyUndone,
    lost: losses.map(({ kind, key, message }) => ({ kind, key, message })),
    left: skipped.map(({ kind, key, previousKey, code, message, hint, paths }) => ({
      kind,
      key,
      previous_key: previousKey,
      code,
      message,
      hint,
      fields: [...paths],
    })),
    files: contradictingFiles.map(({ file, keys }) => ({ file, keys: [...keys] })),
  };
}

export function validateDocument({
  isValid,
  files,
  diagnostics,
}: Pick<ValidateReport, "isValid" | "files" | "diagnostics">): ValidateDocument {
  return {
    format_version: "1.0",
    valid: isValid,
    files,
    diagnostics: diagnosticDocuments(diagnostics),
  };
}

export function doctorDocument(checks: readonly Check[]): DoctorDocument {
  return {
    format_version: "1.0",
    well: checks.every(({ status }) => status !== "failed"),
    checks: checks.map(({ name, status, message, hint }) => ({ name, status, message, hint })),
  };
}
