// Reports as text, for a terminal or a log.

import { completenessText } from "../apply-result.ts";
import { diagnosticsText } from "./diagnostics.ts";
import { validateSummary } from "../diagnostics.ts";
import { driftText } from "./drift.ts";
import { explainText } from "./explain.ts";
import type { Format } from "../format.ts";
import { listText } from "./list.ts";
import { visible, withoutCommands } from "../../domain/control-characters.ts";
import type { ApplyReport, Check, HeldReport, PlanReport, Report, ValidateReport } from "../report.ts";
import { projectsText } from "./projects.ts";
import { resultText } from "./result.ts";
import type { Screen } from "./screen.ts";
import { showText } from "./show.ts";
import { planText, unmanagedText } from "./plan.ts";
import { undoPlanText } from "./undo.ts";
import { paragraph, wrap } from "./width.ts";
import { writtenText } from "./written.ts";

/** The diagnostics of a plan go to stderr, not into this text. */
export const text: Format = { render: (report, { screen }) => withoutCommands(textOf(report, screen)) };

function textOf(report: Report, screen: Screen): string {
  switch (report.of) {
    case "validate":
      return validateText(report, screen);
    case "plan":
      return `${unmanagedText(report.unmanaged ?? [], screen)}${planReportText(report, screen)}`;
    case "held":
      return planReportText(report, screen);
    case "apply":
      return `${resultText(report, screen)}${completenessLine(report, screen)}`;
    case "drift":
      return driftText(report.plan, screen);
    case "doctor":
      return checksText(report.checks, screen);
    case "failure":
      return "";
    case "projects":
      return projectsText(report, screen);
    case "list":
      return listText(report, screen);
    case "show":
      return showText(report, screen);
    case "written":
      return writtenText(report, screen);
    case "explain":
      return explainText(report, screen);
    default:
      return report satisfies never;
  }
}

function planReportText(report: PlanReport | HeldReport, screen: Screen): string {
  const { plan, pace, undo, flagFor } = report;
  return undo === undefined ? planText(plan, screen, { flagFor, pace }) : undoPlanText(plan, undo, pace, screen);
}

function completenessLine(report: ApplyReport, { paint, columns }: Screen): string {
  const sentence = completenessText(report);
  if (sentence === null) return "";
  const color = report.movedBase === undefined ? paint.yellow : paint.dim;
  return paragraph(sentence, color, columns);
}

function validateText(report: ValidateReport, screen: Screen): string {
  const { diagnostics, isValid } = report;
  const verdict = isValid ? screen.paint.green("Valid:") : screen.paint.red("Not valid:");
  const found = diagnostics.length === 0 ? "" : `${diagnosticsText(diagnostics, screen)}\n`;
  return `${found}${verdict} ${validateSummary(report)}\n`;
}

const MARK: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "!", failed: "✗" };

/** The mark before a name, and the gap after it. */
const INDENT = 4;

/** The checks of `doctor`, each with its hint. */
export function checksText(checks: readonly Check[], { paint, columns }: Screen): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const color = { ok: paint.green, warning: paint.yellow, failed: paint.red };
  const lines = checks.map(({ name, status, message, hint }) => {
    const prose = (sentence: string): string => wrap(visible(sentence), columns, width + INDENT);
    const line = `${color[status](`${MARK[status]} ${name.padEnd(width)}`)}  ${prose(message)}\n`;
    return hint === null ? line : `${line}${" ".repeat(width + INDENT)}${paint.dim(prose(hint))}\n`;
  });
  const count = checks.filter(({ status }) => status === "failed").length;
  const verdict = count === 0 ? paint.green("All is well.") : paint.red(`${count} of ${checks.length} checks failed.`);
  return `${lines.join("")}\n${verdict}\n`;
}
