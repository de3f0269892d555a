// Reports as one JSON document each; their schemas are in schemas/.

import type { Format } from "../format.ts";
import { exitOfProjects, summarize, type ProjectsReport } from "../projects.ts";
import { namedDocument } from "../report.ts";
import { jsonText } from "./text.ts";

export const json: Format = (report, { project }) => {
  const document =
    report.of === "projects"
      ? projectsDocument(report)
      : "command" in report
        ? namedDocument(report, project)
        : report.document;
  return `${jsonText(document, 2)}\n`;
};

function projectsDocument(report: ProjectsReport): unknown {
  return {
    format_version: "1.0",
    projects: report.sections,
    exit_code: exitOfProjects(report),
    summary: summarize(report),
  };
}
