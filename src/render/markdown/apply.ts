// An apply in markdown: what failed and why, what to do now, and what was done.

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
import type { Setting } from "../format.ts";
import type { ApplyReport } from "../../view/report.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, headBlock, texts, type ReportBlock } from "./fit.ts";
import { code, prose } from "./inline.ts";
import { viewResults } from "../../view/change.ts";
import { placeText } from "./place.ts";
import { remarksBlock, withheldBlock } from "./remarks.ts";
import { changeBlocks } from "./sections.ts";

/** The blocks of an apply. */
export function applyBlocks(report: ApplyReport, setting: Setting): ReportBlock[] {
  const { plan, problems, results, saved, ended } = report;
  const left = groupNotApplied(results);
  const made = results.filter(({ outcome, already_so }) => outcome === "applied" && already_so !== true);
  const steps = left.length === 0 ? [] : nextSteps(results, ended);
  return [
    headBlock("apply", setting),
    ...safetyBlock(plan.diagnostics, setting),
    ...summaryBlocks(report, left),
    ...completenessBlock(report),
    ...errorsBlock([...problems, ...plan.diagnostics], setting),
    ...left.map((so) => leftBlock(so, changeNames(results), setting)),
    ...stepsBlock(steps),
    ...changeBlocks(viewResults(made, plan), "apply", setting),
    ...notReviewedBlock(saved),
    ...warningsBlock([...problems, ...plan.diagnostics], setting),
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

/** What was left in one way; those alike stand together, with their reason said once. */
function leftBlock({ status: how, changes }: NotAppliedGroup, nameOf: NameOf, setting: Setting): ReportBlock {
  const groups = groupByError(changes);
  const heading = `### ${NOT_APPLIED_HEADINGS[how].replace(/:$/, "")}: ${showCount(changes.length)}\n\n`;
  const text = (most: number, keys: number): string => {
    const lines = groups.slice(0, most).map((group) => groupText(group, keys, nameOf, setting));
    const rest = groups.slice(most).reduce((count, group) => count + group.length, 0);
    return `${heading}${lines.join("")}${rest === 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
  };
  const weight = how === "failed" ? 8 : 0;
  return texts(
    [57 + weight, () => text(50, 100)],
    [77 + weight, () => text(10, 10)],
    [107 + weight, () => text(3, 3)],
    [119 + weight, () => heading],
  );
}

function groupText(group: readonly ChangeOutcome[], most: number, nameOf: NameOf, setting: Setting): string {
  const [first] = group;
  const named = group.slice(0, most).map((one) => {
    const { action, kind, error } = one;
    const where = error === null ? "" : ` (${placeText(error, setting)})`;
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
    texts([129, () => `### What to do now\n\n${steps.map((step, at) => `${at + 1}. ${prose(step)}\n`).join("")}\n`]),
  ];
}

/** What the files ask for now and the saved plan does not hold. */
function notReviewedBlock(saved: ApplyReport["saved"]): ReportBlock[] {
  if (saved === null || saved.notReviewed.length === 0) return [];
  const { notReviewed } = saved;
  const heading = `### Not reviewed, so left for the next plan: ${showCount(notReviewed.length)}\n\n`;
  const list = (most: number): string => {
    const lines = notReviewed.slice(0, most).map(({ action, kind, key }) => `- ${action} ${kind} ${code(key)}\n`);
    const rest = notReviewed.length - lines.length;
    return `${heading}${lines.join("")}${rest <= 0 ? "" : `- … and ${showCount(rest)} more\n`}\n`;
  };
  return [texts([27, () => list(100)], [47, () => list(25)], [87, () => list(5)], [109, () => heading])];
}
