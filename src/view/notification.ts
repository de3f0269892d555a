// The short message about a run for a chat: the result, what breaks, and where to read more. It contains no destinations and no values.

import { applyHeadline, headlineText } from "./apply-result.ts";
import { viewResults } from "./change.ts";
import { capital, plural } from "./counts.ts";
import { severityCounts } from "./diagnostics.ts";
import { differences, statesText } from "./drift.ts";
import { isFailed, totalsText } from "./projects.ts";
import { NOTHING_DONE, type ApplyReport, type Report } from "./report.ts";
import { clicksOf } from "./sections.ts";

/** Where the run happened. */
export interface NotificationContext {
  /** The path of the project; empty for a run of several projects. */
  readonly project: string;
  readonly runUrl: string | null;
}

/** The text of a notification; null if nothing happened that people should know about. */
export function notificationText(report: Report, { project, runUrl }: NotificationContext): string | null {
  const found = linesOf(report);
  if (found === null) return null;
  const { command, lines } = found;
  const [first = "", ...more] = lines;
  const name = project === "" ? "" : ` ${project}`;
  return [`linkform ${command}${name}: ${first}`, ...more, ...(runUrl === null ? [] : [runUrl])].join("\n");
}

interface Found {
  readonly command: string;
  readonly lines: readonly string[];
}

function linesOf(report: Report): Found | null {
  switch (report.of) {
    case "apply":
      return applied(report);
    case "held":
      return { command: "apply", lines: ["Stopped by the brake: nothing was applied."] };
    case "drift": {
      const changes = differences(report.plan);
      return changes.length === 0 ? null : { command: "drift", lines: [`${capital(statesText(changes))}.`] };
    }
    case "failure": {
      const { command, diagnostics } = report;
      if (command !== "apply" && command !== "undo" && command !== "drift") return null;
      return { command, lines: [`${NOTHING_DONE[command]}: ${severityCounts(diagnostics)}.`] };
    }
    case "projects": {
      const { totals, breaks } = totalsText(report);
      const failed = report.sections.filter(isFailed).length;
      const isQuiet = failed === 0 && report.sections.every(({ document }) => (document.changes ?? []).length === 0);
      if (isQuiet || (report.command !== "apply" && report.command !== "drift")) return null;
      const failures = failed === 0 ? [] : [`${plural(failed, "project")} failed.`];
      return { command: report.command, lines: [totals, ...(breaks === null ? [] : [breaks]), ...failures] };
    }
    case "validate":
    case "plan":
    case "doctor":
    case "written":
    case "list":
    case "show":
    case "explain":
      return null;
    default:
      return report satisfies never;
  }
}

function applied(report: ApplyReport): Found | null {
  const { results, plan, ended, receipt } = report;
  if (results.length === 0) return null;
  const made = results.filter(({ outcome, already_so: isOld }) => outcome === "applied" && isOld !== true);
  const lost = viewResults(made, plan).filter((change) => change.lost !== null);
  const clicks = clicksOf(lost);
  const breaks = `${plural(lost.length, "short URL")} stopped working${clicks === "" ? "" : ` (${clicks} so far)`}.`;
  return {
    command: ended.isUndo === true ? "undo" : "apply",
    lines: [
      headlineText(applyHeadline(report)),
      ...(lost.length === 0 ? [] : [breaks]),
      ...(receipt === undefined ? [] : [`To undo: ${receipt.undo}`]),
    ],
  };
}
