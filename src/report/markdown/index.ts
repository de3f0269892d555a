// Reports as Markdown for comments and summaries, within a maximum length and with quoted text inert.

import { severityCounts, validateSummary } from "../diagnostics.ts";
import { differences, driftRemarks, matchText, NO_DRIFT, statesText } from "../drift.ts";
import type { Format, RenderContext } from "../format.ts";
import {
  isPlainReport,
  NOTHING_DONE,
  type DriftReport,
  type FailureReport,
  type Report,
  type ValidateReport,
} from "../report.ts";
import { applyBlocks } from "./apply.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fit, fixed, headBlock, type ReportBlock } from "./fit.ts";

import { viewDocument } from "../change.ts";
import { reportedDifference } from "../change-document.ts";
import { planBlocks } from "./plan.ts";
import { projectsBlocks } from "./projects.ts";
import { remarksBlock } from "./remarks.ts";
import { driftBlocks } from "./sections.ts";

export const markdown: Format = {
  render: (report, context) => {
    const { again, blocks } = blocksOf(report, context);
    return fit(blocks, context, again);
  },
};

function blocksOf(
  report: Report,
  context: RenderContext,
): { readonly again: string | null; readonly blocks: readonly ReportBlock[] } {
  if (isPlainReport(report)) return { again: null, blocks: [] };
  switch (report.of) {
    case "validate":
      return { again: "validate", blocks: validateBlocks(report, context) };
    case "plan":
      return { again: "plan", blocks: planBlocks(report, context) };
    case "held":
      return { again: "plan", blocks: planBlocks(report, context) };
    case "apply":
      return { again: null, blocks: applyBlocks(report, context) };
    case "drift":
      return { again: "drift", blocks: differenceBlocks(report, context) };
    case "failure":
      return { again: report.command === "apply" ? null : report.command, blocks: failureBlocks(report, context) };
    case "projects":
      return { again: report.command === "apply" ? null : report.command, blocks: projectsBlocks(report, context) };
    default:
      return report satisfies never;
  }
}

function validateBlocks(report: ValidateReport, context: RenderContext): ReportBlock[] {
  const { diagnostics, isValid } = report;
  const counted = validateSummary(report);
  return [
    headBlock("validate", context),
    ...safetyBlock(diagnostics, context),
    isValid ? fixed(`✅ **Valid:** ${counted}\n\n`) : alertBlock(`**Not valid:** ${counted}`, []),
    ...errorsBlock(diagnostics, context),
    ...warningsBlock(diagnostics, context),
  ];
}

function differenceBlocks({ plan, problems }: DriftReport, context: RenderContext): ReportBlock[] {
  const all = differences(plan);
  const diagnostics = [...plan.diagnostics, ...problems];
  const rest = matchText(plan);
  const summary = plan.complete
    ? fixed(all.length === 0 ? `✅ **${NO_DRIFT}.** ${rest}\n\n` : `⚠️ **Drift: ${statesText(all)}.** ${rest}\n\n`)
    : alertBlock(`**Nothing was compared: ${severityCounts(diagnostics)}.**`, []);
  return [
    headBlock("drift", context),
    summary,
    ...errorsBlock(diagnostics, context),
    ...driftBlocks(
      all.map((change) => viewDocument(reportedDifference(change, plan))),
      context,
    ),
    ...warningsBlock(diagnostics, context),
    ...remarksBlock("About this comparison", driftRemarks(plan, true)),
  ];
}

function failureBlocks({ command, diagnostics }: FailureReport, context: RenderContext): ReportBlock[] {
  const counts = severityCounts(diagnostics);
  return [
    headBlock(command, context),
    ...safetyBlock(diagnostics, context),
    alertBlock(`**${NOTHING_DONE[command]}${counts === "" ? "" : `: ${counts}`}.**`, []),
    ...errorsBlock(diagnostics, context),
    ...warningsBlock(diagnostics, context),
  ];
}
