// The pages of what would be done, what was done, and how live differs from what is declared.

import { hasErrors } from "../../domain/diagnostic.ts";
import {
  clicksText,
  completenessText,
  costText,
  doneText,
  hasStarted,
  EXIT_CODE_TEXT,
  nextSteps,
  verification,
} from "../../view/apply-result.ts";
import { plural, showCount } from "../../view/counts.ts";
import { differences, driftRemarks, statesText } from "../../view/drift.ts";
import type { Setting } from "../format.ts";
import { originsText } from "../../view/plan-remarks.ts";
import type { ApplyReport, DriftReport, HeldReport, PlanReport } from "../../view/report.ts";
import { viewDifference, viewPlan, viewResults, type ChangeView } from "../../view/change.ts";
import { driftSections, notAppliedSections, planSections, type ChangeSection } from "../../view/sections.ts";
import { comparedLines, remarkLines, requestsText } from "../../view/plan-remarks.ts";
import { notReviewedSection, unmanagedSection } from "./about.ts";
import { assemble } from "./assemble.ts";
import type { Heads } from "./change.ts";
import { markup, prose, type HtmlContent } from "./markup.ts";
import type { Head } from "./page.ts";
import { actionTiles, driftTiles, resultTiles } from "./tiles.ts";

const PLAN_HEADS: Heads = ["Now", "Then"];
const APPLY_HEADS: Heads = ["Before", "After"];
const DRIFT_HEADS: Heads = ["Declared", "Live"];

/** What would be done. */
export function planPage({ plan, problems, baseUrl, unmanaged, pace }: PlanReport, setting: Setting): string {
  const changes = viewPlan(plan);
  const sections = planSections(changes, "plan");
  const isRefused = plan.brakes.length > 0 || hasErrors(problems);
  const head = { of: "plan", baseUrl, ...planHead(plan, changes, sections, isRefused) };
  return assemble(
    {
      head,
      plan,
      problems: { title: "Refused by the brake: nothing of this plan is applied", those: problems },
      tiles: actionTiles(changes),
      sections,
      heads: PLAN_HEADS,
      takes: changes.length === 0 ? readText(plan) : requestsText(plan.requests, pace),
      remarks: remarkLines(plan),
      more: unmanagedSection(unmanaged),
      baseUrl,
    },
    setting,
  );
}

function planHead(
  plan: PlanReport["plan"],
  changes: readonly ChangeView[],
  sections: readonly ChangeSection[],
  isRefused: boolean,
): Pick<Head, "title" | "lead" | "tone"> {
  if (!plan.complete)
    return { title: "Nothing was planned", lead: "Errors stand in the way: they are below.", tone: "bad" };
  if (changes.length === 0)
    return plan.withheld.length > 0
      ? { title: "No changes but those left out", lead: null, tone: "warn" }
      : { title: "No changes", lead: "The account is as the files say.", tone: "good" };
  const origins = originsText(plan.summary.origins);
  const title = plural(changes.length, "change");
  return {
    title: isRefused ? `${title}, refused` : `${title} to make`,
    lead: [noticeSentence(changes, sections), origins === null ? null : ` By origin: ${origins}.`],
    tone: isRefused ? "bad" : "calm",
  };
}

function readText({ requests }: PlanReport["plan"]): string {
  return `${plural(requests.read, "request")} to read`;
}

/** What visitors will notice, first of all which short URLs they lose. */
function noticeSentence(changes: readonly ChangeView[], sections: readonly ChangeSection[]): HtmlContent {
  const noticed = changes.filter(({ isNoticed }) => isNoticed);
  const lost = sections.find(({ isBad }) => isBad);
  if (lost !== undefined) {
    const others = noticed.length - lost.single.length;
    const more = others === 0 ? null : ` Visitors will notice ${plural(others, "other change")}.`;
    return [markup`<strong class="loud">${lost.heading}.</strong>`, more];
  }
  if (noticed.length === 0) return "Visitors will notice none of it.";
  const clicks = noticed.reduce((sum, change) => sum + (change.clicks ?? 0), 0);
  const counted = clicks === 0 ? null : ` These links have ${plural(clicks, "click")} so far.`;
  const all = changes.length === 1 ? "it" : "all of them";
  const those = noticed.length === changes.length ? all : `${showCount(noticed.length)} of them`;
  return [markup`<strong>Visitors will notice ${those}.</strong>`, counted];
}

