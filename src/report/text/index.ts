// Reports as text, for a terminal or a log.

import { composeLog } from "../compose.ts";
import { projectsLog } from "../projects.ts";
import { explainLog } from "../compose-explain.ts";
import { listLog, showLog } from "../compose-inspect.ts";
import { writtenLog } from "../compose-written.ts";
import { sentences, toned, twoColumns, line, prose, type LogBlock } from "../blocks.ts";
import type { Format, RenderContext, Report } from "../format.ts";
import { visible, withoutCommands } from "../../domain/control-characters.ts";
import type { DoctorDocument } from "../json/schema.ts";
import type { PlannedReport } from "../document.ts";
import { plannedDocument } from "../run-document.ts";
import { idText } from "../compose-changes.ts";
import type { Outcome } from "../../apply/outcome.ts";
import { PAST_TENSE, type Plan } from "../../domain/change.ts";
import { drawBlocks, logContext } from "./blocks.ts";
import { wrap, type Screen } from "./screen.ts";

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

const LOOKS = { ok: ["✓", "good"], warning: ["!", "warn"], failed: ["✗", "bad"] } as const;

function doctorLog({ checks }: DoctorDocument): LogBlock[] {
  const rows = checks.flatMap(({ name, status, message, hint }) => {
    const [mark, tone] = LOOKS[status];
    const advice = hint === null ? [] : [[toned([]), toned(prose(hint), "muted")]];
    return [[toned(line`${mark} ${name}`, tone), toned(prose(message))], ...advice];
  });
  const failed = checks.filter(({ status }) => status === "failed").length;
  const verdict = failed === 0 ? "All is well." : `${failed} of ${checks.length} checks failed.`;
  return [twoColumns(null, 0, rows), ...sentences(failed === 0 ? "good" : "bad", [line`${verdict}`])];
}

/** Without its findings. The last line has the counts. */
export function planText(plan: Plan, screen: Screen, about: Partial<PlannedReport> = {}): string {
  const document = plannedDocument({ plan, problems: [], baseUrl: "", ...about });
  const command = about.undo === undefined ? "plan" : "undo";
  return drawBlocks(composeLog(document, command, logContext(screen), false), screen);
}

/** Printed as soon as it is known. Changes that were not started are left to the result, because there can be many. */
export function outcomeText(outcome: Outcome, { paint, columns }: Screen): string {
  const { change } = outcome;
  const { action, kind, key } = change;
  const what = `${kind} ${visible(key)}${change.action === "delete" ? idText({ id: change.live.id, key }) : ""}`;
  if (outcome.outcome === "applied") return `${paint.green("✓")} ${PAST_TENSE[action]} ${what}\n`;
  if (outcome.outcome === "skipped" && outcome.code !== "moved") return "";
  const [head, why] =
    outcome.outcome === "failed"
      ? [`${paint.red("✗")} ${action} ${what} failed:`, outcome.failure.message]
      : [`${paint.yellow("·")} ${action} ${what} skipped:`, outcome.because];
  return `${wrap(`${head} ${visible(why)}`, columns, 4, 0)}\n`;
}
