// The result of an apply in Markdown.

import { changeNames, showCount, type NameOf } from "../../view/counts.ts";
import {
  groupByError,
  clicksText,
  commonMessage,
  completenessText,
  costText,
  doneText,
  NOT_APPLIED_HEADINGS,
  groupNotApplied,
  EXIT_CODE_TEXT,
  partialResultText,
  nextSteps,
  verification,
  type ChangeOutcome,
  type NotAppliedGroup,
} from "../../view/apply-result.ts";
import type { RenderContext } from "../format.ts";
import type { ApplyReport } from "../../view/report.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, headBlock, shrinking, type ReportBlock } from "./fit.ts";
import { code, placeText, prose } from "./inline.ts";
import { viewResults } from "../../view/change.ts";
import { remarksBlock, withheldBlock } from "./remarks.ts";
import { changeBlocks } from "./sections.ts";

export function applyBlocks(report: ApplyReport, context: RenderContext): ReportBlock[] {
  const { plan, problems, results, saved, ended } = report;
  const left = groupNotApplied(results);
  const made = results.filter(({ outcome, already_so }) => outcome === "applied" && already_so !== true);
  const steps = left.length === 0 ? [] : nextSteps(results, ended);
  return [
    headBlock("apply", context),
    ...safetyBlock(plan.diagnostics, context),
    ...summaryBlocks(report, left),
    ...completenessBlock(report),
    ...errorsBlock([...problems, ...plan.diagnostics], context),
    ...left.map((so) => leftBlock(so, changeNames(results), context)),
    ...stepsBlock(steps),
    ...changeBlocks(viewResults(made, plan), "apply", context),
    ...notReviewedBlock(saved),
    ...warningsBlock([...problems, ...plan.diagnostics], context),
    ...withheldBlock(plan),
    ...remarksBlock("About this run", [
      costText(ended.cost),
      ...(EXIT_CODE_TEXT[ended.exit] === "" ? [] : [EXIT_CODE_TEXT[ended.exit]]),
    ]),
  ];
}

function summaryBlocks({ results, ended, saved, plan }: ApplyReport, left: readonly NotAppliedGroup[]): ReportBlock[] {
  if (results.length === 0) {
    if (saved !== null) return [fixed("✅ **No changes:** the saved plan holds none.\n\n")];
    if (plan.withheld.length > 0) return [fixed("**No changes but those left out.**\n\n")];
    return [fixed("✅ **No changes:** the account is as the files say.\n\n")];
  }
  const clicks = clicksText(ended);
  if (left.length > 0) return [alertBlock(`**${partialResultText(results, left, ended)}**`, clicks)];
  const { isWell, verified, look } = verification(results, ended);
  const head = `**Done: ${doneText(results)}${verified}.**`;
  const rest = [...clicks, ...look.map(prose)].map((text) => ` ${text}`).join("");
  return [fixed(`${isWell ? "✅" : "⚠️"} ${head}${rest}\n\n`)];
}

/** What the run has left undone, or where the base is now. */
function completenessBlock(report: ApplyReport): ReportBlock[] {
  const line = completenessText(report);
  return line === null ? [] : [fixed(`${report.movedBase === undefined ? "⚠️ " : ""}${prose(line)}\n\n`)];
}

/** Changes that were not made, grouped by reason. */
function leftBlock({ status: how, changes }: NotAppliedGroup, nameOf: NameOf, context: RenderContext): ReportBlock {
  const groups = groupByError(changes);
  const heading = `### ${NOT_APPLIED_HEADINGS[how].replace(/:$/, "")}: ${showCount(changes.length)}\n\n`;
  const text = (max: number, keys: number): string => {
    const lines = groups.slice(0, max).map((group) => groupText(group, keys, nameOf, context));
    const rest = groups.slice(max).reduce((count, group) => count + group.length, 0);
    return `${heading}${lines.join("")}${rest === 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
  };
  const weight = how === "failed" ? 8 : 0;
  return shrinking(
    [57 + weight, () => text(50, 100)],
    [77 + weight, () => text(10, 10)],
    [107 + weight, () => text(3, 3)],
    [119 + weight, () => heading],
  );
}

function groupText(group: readonly ChangeOutcome[], max: number, nameOf: NameOf, context: RenderContext): string {
  const [first] = group;
  const named = group.slice(0, max).map((one) => {
    const { action, kind, error } = one;
    const where = error === null ? "" : ` (${placeText(error, context)})`;
    return `${action} ${kind} ${code(nameOf(one))}${where}`;
  });
  const rest = group.length - named.length;
  const list = `- ${named.join(", ")}${rest === 0 ? "" : `, … and ${showCount(rest)} more like these`}\n`;
  if (first === undefined || first.error === null) return list;
  const { message, hint } = first.error;
  const why = prose(group.length === 1 ? message : commonMessage(first.key, message));
  return `${list}  - Why: ${why}\n${hint === null ? "" : `  - → ${prose(hint)}\n`}`;
}

function stepsBlock(steps: readonly string[]): ReportBlock[] {
  if (steps.length === 0) return [];
  return [
    shrinking([
      129,
      () => `### What to do now\n\n${steps.map((step, at) => `${at + 1}. ${prose(step)}\n`).join("")}\n`,
    ]),
  ];
}

/** Changes in the files that the saved plan does not contain. */
function notReviewedBlock(saved: ApplyReport["saved"]): ReportBlock[] {
  if (saved === null || saved.notReviewed.length === 0) return [];
  const { notReviewed } = saved;
  const heading = `### Not reviewed, so left for the next plan: ${showCount(notReviewed.length)}\n\n`;
  const list = (max: number): string => {
    const lines = notReviewed.slice(0, max).map(({ action, kind, key }) => `- ${action} ${kind} ${code(key)}\n`);
    const rest = notReviewed.length - lines.length;
    return `${heading}${lines.join("")}${rest <= 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
  };
  return [shrinking([27, () => list(100)], [47, () => list(25)], [87, () => list(5)], [109, () => heading])];
}
