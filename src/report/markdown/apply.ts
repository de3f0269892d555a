// The result of an apply in Markdown.

import { changeNames, plural, showCount, type NameOf } from "../counts.ts";
import {
  applyHeadline,
  completenessText,
  costText,
  exitCodeText,
  groupByReason,
  groupNotApplied,
  headlineText,
  nextSteps,
  NOT_APPLIED_HEADINGS,
  type NotAppliedGroup,
  type ReasonGroup,
} from "../apply-result.ts";
import type { RenderContext } from "../format.ts";
import type { ApplyReport } from "../report.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, headBlock, shrinking, type ReportBlock } from "./fit.ts";
import { code, link, listItems, placeText, prose } from "./inline.ts";
import { viewDocument } from "../change.ts";
import { reportedResults } from "../change-document.ts";
import { originBlock } from "./origin.ts";
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
    summaryBlock(report),
    ...originBlock(context, false),
    ...completenessBlock(report),
    ...undoBlock(report, context),
    ...errorsBlock([...problems, ...plan.diagnostics], context),
    ...left.map((so) => leftBlock(so, changeNames(results), context)),
    ...stepsBlock(steps),
    ...changeBlocks(reportedResults(made, plan).map(viewDocument), "apply", context),
    ...notReviewedBlock(saved),
    ...warningsBlock([...problems, ...plan.diagnostics], context),
    ...withheldBlock(plan),
    ...remarksBlock("About this run", [costText(ended.cost, true), ...exitCodeText(ended)]),
  ];
}

/** Without changes, only good news has a mark. */
const TONE_MARK: Readonly<Record<"good" | "warn", string>> = { good: "✅ ", warn: "⚠️ " };

function summaryBlock(report: ApplyReport): ReportBlock {
  const headline = applyHeadline(report);
  const { tone, title, about, more } = headline;
  if (report.results.length === 0)
    return fixed(about === "" ? `**${title}.**\n\n` : `${TONE_MARK.good}**${title}:** ${about}.\n\n`);
  const line = `**${headlineText(headline)}**`;
  if (tone === "bad") return alertBlock(line, more);
  return fixed(`${TONE_MARK[tone]}${[line, ...more.map(prose)].join(" ")}\n\n`);
}

/** What is missing for a complete run, or where the base is now. */
function completenessBlock(report: ApplyReport): ReportBlock[] {
  const line = completenessText(report);
  return line === null ? [] : [fixed(`${report.movedBase === undefined ? "⚠️ " : ""}${prose(line)}\n\n`)];
}

/** How to revert the run. In CI, the receipt is a file of the job, which people have to download. */
function undoBlock({ receipt }: ApplyReport, { runUrl }: RenderContext): ReportBlock[] {
  if (receipt === undefined) return [];
  if (runUrl === null) return [fixed(`To undo this run: ${code(receipt.undo)}\n\n`)];
  const name = receipt.file.split(/[/\\]/).at(-1) ?? receipt.file;
  const run = link("the page of this run", runUrl);
  return [fixed(`To undo this run, download ${code(name)} from ${run}, and run ${code(`linkform undo ${name}`)}.\n\n`)];
}

/** Changes that were not made, grouped by reason. */
function leftBlock({ status: how, changes }: NotAppliedGroup, nameOf: NameOf, context: RenderContext): ReportBlock {
  const groups = groupByReason(changes);
  const heading = `### ${NOT_APPLIED_HEADINGS[how]} ${plural(changes.length, "change")}\n\n`;
  const text = (max: number, keys: number): string => {
    const lines = groups.slice(0, max).map((group) => groupText(group, keys, nameOf, context));
    const rest = groups.slice(max).reduce((count, group) => count + group.changes.length, 0);
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

function groupText({ changes, reason }: ReasonGroup, max: number, nameOf: NameOf, context: RenderContext): string {
  const named = changes.slice(0, max).map((one) => {
    const { action, kind, error } = one;
    const where = error === null ? "" : ` (${placeText(error, context)})`;
    return `${action} ${kind} ${code(nameOf(one))}${where}`;
  });
  const rest = changes.length - named.length;
  const list = `- ${named.join(", ")}${rest === 0 ? "" : `, … and ${showCount(rest)} more like these`}\n`;
  if (reason === null) return list;
  const { message, hint } = reason;
  return `${list}  - Why: ${prose(message)}\n${hint === null ? "" : `  - → ${prose(hint)}\n`}`;
}

function stepsBlock(steps: readonly string[]): ReportBlock[] {
  if (steps.length === 0) return [];
  return [
    shrinking([129, () => `### Next steps\n\n${steps.map((step, at) => `${at + 1}. ${prose(step)}\n`).join("")}\n`]),
  ];
}

/** Changes in the files that the saved plan does not contain. */
function notReviewedBlock(saved: ApplyReport["saved"]): ReportBlock[] {
  if (saved === null || saved.notReviewed.length === 0) return [];
  const { notReviewed } = saved;
  const heading = `### Not reviewed, left for the next plan: ${plural(notReviewed.length, "change")}\n\n`;
  const list = (max: number): string =>
    heading + listItems(notReviewed, max, ({ action, kind, key }) => `- ${action} ${kind} ${code(key)}\n`);
  return [shrinking([27, () => list(100)], [47, () => list(25)], [87, () => list(5)], [109, () => heading])];
}
