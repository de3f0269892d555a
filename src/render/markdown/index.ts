// Every report as markdown, for comments and summaries: it fits a budget, and nothing that it quotes is obeyed.

import { severityCounts } from "../../view/diagnostics.ts";
import { plural, showCount } from "../../view/counts.ts";
import { differences, driftRemarks, statesText } from "../../view/drift.ts";
import type { Format, Setting } from "../format.ts";
import {
  isPlainReport,
  NOTHING_DONE,
  type DriftReport,
  type FailureReport,
  type Report,
  type ValidateReport,
} from "../../view/report.ts";
import { applyBlocks } from "./apply.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fit, fixed, headBlock, type ReportBlock } from "./fit.ts";

import { viewDifference } from "../../view/change.ts";
import { planBlocks } from "./plan.ts";
import { remarksBlock } from "./remarks.ts";
import { driftBlocks } from "./sections.ts";

export const markdown: Format = {
  render: (report, setting) => {
    const { again, blocks } = tell(report, setting);
    return fit(blocks, setting, again);
  },
};

function tell(
  report: Report,
  setting: Setting,
): { readonly again: string | null; readonly blocks: readonly ReportBlock[] } {
  if (isPlainReport(report)) return { again: null, blocks: [] };
  switch (report.of) {
    case "validate":
      return { again: "validate", blocks: validateBlocks(report, setting) };
    case "plan":
      return { again: "plan", blocks: planBlocks(report, setting) };
    case "held":
      return { again: "plan", blocks: planBlocks(report, setting) };
    case "apply":
      return { again: null, blocks: applyBlocks(report, setting) };
    case "drift":
      return { again: "drift", blocks: differenceBlocks(report, setting) };
    case "failure":
      return { again: report.command === "apply" ? null : report.command, blocks: failureBlocks(report, setting) };
    default:
      return report satisfies never;
  }
}

function validateBlocks({ diagnostics, isValid, files }: ValidateReport, setting: Setting): ReportBlock[] {
  const counts = severityCounts(diagnostics);
  const told = `${plural(files, "file")} read${counts === "" ? "" : `, ${counts}`}.`;
  return [
    headBlock("validate", setting),
    ...safetyBlock(diagnostics, setting),
    isValid ? fixed(`✅ **Valid:** ${told}\n\n`) : alertBlock(`**Not valid:** ${told}`, []),
    ...errorsBlock(diagnostics, setting),
    ...warningsBlock(diagnostics, setting),
  ];
}

function differenceBlocks({ plan, problems }: DriftReport, setting: Setting): ReportBlock[] {
  const all = differences(plan);
  const diagnostics = [...plan.diagnostics, ...problems];
  const rest = `${showCount(plan.summary.unchanged)} as declared.`;
  const summary = plan.complete
    ? fixed(
        all.length === 0 ? `✅ **Live is as declared.** ${rest}\n\n` : `⚠️ **Drift: ${statesText(all)}.** ${rest}\n\n`,
      )
    : alertBlock(`**Nothing was compared: ${severityCounts(diagnostics)}.**`, []);
  return [
    headBlock("drift", setting),
    summary,
    ...errorsBlock(diagnostics, setting),
    ...driftBlocks(
      all.map((change) => viewDifference(change, plan)),
      setting,
    ),
    ...warningsBlock(diagnostics, setting),
    ...remarksBlock("About this comparison", driftRemarks(plan)),
  ];
}

function failureBlocks({ command, diagnostics }: FailureReport, setting: Setting): ReportBlock[] {
  const counts = severityCounts(diagnostics);
  return [
    headBlock(command, setting),
    ...safetyBlock(diagnostics, setting),
    alertBlock(`**${NOTHING_DONE[command]}${counts === "" ? "" : `: ${counts}`}.**`, []),
    ...errorsBlock(diagnostics, setting),
    ...warningsBlock(diagnostics, setting),
  ];
}
