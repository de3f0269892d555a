// A report in the forms that GitLab shows in a merge request: findings about the files as Code Quality, a plan as terraform's
// report.

import type { Format, Setting } from "../format.ts";
import { codeQuality } from "./code-quality.ts";
import { terraformReport } from "./terraform.ts";
import { jsonText } from "../json/text.ts";
import { isPlain, type Report } from "../../view/report.ts";

export const gitlab: Format = { render: (report, setting) => `${jsonText(contentOf(report, setting), 2)}\n` };

function contentOf(report: Report, setting: Setting): unknown {
  if (isPlain(report)) return codeQuality([], setting);
  switch (report.of) {
    case "validate":
      return codeQuality(report.diagnostics, setting);
    case "plan":
    case "drift":
    case "apply":
    case "held":
      return terraformReport(report.plan);
    case "failure":
      return terraformReport(null);
    default:
      return report satisfies never;
  }
}
