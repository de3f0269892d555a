// Every report as text for people on a terminal or in a log.

import { completenessText } from "../../view/apply-result.ts";
import { diagnosticsText } from "./diagnostics.ts";
import { severityCounts } from "../../view/diagnostics.ts";
import { plural } from "../../view/counts.ts";
import { checksText } from "./doctor.ts";
import { driftText } from "./drift.ts";
import { explainText } from "./explain.ts";
import type { Format } from "../format.ts";
import { listText } from "./list.ts";
import { withoutCommands } from "../../domain/log-commands.ts";
import type { ApplyReport, HeldReport, PlanReport, Report, ValidateReport } from "../../view/report.ts";
import { resultText } from "./result.ts";
import type { Screen } from "./screen.ts";
import { showText } from "./show.ts";
import { planText, unmanagedText } from "./plan.ts";
import { undoPlanText } from "./undo.ts";
import { wrap } from "./width.ts";
import { writtenText } from "./written.ts";

/** Diagnostics of what was planned are not in it: they are said on stderr. */
export const text: Format = { render: (report, { screen }) => withoutCommands(textOf(report, screen)) };

function textOf(report: Report, screen: Screen): string {
  switch (report.of) {
    case "validate":
      return validateText(report, screen);
    case "plan":
      return `${unmanagedText(report.unmanaged ?? [], screen)}${plannedText(report, screen)}`;
    case "held":
      return plannedText(report, screen);
    case "apply":
      return `${resultText(report, screen)}${completenessLine(report, screen)}`;
    case "drift":
      return driftText(report.plan, screen);
    case "doctor":
      return checksText(report.checks, screen);
    case "failure":
      return "";
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

function plannedText(report: PlanReport | HeldReport, screen: Screen): string {
  const { plan, pace, undo } = report;
  const flagFor = report.of === "held" ? report.flagFor : "this run";
  return undo === undefined ? planText(plan, screen, { flagFor, pace }) : undoPlanText(plan, undo, pace, screen);
}

function completenessLine(report: ApplyReport, { paint, columns }: Screen): string {
  const said = completenessText(report);
  if (said === null) return "";
  const colour = report.movedBase === undefined ? paint.yellow : paint.dim;
  return wrap(said, columns, 0)
    .split("\n")
    .map((line) => `${colour(line)}\n`)
    .join("");
}

function validateText({ diagnostics, isValid, files }: ValidateReport, screen: Screen): string {
  const counts = severityCounts(diagnostics);
  const verdict = isValid ? screen.paint.green("Valid:") : screen.paint.red("Not valid:");
  const told = diagnostics.length === 0 ? "" : `${diagnosticsText(diagnostics, screen)}\n`;
  return `${told}${verdict} ${plural(files, "file")} read${counts === "" ? "" : `, ${counts}`}.\n`;
}
