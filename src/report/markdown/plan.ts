// A plan in Markdown, or an apply that a brake stopped.

import type { TrippedBrake } from "../../domain/change.ts";
import { BRAKE_MARK, brakeParts, type FlagFor } from "../brakes.ts";
import { severityCounts } from "../diagnostics.ts";
import { plural } from "../counts.ts";
import type { RenderContext } from "../format.ts";
import type { HeldReport, PlanReport } from "../report.ts";
import {
  ALL_WITHHELD,
  countsText,
  NO_CHANGES,
  remarkLines,
  requestsText,
  restText,
  sinceBaseText,
} from "../plan-remarks.ts";
import { errorsBlock, safetyBlock, warningsBlock } from "./diagnostics.ts";
import { alertBlock, fixed, headBlock, type ReportBlock } from "./fit.ts";
import { code, prose } from "./inline.ts";
import { viewPlan, type ChangeView } from "../change.ts";
import { visitorHeadline } from "../headline.ts";
import { originBlock } from "./origin.ts";
import { orphansBlock, remarksBlock, unmanagedBlock, withheldBlock } from "./remarks.ts";
import { changeBlocks } from "./sections.ts";

export function planBlocks(report: PlanReport | HeldReport, context: RenderContext): ReportBlock[] {
  const { plan, problems, pace } = report;
  const items = viewPlan(plan);
  const isPlanned = plan.complete && (plan.changes.length > 0 || plan.withheld.length > 0);
  return [
    headBlock(report.of === "plan" ? "plan" : "apply", context),
    ...safetyBlock(plan.diagnostics, context),
    ...blockedBlocks(report, context),
    fixed(`${summaryText(report, items)}\n\n`),
    ...originBlock(context, isPlanned && plan.brakes.length === 0),
    ...errorsBlock(plan.diagnostics, context),
    ...changeBlocks(items, "plan", context),
    ...errorsBlock(plan.brakes.length > 0 ? [] : problems, context),
    ...warningsBlock([...plan.diagnostics, ...problems], context),
    ...withheldBlock(plan),
    ...orphansBlock(plan, context),
    ...unmanagedBlock(report.of === "plan" ? report.unmanaged : null),
    ...remarksBlock("About this plan", [
      ...remarkLines(plan, pace, true),
      ...(isPlanned
        ? [`${requestsText(plan.requests, pace)}.`]
        : [`${plural(plan.requests.read, "request")} to read.`]),
    ]),
  ];
}

/** What blocks the whole plan. */
function blockedBlocks(report: PlanReport | HeldReport, { origin }: RenderContext): ReportBlock[] {
  const { plan, problems } = report;
  if (plan.brakes.length > 0) {
    const line =
      report.of === "held"
        ? "Stopped by the brake: nothing was applied."
        : origin?.of === "request"
          ? "The brake will stop the deploy of this plan."
          : "Stopped by the brake: nothing in this plan is applied.";
    return [
      alertBlock(
        `**${line}**`,
        plan.brakes.flatMap((brake) => brakeLines(brake, report.flagFor)),
      ),
    ];
  }
  if (plan.complete) return [];
  return [alertBlock(`**Nothing was planned: ${severityCounts([...plan.diagnostics, ...problems])}.**`, [])];
}

function brakeLines(brake: TrippedBrake, flagFor: FlagFor): string[] {
  const { found, advice, key } = brakeParts(brake, flagFor, (flag) => `\`${flag}\``);
  return [`${BRAKE_MARK} ${prose(found.join(" "))}`, `${prose(advice)}${key === null ? "" : ` ${code(key)}`}`];
}

/** What breaks, first, and then the counts. */
function summaryText({ plan }: PlanReport | HeldReport, items: readonly ChangeView[]): string {
  if (!plan.complete) return "Fix the errors first.";
  const rest = prose(`${restText(plan, false)}.${sinceBaseText(plan)}`);
  if (items.length === 0 && plan.withheld.length > 0) return `**${ALL_WITHHELD}.** ${rest}`;
  if (items.length === 0) return `✅ **${NO_CHANGES}.** ${rest}`;
  const { isBad, title, about } = visitorHeadline(items, plan);
  return `${isBad ? "⛔" : "✅"} **${title}**${about}\n\n**${countsText(plan)}.** ${rest}`;
}