/** How live differs from what is declared. */
export function driftPage({ plan, problems, baseUrl }: DriftReport, setting: Setting): string {
  const all = differences(plan);
  const changes = all.map((change) => viewDifference(change, plan));
  const as = `${showCount(plan.summary.unchanged)} as declared.`;
  const said = !plan.complete
    ? ({ title: "Nothing was compared", lead: "Errors stand in the way: they are below.", tone: "bad" } as const)
    : all.length === 0
      ? ({ title: "Live is as declared", lead: as, tone: "good" } as const)
      : ({
          title: `Drift: ${plural(all.length, "difference")}`,
          lead: `${statesText(all)}; ${as}`,
          tone: "warn",
        } as const);
  return assemble(
    {
      head: { of: "drift", baseUrl, ...said },
      plan: { ...plan, withheld: [] },
      problems: { title: "Errors", those: problems },
      tiles: driftTiles(changes),
      sections: driftSections(changes),
      heads: DRIFT_HEADS,
      takes: readText(plan),
      remarks: driftRemarks(plan),
      more: null,
      baseUrl,
    },
    setting,
  );
}

/** What was done, or why nothing was. */
export function applyPage(report: ApplyReport | HeldReport, setting: Setting): string {
  const { plan, problems, results, saved, baseUrl } = report;
  const changes = viewResults(results, plan);
  const isHeld = report.of === "held";
  const said = report.of === "held" ? heldHead(changes) : applyHead(report);
  return assemble(
    {
      head: { of: "apply", baseUrl, ...said },
      plan,
      problems: { title: isHeld ? "Refused by the brake: nothing was applied" : "What stopped it", those: problems },
      tiles: isHeld ? actionTiles(changes) : resultTiles(changes),
      steps: isHeld || results.every(({ outcome }) => outcome === "applied") ? [] : stepsOf(report),
      sections: isHeld
        ? planSections(changes, "plan")
        : [...notAppliedSections(changes), ...planSections(changes.filter(isDone), "apply")],
      heads: isHeld ? PLAN_HEADS : APPLY_HEADS,
      takes: report.of === "held" ? readText(plan) : costText(report.ended.cost),
      remarks: [
        ...comparedLines(plan),
        ...(report.of === "held" || EXIT_CODE_TEXT[report.ended.exit] === ""
          ? []
          : [EXIT_CODE_TEXT[report.ended.exit]]),
      ],
      more: notReviewedSection(saved?.notReviewed ?? []),
      line: report.of === "held" ? null : completenessText(report),
      baseUrl,
    },
    setting,
  );
}

function isDone({ result }: ChangeView): boolean {
  return result?.status === "applied" || result?.status === "already so";
}

function heldHead(changes: readonly ChangeView[]): Pick<Head, "title" | "lead" | "tone"> {
  return { title: "Nothing was applied", lead: `The brake holds ${plural(changes.length, "change")}.`, tone: "bad" };
}

function applyHead({ results, ended, plan, saved }: ApplyReport): Pick<Head, "title" | "lead" | "tone"> {
  if (results.length === 0) {
    if (saved !== null) return { title: "No changes", lead: "The saved plan holds none.", tone: "good" };
    return plan.withheld.length > 0
      ? { title: "No changes but those left out", lead: null, tone: "warn" }
      : { title: "No changes", lead: "The account is as the files say.", tone: "good" };
  }
  const done = doneText(results);
  const clicks = clicksText(ended);
  if (results.every(({ outcome }) => outcome === "applied")) {
    const { isWell, verified, look } = verification(results, ended);
    return {
      title: "Done",
      lead: prose([`${done}${verified}.`, ...clicks, ...look].join(" ")),
      tone: isWell ? "good" : "warn",
    };
  }
  const made = done === "" ? [] : [`${done}.`];
  return {
    title: hasStarted(ended) ? "Not all was done" : "Nothing was applied",
    lead: [...made, ...clicks].join(" "),
    tone: "bad",
  };
}

function stepsOf(report: ApplyReport | HeldReport): string[] {
  return report.of === "held" ? [] : nextSteps(report.results, report.ended);
}
