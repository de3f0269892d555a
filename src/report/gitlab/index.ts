// Reports that GitLab shows in a merge request: diagnostics as Code Quality, a plan as a
// Terraform report.

import { fnv1a, repositoryFile, type Format, type RenderContext } from "../format.ts";
import { jsonText } from "../json/text.ts";
import { isPlainReport, type Report } from "../report.ts";
import { splitFirst, type Diagnostic, type Severity } from "../../domain/diagnostic.ts";
import { concealedIn } from "../redaction.ts";
import { readable } from "../diagnostics.ts";
import { sectionDiagnostics, summarize, type ProjectsReport } from "../projects.ts";
import type { Plan } from "../../domain/change.ts";

export const gitlab: Format = { render: (report, context) => `${jsonText(contentOf(report, context), 2)}\n` };

function contentOf(report: Report, context: RenderContext): unknown {
  if (isPlainReport(report)) return codeQuality([], context);
  switch (report.of) {
    case "validate":
      return codeQuality(report.diagnostics, context);
    case "plan":
    case "drift":
    case "apply":
    case "held":
      return terraformReport(report.plan);
    case "failure":
      return terraformReport(null);
    case "projects":
      return report.command === "validate" ? projectsQuality(report) : projectsTerraform(report);
    default:
      return report satisfies never;
  }
}

/** The findings of all projects. */
function projectsQuality({ sections }: ProjectsReport): CodeQualityFinding[] {
  return sections.flatMap((section) => codeQuality(sectionDiagnostics(section), section));
}

/** The sums; empty if one project could not be planned, because its changes are missing in them. */
function projectsTerraform(report: ProjectsReport): Counts | Record<string, never> {
  const complete = report.sections.every(({ document }) => document.complete === true);
  return terraformReport({
    complete,
    summary: { ...summarize(report), unmanaged: null, nowManaged: null, origins: null },
  });
}

/** The keys that GitLab requires (its `codeclimate.json`). */
interface CodeQualityFinding {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "critical";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITY: Readonly<Record<Severity, CodeQualityFinding["severity"]>> = {
  error: "critical",
  warning: "minor",
  info: "info",
};

/** A diagnostic without a place is reported at the first line of the project file. */
export function codeQuality(
  diagnostics: readonly Diagnostic[],
  context: Pick<RenderContext, "project">,
): CodeQualityFinding[] {
  const mark = fingerprinter();
  return splitFirst(diagnostics).map((diagnostic) => {
    const { code, severity, message, place, hint } = diagnostic;
    const file = place === null ? null : repositoryFile(context, place);
    const path = file ?? context.project;
    return {
      description: [message, hint].flatMap((text) => (text === null ? [] : readable(text))).join(" "),
      check_name: code,
      fingerprint: mark(diagnostic, path),
      severity: SEVERITY[severity],
      location: { path, lines: { begin: file === null ? 1 : (place?.line ?? 1) } },
    };
  });
}

/**
 * GitLab compares fingerprints to find new and fixed problems, so they must not depend on line numbers: they are made of
 * the code, the file, the message without line numbers, and the source text. Equal ones are
 * numbered.
 */
function fingerprinter(): (diagnostic: Diagnostic, path: string) => string {
  const counts = new Map<string, number>();
  return (diagnostic, path) => {
    const { code, message } = diagnostic;
    const words = [code, path, message.replaceAll(/:\d+:\d+(?!\d)/g, ""), surroundings(diagnostic)];
    const base = JSON.stringify(words);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return fnv1a(`${base} ${count}`);
  };
}

/** The characters used before and after the start of a place: a file can be one long line. */
const CONTEXT_LENGTH = 60;

/** The source text around a place, without secrets, which could be guessed from a hash. */
function surroundings({ place }: Diagnostic): string {
  const { source } = place ?? {};
  if (place === null || source === undefined) return "";
  const hidden = concealedIn(source, place.line);
  const from = Math.max(place.column - 1 - CONTEXT_LENGTH, 0);
  const near = (source.line(place.line) ?? "").slice(from, place.column - 1 + CONTEXT_LENGTH);
  const isHidden = (at: number): boolean => hidden.some(([start, end]) => at >= start && at < end);
  return near
    .split("")
    .filter((_, at) => !isHidden(from + at))
    .join("")
    .trim();
}

interface Counts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/**
 * The counts. A replacement counts as a create and a delete. If nothing could be
 * planned, the report is empty, because zeros would look like "no changes". GitLab shows a report without these keys as
 * failed (`missing_json_keys` in its `Terraform::Tfplan`).
 */
export function terraformReport(plan: Pick<Plan, "complete" | "summary"> | null): Counts | Record<string, never> {
  if (plan === null || !plan.complete) return {};
  const { create, update, replace, delete: deleted } = plan.summary;
  return { create: create + replace, update, delete: deleted + replace };
}
