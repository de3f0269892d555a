// Reports as one JSON document each; their schemas are in schemas/.

import * as z from "zod";
import type { ReportDocument } from "../document.ts";
import { diagnosticDocuments } from "../finding-document.ts";
import { applySchema, doctorSchema, planSchema, validateSchema, type PlanDocument } from "./schema.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { explainSchema } from "./explain.ts";
import type { Format, ReportingCommand } from "../format.ts";
import { jsonText } from "./text.ts";
import { listSchema, showSchema } from "./inspect.ts";
import { isRunReport, type Report, type RunReport } from "../report.ts";
import { commandOfRun, runDocument, writtenDocument } from "../run-document.ts";
import { writtenSchema } from "./written.ts";
import { exitOfProjects, summarize, type ProjectsReport } from "../projects.ts";
import { PROJECT_COMMANDS, type ProjectCommand } from "../format.ts";

export const json: Format = (report, { project }) => `${jsonText(reportDocument(report, project), 2)}\n`;

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
  const command = namedCommand(report);
  const document: ReportDocument =
    report.of === "failure"
      ? failedDocument(command === "apply" ? applySchema : planSchema, report.diagnostics, report.baseUrl)
      : runDocument(report);
  return command === undefined || document.undo !== undefined ? document : { ...document, project, command };
}

function namedCommand(report: RunReport): ProjectCommand | undefined {
  return PROJECT_COMMANDS.find((one) => one === commandOfRun(report));
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
      return failedDocument(planSchema, diagnostics, baseUrl);
    case "apply":
    case "undo":
      return failedDocument(applySchema, diagnostics, baseUrl);
    case "validate":
    case "check":
      return { ...emptyDocument(validateSchema), diagnostics: found };
    case "list":
      return failedDocument(listSchema, diagnostics, baseUrl);
    case "show":
      return failedDocument(showSchema, diagnostics, baseUrl);
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

function failedDocument<Document extends Pick<PlanDocument, "diagnostics"> & { service: { base_url: string | null } }>(
  schema: z.ZodType<Document>,
  diagnostics: readonly Diagnostic[],
  baseUrl: string | null,
): Document {
  const empty = emptyDocument(schema);
  return { ...empty, service: { ...empty.service, base_url: baseUrl }, diagnostics: diagnosticDocuments(diagnostics) };
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

/** The empty document of a schema: empty lists, zeros, nulls and `false`. `known` has the values of other keys. */
function emptyDocument<Schema extends z.ZodType>(schema: Schema, known: object = {}): z.output<Schema> {
  return schema.parse(Object.assign({}, emptyValue(schema), known));
}

/** Returns undefined for a key that the document leaves out. */
function emptyValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape)
        .map(([key, one]) => [key, emptyValue(one)] as const)
        .filter(([, value]) => value !== undefined),
    );
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodBoolean) return false;
  return schema instanceof z.ZodNumber ? 0 : undefined;
}
