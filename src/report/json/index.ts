// Reports as one JSON document each; their schemas are in schemas/.

import { diagnosticDocuments, planDocument, tally, type ReportDocument } from "../document.ts";
import type { ReportedCommand } from "../compose.ts";
import { applySchema, doctorSchema, planSchema, validateSchema } from "./schema.ts";
import type { ApplyDocument, PlanDocument, ValidateDocument } from "./schema.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { emptyDocument } from "./empty.ts";
import { explainSchema } from "./explain.ts";
import type { Format, ReportingCommand } from "../format.ts";
import { jsonText } from "./text.ts";
import { listSchema, showSchema } from "./inspect.ts";
import { isRunReport } from "../report.ts";
import type { ApplyReport, FailureReport, PlanReport, Report, RunReport, ValidateReport } from "../report.ts";
import { writtenDocument, writtenSchema } from "./written.ts";
import { missingParts, nextSteps, runRemarks } from "../apply-result.ts";
import { differences } from "../drift.ts";
import { driftRemarks, planRemarks, undoRemarks } from "../plan-remarks.ts";
import { reportedChanges, reportedDifference, reportedResults } from "../change-document.ts";
import { exitOfProjects, PROJECT_COMMANDS, summarize, type ProjectCommand, type ProjectsReport } from "../projects.ts";

export const json: Format = {
  render: (report, { project }) => `${jsonText(reportDocument(report, project), 2)}\n`,
};

/** The document of a report. */
export function reportDocument(report: Report, project: string): unknown {
  if (report.of === "failure" && namedCommand(report) === undefined)
    return failureDocument(report.command, report.diagnostics, report.baseUrl);
  if (isRunReport(report)) return namedDocument(report, project);
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

/** The document of a run. If reports of its command can be merged, it names the project and the command. */
export function namedDocument(report: RunReport, project: string): ReportDocument {
  const [document, command] = [runDocument(report), namedCommand(report)];
  return command === undefined || document.undo !== undefined ? document : { ...document, project, command };
}

function namedCommand(report: RunReport): ProjectCommand | undefined {
  return PROJECT_COMMANDS.find((one) => one === commandOfRun(report));
}

/** The command of a run, as its report names it. */
export function commandOfRun(report: RunReport): ReportedCommand {
  return report.of === "failure" ? report.command : report.of;
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
      return applyDocument(report);
    case "failure":
      return failedDocument(report);
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

function failedDocument({ command, diagnostics, baseUrl }: Omit<FailureReport, "of">): ReportDocument {
  const isApply = command === "apply" || command === "undo";
  return {
    ...emptyDocument(isApply ? applySchema : planSchema),
    service: { base_url: baseUrl, software: null },
    diagnostics: diagnosticDocuments(diagnostics),
  };
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
      return { ...emptyDocument(validateSchema), diagnostics: found };
    case "list":
      return { ...emptyDocument(listSchema), service: { base_url: baseUrl }, diagnostics: found };
    case "show":
      return { ...emptyDocument(showSchema), service: { base_url: baseUrl, software: null }, diagnostics: found };
    case "explain":
      return { ...emptyDocument(explainSchema), diagnostics: found };
    case "doctor":
      return {
        ...emptyDocument(doctorSchema),
        checks: diagnostics.map(({ message, hint }) => ({ name: "usage", status: "failed", message, hint })),
      };
    case "pull":
    case "rm":
    case "import":
    case "init":
    case "fmt":
      return { ...emptyDocument(writtenSchema, { command }), diagnostics: found };
    case "merge":
    case null:
      return { format_version: "1.0", diagnostics: found };
    default:
      return command satisfies never;
  }
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
export function applyDocument(report: ApplyReport): ApplyDocument {
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
      : { run: ended.run, missing, next: isLeft ? nextSteps(results, ended) : undefined }),
    moved_base,
    undo_command,
    ...(ended !== undefined && runRemarks(ended.run, isLeft)),
    record,
    undo,
    not_reviewed,
  };
}

/** The document of several projects: that of each, and their sums. */
function projectsDocument(report: ProjectsReport): unknown {
  return {
    format_version: "1.0",
    projects: report.sections,
    exit_code: exitOfProjects(report),
    summary: summarize(report),
  };
}

function validateDocument(report: Omit<ValidateReport, "of">): ValidateDocument {
  const { isValid, files, diagnostics, listsAll } = report;
  return { format_version: "1.0", valid: isValid, files, diagnostics: diagnosticDocuments(diagnostics, listsAll) };
}
