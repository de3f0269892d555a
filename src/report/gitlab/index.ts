// Reports that GitLab shows in a merge request: diagnostics as Code Quality, a plan as a Terraform report.

import { readable } from "../compose-findings.ts";
import type { ReportDocument } from "../document.ts";
import { hashOf, repositoryPath, runsOf, type Format } from "../format.ts";
import { jsonText } from "../json/text.ts";
import { isOutsideProject } from "../../domain/place.ts";
import type { Severity } from "../../domain/diagnostic.ts";
import type { ChangeDocument, DiagnosticDocument } from "../json/schema.ts";

export const gitlab: Format = (report, context) => {
  const runs = runsOf(report, context.project);
  const content = runs.every(({ command }) => command === "validate" || command === "check")
    ? runs.flatMap(({ report: { diagnostics }, project }) => codeQuality(diagnostics, project))
    : terraformReport(runs.map((run) => run.report));
  return `${jsonText(content, 2)}\n`;
};

const SEVERITY: Readonly<Record<Severity, "info" | "minor" | "critical">> = {
  error: "critical",
  warning: "minor",
  info: "info",
};

/**
 * The keys that GitLab requires (its `codeclimate.json`). A finding without a place in these files is reported at the first line of the
 * project file. GitLab compares fingerprints to find new and fixed problems, so they must not depend on line numbers. Equal ones are numbered.
 */
function codeQuality(findings: readonly DiagnosticDocument[], project: string): unknown[] {
  const counts = new Map<string, number>();
  return findings.map(({ code, severity, message, file, line, hint }) => {
    const isHere = file !== null && !isOutsideProject({ file });
    const path = isHere ? repositoryPath({ project }, { file }) : project;
    const identity = JSON.stringify([code, path, message.replaceAll(/:\d+:\d+(?!\d)/g, "")]);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    return {
      description: [message, hint].flatMap((text) => (text === null ? [] : readable(text))).join(" "),
      check_name: code,
      fingerprint: hashOf(`${identity} ${count}`),
      severity: SEVERITY[severity],
      location: { path, lines: { begin: isHere ? (line ?? 1) : 1 } },
    };
  });
}

/**
 * The counts. A replacement counts as a create and a delete. If a project could not be planned, the report is empty, because zeros would
 * look like "no changes". GitLab shows a report without these keys as failed (`missing_json_keys` in its `Terraform::Tfplan`).
 */
function terraformReport(documents: readonly ReportDocument[]): Readonly<Record<string, number>> {
  if (documents.some(({ complete }) => complete !== true)) return {};
  const count = (action: ChangeDocument["action"]): number =>
    documents.reduce((sum, { summary }) => sum + (summary?.[action] ?? 0), 0);
  const replaced = count("replace");
  return { create: count("create") + replaced, update: count("update"), delete: count("delete") + replaced };
}
