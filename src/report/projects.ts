// The report of several projects: the JSON document of each, their sums and their exit code.

import { EXIT, type ExitCode } from "../errors.ts";
import { isLost } from "./compose-changes.ts";
import { shownFindings, severityCounts } from "./compose-findings.ts";
import type { ReportDocument, ShownChange } from "./document.ts";
import type { ProjectCommand } from "./format.ts";
import type { ProjectsDocument } from "./json/schema.ts";

export interface ProjectSection extends Omit<ProjectsDocument["projects"][number], "report"> {
  readonly report: ReportDocument;
}

export interface ProjectsReport {
  readonly of: "projects";
  readonly command: ProjectCommand;
  /** Identifies the report: the values of `--config`. */
  readonly names: string;
  readonly sections: readonly ProjectSection[];
}

/** The first of these that a project ended with is the exit code of the run. */
const PRECEDENCE = ["usage", "interrupted", "partial", "error", "refused", "changes"] as const;

export function combineExits(exits: readonly ExitCode[]): ExitCode {
  return EXIT[PRECEDENCE.find((name) => exits.includes(EXIT[name])) ?? "done"];
}

export function exitOfProjects({ sections }: Pick<ProjectsReport, "sections">): ExitCode {
  return combineExits(sections.map((section) => section.exit_code));
}

/** A plan with changes counts as done, as without `--detailed-exitcode`. */
export function exitOfDocument(command: ProjectCommand, document: ReportDocument): ExitCode {
  const { changes = [], brakes = [], result, valid, complete, diagnostics } = document;
  if (command === "validate" || command === "check") return valid === true ? EXIT.done : EXIT.error;
  if (brakes.length > 0 && command !== "drift") return EXIT.refused;
  const isWrong = complete !== true || diagnostics.some(({ severity }) => severity === "error");
  if (command === "apply") {
    if (!isWrong && changes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
    return (result?.applied ?? 0) > 0 ? EXIT.partial : EXIT.error;
  }
  if (isWrong) return EXIT.error;
  return command === "drift" && changes.length > 0 ? EXIT.changes : EXIT.done;
}

export function summarize({ sections }: Pick<ProjectsReport, "sections">): ProjectsDocument["summary"] {
  const sum = (of: "create" | "update" | "replace" | "delete" | "unchanged"): number =>
    sections.reduce((total, { report }) => total + (report.summary?.[of] ?? 0), 0);
  const findings = sections.flatMap(({ report }) => report.diagnostics);
  return {
    projects: sections.length,
    failed: sections.filter((section) => isFailed(section)).length,
    create: sum("create"),
    update: sum("update"),
    replace: sum("replace"),
    delete: sum("delete"),
    unchanged: sum("unchanged"),
    breaks: sections.flatMap(lostChanges).length,
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
  };
}

/** `isReviewed`: the report is for a pull request, in which a plan that the brake stops is no failure. */
export function isFailed(section: ProjectSection, isReviewed: boolean = false): boolean {
  const { exit_code: exit, command, report } = section;
  if (isReviewed && command === "plan" && (report.brakes ?? []).length > 0) return false;
  return exit !== EXIT.done && exit !== EXIT.changes;
}

export function lostChanges({ report, command }: ProjectSection): readonly ShownChange[] {
  const lost = (report.changes ?? []).filter(isLost);
  return command === "apply" ? lost.filter(({ outcome }) => outcome === "applied") : lost;
}

/** Whether a section is one line: nothing changes, nothing was removed from the files, and nothing was found. */
export function isQuiet(section: ProjectSection): boolean {
  const { changes = [], orphans = [] } = section.report;
  return !isFailed(section) && changes.length + orphans.length === 0 && foundText(section) === "";
}

export function foundText({ report }: ProjectSection): string {
  return severityCounts(shownFindings(report));
}
