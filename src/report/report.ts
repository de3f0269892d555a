// What the formats draw: the document of a command.

import type { ReportDocument } from "./document.ts";
import { PROJECT_COMMANDS, type ReportingCommand } from "./format.ts";
import type { ExplainDocument } from "./json/explain.ts";
import type { ListDocument, ShowDocument } from "./json/inspect.ts";
import type { DoctorDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import type { ProjectSection, ProjectsReport } from "./projects.ts";

/** A command whose failure is reported in the form of its document. */
export type FailingCommand = Exclude<ReportingCommand, "validate" | "check" | "doctor" | "merge">;

export type ReportedCommand = "validate" | "check" | FailingCommand;

/** A run in one project. A `failure` ended before it had a result. */
export interface RunReport {
  readonly of: "run" | "failure";
  readonly command: ReportedCommand;
  readonly document: ReportDocument;
}

export type Report =
  | RunReport
  | ProjectsReport
  | { readonly of: "doctor"; readonly document: DoctorDocument }
  | { readonly of: "list"; readonly document: ListDocument }
  | { readonly of: "show"; readonly document: ShowDocument }
  | { readonly of: "explain"; readonly document: ExplainDocument }
  | { readonly of: "written"; readonly document: WrittenDocument };

export type Run = Pick<ProjectSection, "project" | "report"> & Pick<RunReport, "command">;

/** `project` is that of a report about only one. */
export function runsOf(report: Report, project: string): readonly Run[] {
  if (report.of === "projects") return report.sections;
  return "command" in report ? [{ report: report.document, command: report.command, project }] : [];
}

/** If reports of its command can be merged, the document names the project and the command. */
export function namedDocument({ command: name, document }: RunReport, project: string): ReportDocument {
  const command = PROJECT_COMMANDS.find((one) => one === name);
  return command === undefined || document.undo !== undefined ? document : { ...document, project, command };
}

export const NOTHING_DONE: Readonly<Record<FailingCommand, string>> = {
  plan: "Nothing was planned",
  apply: "Nothing was applied",
  drift: "Nothing was compared",
  pull: "Nothing was written",
  rm: "Nothing was written",
  import: "Nothing was written",
  init: "Nothing was written",
  fmt: "Nothing was formatted",
  list: "Nothing was read",
  show: "Nothing was read",
  undo: "Nothing was undone",
  explain: "Nothing was explained",
};
