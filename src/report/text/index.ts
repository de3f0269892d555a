// Reports as text, for a terminal or a log.

import { composeLog } from "../compose.ts";
import { projectsLog } from "../compose-projects.ts";
import { explainText } from "./explain.ts";
import type { Format, RenderContext } from "../format.ts";
import { commandOfRun, runDocument } from "../json/index.ts";
import { listText } from "./list.ts";
import { visible, withoutCommands } from "../../domain/control-characters.ts";
import { splitIdentical } from "../../domain/diagnostic.ts";
import { isRunReport, type Check, type Report } from "../report.ts";
import { drawBlocks } from "./blocks.ts";
import { logContext } from "./log.ts";
import type { Screen } from "./screen.ts";
import { showText } from "./show.ts";
import { wrap } from "./width.ts";
import { writtenText } from "./written.ts";

/** The findings of a run go to stderr, not into this text, except for those of `validate`. */
export const text: Format = { render: (report, context) => withoutCommands(textOf(report, context)) };

function textOf(report: Report, context: RenderContext): string {
  const { screen } = context;
  if (report.of === "failure") return "";
  if (isRunReport(report)) {
    const isChecked = report.of === "validate";
    // The document has only the first places of a finding.
    const whole =
      report.of === "validate" && screen.isVerbose === true
        ? { ...report, diagnostics: splitIdentical(report.diagnostics) }
        : report;
    return drawBlocks(
      composeLog(runDocument(whole), commandOfRun(report), logContext(screen, context), isChecked),
      screen,
    );
  }
  switch (report.of) {
    case "doctor":
      return checksText(report.checks, screen);
    case "projects":
      return drawBlocks(projectsLog(report, logContext(screen, context)), screen);
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
