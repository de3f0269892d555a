// Reports as text, for a terminal or a log.

import { composeLog } from "../compose.ts";
import { projectsLog } from "../compose-projects.ts";
import { explainLog } from "../compose-explain.ts";
import { listLog } from "../compose-list.ts";
import { showLog } from "../compose-show.ts";
import { writtenLog } from "../compose-written.ts";
import { sentences, toned, twoColumns, type LogBlock } from "../blocks.ts";
import type { Format, RenderContext } from "../format.ts";
import { withoutCommands } from "../../domain/control-characters.ts";
import type { DoctorDocument } from "../json/schema.ts";
import type { Report } from "../report.ts";
import { line, prose } from "../spans.ts";
import { drawBlocks } from "./blocks.ts";
import { logContext } from "./findings.ts";

/** The findings of a run go to stderr, not into this text, except for those of `validate` and `check`. */
export const text: Format = (report, context) => withoutCommands(drawBlocks(logOf(report, context), context.screen));

function logOf(report: Report, context: RenderContext): LogBlock[] {
  const log = logContext(context.screen, context.origin);
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

const MARK = { ok: "✓", warning: "!", failed: "✗" } as const;
const TONE = { ok: "good", warning: "warn", failed: "bad" } as const;

function doctorLog({ checks }: DoctorDocument): LogBlock[] {
  const rows = checks.flatMap(({ name, status, message, hint }) => [
    [toned(line`${MARK[status]} ${name}`, TONE[status]), toned(prose(message))],
    ...(hint === null ? [] : [[toned([]), toned(prose(hint), "muted")]]),
  ]);
  const failed = checks.filter(({ status }) => status === "failed").length;
  const verdict = failed === 0 ? "All is well." : `${failed} of ${checks.length} checks failed.`;
  return [twoColumns(null, 0, rows), ...sentences(failed === 0 ? "good" : "bad", [line`${verdict}`])];
}
