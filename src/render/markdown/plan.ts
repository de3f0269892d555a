// A plan in markdown, and an apply that a brake kept from beginning.

import type { TrippedBrake } from "../../domain/change.ts";
import { BRAKE_MARK, brakeParts, type FlagFor } from "../../view/brakes.ts";
import { severityCounts } from "../../view/diagnostics.ts";
import { plural } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import type { HeldReport, PlanReport } from "../../view/report.ts";
import { countsText, requestsText, restText } from "../../view/plan-remarks.ts";
import { remarkLines } from "../../view/plan-remarks.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, headBlock, type ReportBlock } from "./fit.ts";
import { code, prose } from "./inline.ts";
import { viewPlan, type ChangeView } from "../../view/change.ts";
import { clicksOf } from "../../view/sections.ts";
import { orphansBlock, remarksBlock, unmanagedBlock, withheldBlock } from "./remarks.ts";
import { changeBlocks } from "./sections.ts";

/** The blocks of a plan. */
export function planBlocks(report: PlanReport | HeldReport, setting: Setting): ReportBlock[] {
  const { plan, problems, pace } = report;
  const items = viewPlan(plan);
  const isTold = plan.complete && (plan.changes.length > 0 || plan.withheld.length > 0);
  return [
    headBlock(report.of === "plan" ? "plan" : "apply", setting),
    ...safetyBlock(plan.diagnostics, setting),
    ...warned(report),
    fixed(`${summaryText(report, items)}\n\n`),
    ...errorsBlock(plan.diagnostics, setting),
    ...changeBlocks(items, "plan", setting),
    ...errorsBlock(plan.brakes.length > 0 ? [] : problems, setting),
    ...warningsBlock([...plan.diagnostics, ...problems], setting),
    ...withheldBlock(plan),
    ...orphansBlock(plan, setting),
    ...unmanagedBlock(report.of === "plan" ? report.unmanaged : null),
    ...remarksBlock("About this plan", [
      ...remarkLines(plan),
      ...(isTold ? [`${requestsText(plan.requests, pace)}.`] : [`${plural(plan.requests.read, "request")} to read.`]),
    ]),
  ];
}

/** What keeps all of it from being done. */
function warned(report: PlanReport | HeldReport): ReportBlock[] {
  const { plan, problems } = report;
  if (plan.brakes.length > 0) {
    const [line, flagFor] =
      report.of === "plan"
        ? (["Refused by the brake: nothing of this plan is applied.", "this run"] as const)
        : (["Stopped by the brake: nothing was applied.", report.flagFor] as const);
    return [
      alertBlock(
        `**${line}**`,
        plan.brakes.flatMap((brake) => brakeLines(brake, flagFor)),
      ),
    ];
  }
  if (plan.complete) return [];
  return [alertBlock(`**Nothing was planned: ${severityCounts([...plan.diagnostics, ...problems])}.**`, [])];
}

function brakeLines(brake: TrippedBrake, flagFor: FlagFor): string[] {
  const { found, advice, key } = brakeParts(brake, flagFor);
  return [`${BRAKE_MARK} ${prose(found)}`, `${prose(advice)} ${code(key)}`];
}

/** One line that says it all. */
function summaryText({ plan }: PlanReport | HeldReport, items: readonly ChangeView[]): string {
  if (!plan.complete) return "The errors must be mended first.";
  const rest = `${prose(restText(plan))}.`;
  if (items.length === 0 && plan.withheld.length > 0) return `**No changes but those left out.** ${rest}`;
  if (items.length === 0) return `✅ **No changes.** ${rest}`;
  const lost = items.filter((item) => item.lost !== null);
  const clicks = clicksOf(lost);
  const ends =
    lost.length === 0
      ? ""
      : ` ⛔ **${plural(lost.length, "short URL")} stop${lost.length === 1 ? "s" : ""} working as before**${clicks === "" ? "." : ` (${clicks} so far).`}`;
  return `**${countsText(plan)}.**${ends} ${rest}`;
}
