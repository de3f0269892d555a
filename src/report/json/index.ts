// Reports as one JSON document each; their schemas are in schemas/.

import { namedDocument, type Format } from "../format.ts";
import { exitOfProjects, summarize } from "../projects.ts";
import { jsonText } from "./text.ts";

export const json: Format = (report, { project }) => {
  if (report.of !== "projects")
    return `${jsonText("command" in report ? namedDocument(report, project) : report.document, 2)}\n`;
  const all = { projects: report.sections, exit_code: exitOfProjects(report), summary: summarize(report) };
  return `${jsonText({ format_version: "1.0", ...all }, 2)}\n`;
};
