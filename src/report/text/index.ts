// Reports as text, for a terminal or a log.

import { composeLog } from "../compose.ts";
import { doctorLog } from "../compose-doctor.ts";
import { projectsLog } from "../compose-projects.ts";
import { explainLog } from "../compose-explain.ts";
import { listLog } from "../compose-list.ts";
import { showLog } from "../compose-show.ts";
import { writtenLog } from "../compose-written.ts";
import type { Format, RenderContext } from "../format.ts";
import { commandOfRun, runDocument, writtenDocument } from "../run-document.ts";
import { withoutCommands } from "../../domain/control-characters.ts";
import { isRunReport, type Report } from "../report.ts";
import { drawBlocks } from "./blocks.ts";
import { logContext, validateText } from "./findings.ts";

/** The findings of a run go to stderr, not into this text, except for those of `validate`. */
export const text: Format = (report, context) => withoutCommands(reportText(report, context));

function reportText(report: Report, context: RenderContext): string {
  const { screen } = context;
  if (report.of === "failure") return "";
  if (report.of === "validate") return validateText(report, context);
  if (isRunReport(report)) {
    return drawBlocks(
      composeLog(runDocument(report), commandOfRun(report), logContext(screen, context), report.of === "check"),
      screen,
    );
  }
  switch (report.of) {
    case "doctor":
      return drawBlocks(doctorLog(report.document), screen);
    case "projects":
      return drawBlocks(projectsLog(report, logContext(screen, context)), screen);
    case "list":
      return drawBlocks(listLog(report.document, screen.columns), screen);
    case "show":
      return drawBlocks(showLog(report.document, logContext(screen, context)), screen);
    case "written":
      return drawBlocks(writtenLog(writtenDocument(report)), screen);
    case "explain":
      return drawBlocks(explainLog(report.document), screen);
    default:
      return report satisfies never;
  }
}
