// Reports as text, for a terminal or a log.

import { composeLog } from "../compose.ts";
import { doctorLog } from "../compose-doctor.ts";
import { projectsLog } from "../compose-projects.ts";
import { explainLog } from "../compose-explain.ts";
import { listLog } from "../compose-list.ts";
import { showLog } from "../compose-show.ts";
import { writtenLog } from "../compose-written.ts";
import type { LogBlock } from "../blocks.ts";
import type { Format, RenderContext } from "../format.ts";
import { withoutCommands } from "../../domain/control-characters.ts";
import type { Report } from "../report.ts";
import { drawBlocks } from "./blocks.ts";
import { logContext } from "./findings.ts";

/** The findings of a run go to stderr, not into this text, except for those of `validate` and `check`. */
export const text: Format = (report, context) => withoutCommands(drawBlocks(logOf(report, context), context.screen));

function logOf(report: Report, context: RenderContext): LogBlock[] {
  const log = logContext(context.screen, context);
  switch (report.of) {
    case "failure":
      return [];
    case "run":
      return composeLog(report.document, report.command, log, ["validate", "check"].includes(report.command));
    case "projects":
      return projectsLog(report, log);
    case "doctor":
      return doctorLog(report.document);
    case "list":
      return listLog(report.document, context.screen.columns);
    case "show":
      return showLog(report.document, log);
    case "written":
      return writtenLog(report.document);
    case "explain":
      return explainLog(report.document);
    default:
      return report satisfies never;
  }
}
