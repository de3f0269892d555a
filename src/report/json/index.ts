// Reports as one JSON document each; their schemas are in schemas/.

import {
  diagnosticDocuments,
  emptyPlanDocument,
  NOTHING_APPLIED,
  planDocument,
  tally,
  type PlanDocument,
  type ReportDocument,
} from "../document.ts";
import type { ReportedCommand } from "../compose.ts";
import type { ApplyDocument, DoctorDocument, UndoDocument, ValidateDocument } from "./schema.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { NO_EXPLANATION } from "./explain.ts";
import type { Format } from "../format.ts";
import { jsonText } from "./text.ts";
import { NO_LIST, NOTHING_SHOWN } from "./inspect.ts";
import { isRunReport } from "../report.ts";
import type {
  ApplyReport,
  DriftReport,
  FailureReport,
  HeldReport,
  PlanReport,
  Report,
  ReportingCommand,
  RunReport,
  ValidateReport,
} from "../report.ts";
import type { UndoSummary } from "../undo.ts";
import { unwrittenDocument, writtenDocument } from "./written.ts";
import { durationLine, exitCodeText, isComplete, missingParts, nextSteps } from "../apply-result.ts";
import { plural } from "../counts.ts";
import { differences } from "../drift.ts";
import { driftRemarks, planRemarks, undoRemarks, type PlanPace } from "../plan-remarks.ts";
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
  const name = isRunReport(report) ? commandOfRun(report) : report.of;
  return PROJECT_COMMANDS.find((one) => one === name) ?? null;
}

function documentOf(report: Report): unknown {
  if (report.of === "failure") return failureDocument(report.command, report.diagnostics, report.baseUrl);
  if (isRunReport(report)) return runDocument(report);
  switch (report.of) {
    case "projects":
      return projectsDocument(report);
    case "doctor":
    case "list":
    case "show":
    case "explain":
      return report.document;
    case "written":
      return writtenDocument(report);
    default:
      return report satisfies never;
  }
}

/** The command of a run, as its report names it. */
export function commandOfRun(report: RunReport): ReportedCommand {
  if (report.of === "failure") return report.command;
  if (report.of === "held") return "apply";
  return report.of;
}

/** The document of a run, which every format with all reports draws. */
export function runDocument(report: RunReport): ReportDocument {
  switch (report.of) {
    case "validate":
      return validateDocument(report);
    case "plan":
      return plannedDocument(report);
    case "drift":
      return driftDocument(report);
    case "apply":
    case "held":
      return applyDocument(report);
    case "failure":
      return failedDocument(report);
    default:
      return report satisfies never;
  }
}

function failedDocument({ command, diagnostics, baseUrl }: Omit<FailureReport, "of">): ReportDocument {
  const document = emptyPlanDocument(baseUrl, diagnostics);
  return command === "apply" || command === "undo" ? { ...document, ...NOTHING_APPLIED } : document;
}

/** The document of a command that failed. `command` is null if no command was recognized, or one without reports. */
export function failureDocument(
  command: ReportingCommand | null,
  diagnostics: readonly Diagnostic[],
  baseUrl: string | null = null,
): unknown {
  const found = diagnosticDocuments(diagnostics);
  switch (command) {
    case "plan":
    case "drift":
    case "apply":
    case "undo":
      return failedDocument({ command, diagnostics, baseUrl });
    case "validate":
      return validateDocument({ isValid: false, files: 0, diagnostics });
    case "list":
      return { ...NO_LIST, service: { base_url: baseUrl }, diagnostics: found };
    case "show":
      return { ...NOTHING_SHOWN, service: { base_url: baseUrl, software: null }, diagnostics: found };
    case "doctor":
      return {
        format_version: "1.0",
        well: diagnostics.length === 0,
        checks: diagnostics.map(({ message, hint }) => ({ name: "usage", status: "failed", message, hint })),
      } satisfies DoctorDocument;
    case "pull":
    case "rm":
    case "import":
    case "init":
    case "fmt":
      return unwrittenDocument(command, diagnostics);
    case "explain":
      return { ...NO_EXPLANATION, diagnostics: found };
    case "merge":
    case null:
      return { format_version: "1.0", diagnostics: found };
    default:
      return command satisfies never;
  }
}

/** The document of a plan. */
export function plannedDocument(report: PlanReport): PlanDocument {
  const { plan, problems, baseUrl, unmanaged, flagFor, pace, undo } = report;
  const all = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
  return {
    ...planDocument(all, baseUrl, reportedChanges(plan), unmanaged, flagFor),
    ...paceDocument(pace),
    ...(undo === undefined ? planRemarks(plan, pace) : undoRemarks(plan, pace)),
    ...(undo !== undefined && { undo: undoDocument(undo) }),
  };
}

/** A drift report is the plan that would undo the drift, so that readers of plans can read it. */
function driftDocument({ plan, problems, baseUrl }: DriftReport): PlanDocument {
  const all = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
  const changes = differences(plan).map((change) => reportedDifference(change, plan));
  return { ...planDocument(all, baseUrl, changes), ...driftRemarks(plan) };
}

function paceDocument(pace: PlanPace | null): Pick<PlanDocument, "pace"> {
  return pace === null ? {} : { pace: { per_minute: pace.perMinute, seconds: pace.seconds } };
}

/** The document of an apply: the plan with an outcome for each change. */
export function applyDocument(report: ApplyReport | HeldReport): ApplyDocument {
  const { plan, problems, results, saved, baseUrl, undo } = report;
  const flagFor = report.of === "held" ? report.flagFor : "this run";
  const all = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
  const document = planDocument(all, baseUrl, [], null, flagFor);
  return {
    ...document,
    changes: reportedResults(results, plan),
    summary: saved?.summary ?? document.summary,
    result: { ...tally(results), complete: isComplete(report) },
    ...(report.of === "held"
      ? { ...planRemarks(plan, report.pace), ...paceDocument(report.pace) }
      : ranDocument(report)),
    receipt: (report.of === "apply" ? report.receipt?.file : null) ?? null,
    ...(undo !== undefined && { undo: undoDocument(undo) }),
    ...(saved !== null && { not_reviewed: [...saved.notReviewed] }),
  };
}

type RanKeys = "run" | "missing" | "next" | "moved_base" | "undo_command" | "remarks" | "details";

/** How a run went. */
function ranDocument(report: ApplyReport): Pick<ApplyDocument, RanKeys> {
  const { results, ended, receipt, movedBase } = report;
  const { exit, isVerified, clicksLost, cost } = ended;
  const run = { exit_code: exit, verified: isVerified, clicks_lost: clicksLost, ...cost };
  const isLeft = results.some(({ outcome }) => outcome !== "applied");
  const remarks = [durationLine(cost), isLeft ? exitCodeText(exit) : ""].filter((text) => text !== "");
  return {
    run,
    missing: missingParts(report),
    ...(isLeft && { next: nextSteps(results, ended) }),
    ...(movedBase !== undefined && { moved_base: movedBase }),
    ...(receipt !== undefined && { undo_command: receipt.undo }),
    remarks,
    details: [`${plural(cost.requests, "request")}.`],
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
  restored,
  contradictingFiles,
}: UndoSummary): UndoDocument {
  return {
    receipt,
    at,
    ended: isEnded,
    changes,
    already: alreadyUndone,
    lost: losses.map(({ kind, key, message }) => ({ kind, key, message })),
    left: skipped.map(({ kind, key, previousKey, code, message, hint, paths, place }) => ({
      kind,
      key,
      previous_key: previousKey,
      code,
      message,
      hint,
      fields: [...paths],
      partly: restored.has(place),
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
