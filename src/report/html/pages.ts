// The page of each report: plan, drift, apply, validate and failure.

import { hasErrors } from "../../domain/diagnostic.ts";
import { applyHeadline, completenessText, costText, doneText, exitCodeText, nextSteps } from "../apply-result.ts";
import { capital, plural, showCount } from "../counts.ts";
import { differences, driftRemarks, matchText, NO_DRIFT, statesText } from "../drift.ts";
import type { RenderContext } from "../format.ts";
import {
  ALL_WITHHELD,
  comparedLines,
  NO_BASE,
  NO_CHANGES,
  remarkLines,
  requestsText,
  originsSentence,
} from "../plan-remarks.ts";
import {
  NOTHING_DONE,
  type ApplyReport,
  type DriftReport,
  type FailureReport,
  type HeldReport,
  type PlanReport,
  type ValidateReport,
} from "../report.ts";
import { viewDocument, viewPlan, type ChangeView } from "../change.ts";
import { reportedDifference, reportedResults } from "../change-document.ts";
import { driftSections, notAppliedSections, planSections, type ChangeSection } from "../sections.ts";
import {
  actionTiles,
  banner,
  changePage,
  driftTiles,
  notReviewedSection,
  resultTiles,
  unmanagedSection,
} from "./change-page.ts";
import type { SideHeads } from "./change.ts";
import { markup, prose, type HtmlContent } from "./markup.ts";
import { page, type Head } from "./page.ts";
import { severityCounts, sortBySeverity, validateSummary } from "../diagnostics.ts";
import { findingCard } from "./finding.ts";

const PLAN_HEADS: SideHeads = ["Now", "After"];
const APPLY_HEADS: SideHeads = ["Before", "After"];
const DRIFT_HEADS: SideHeads = ["Declared", "Live"];

export function planPage({ plan, problems, baseUrl, unmanaged, pace }: PlanReport, context: RenderContext): string {
  const changes = viewPlan(plan);
  const sections = planSections(changes, "plan");
  const isRefused = plan.brakes.length > 0 || hasErrors(problems);
  const head = { of: "plan", baseUrl, ...planHead(plan, changes, sections, isRefused) };
  return changePage(
    {
      head,
      plan,
      problems: { title: "Stopped by the brake: nothing in this plan is applied", diagnostics: problems },
      tiles: actionTiles(changes),
      sections,
      heads: PLAN_HEADS,
      requests: changes.length === 0 ? readText(plan) : requestsText(plan.requests, pace),
      remarks: [...remarkLines(plan, pace, true), ...(plan.complete && plan.base === null ? [NO_BASE] : [])],
      extra: unmanagedSection(unmanaged),
      baseUrl,
    },
    context,
  );
}

function planHead(
  plan: PlanReport["plan"],
  changes: readonly ChangeView[],
  sections: readonly ChangeSection[],
  isRefused: boolean,
): Pick<Head, "title" | "lead" | "tone"> {
  if (!plan.complete) return { title: "Nothing was planned", lead: "Fix the errors below first.", tone: "bad" };
  if (changes.length === 0)
    return plan.withheld.length > 0
      ? { title: ALL_WITHHELD, lead: null, tone: "warn" }
      : { title: NO_CHANGES, lead: "The account matches the files.", tone: "good" };
  const origins = originsSentence(plan.summary.origins);
  const title = plural(changes.length, "change");
  return {
    title: isRefused ? `${title}, refused` : `${title} to make`,
    lead: [noticeSentence(changes, sections), origins === null ? null : ` ${origins}`],
    tone: isRefused ? "bad" : "calm",
  };
}

function readText({ requests }: PlanReport["plan"]): string {
  return `${plural(requests.read, "request")} to read`;
}

/** What visitors will notice, lost short URLs first. */
function noticeSentence(changes: readonly ChangeView[], sections: readonly ChangeSection[]): HtmlContent {
  const noticed = changes.filter(({ isNoticed }) => isNoticed);
  const lost = sections.find(({ isBad }) => isBad);
  if (lost !== undefined) {
    const others = noticed.length - lost.single.length;
    const more = others === 0 ? null : ` Visitors will notice ${plural(others, "other change")}.`;
    return [markup`<strong class="loud">${lost.heading}.</strong>`, more];
  }
  const isOne = changes.length === 1;
  if (noticed.length === 0) return `Visitors will not notice ${isOne ? "this change" : "these changes"}.`;
  const clicks = noticed.reduce((sum, change) => sum + (change.clicks ?? 0), 0);
  const counted =
    clicks === 0
      ? null
      : ` ${noticed.length === 1 ? "This link has" : "These links have"} ${plural(clicks, "click")} so far.`;
  const all = isOne ? "this change" : "all of these changes";
  const which = noticed.length === changes.length ? all : `${showCount(noticed.length)} of these changes`;
  return [markup`<strong>Visitors will notice ${which}.</strong>`, counted];
}

export function driftPage({ plan, problems, baseUrl }: DriftReport, context: RenderContext): string {
  const all = differences(plan);
  const changes = all.map((change) => viewDocument(reportedDifference(change, plan)));
  const matches = matchText(plan);
  const driftHead = !plan.complete
    ? ({ title: "Nothing was compared", lead: "Fix the errors below first.", tone: "bad" } as const)
    : all.length === 0
      ? ({ title: NO_DRIFT, lead: matches, tone: "good" } as const)
      : ({
          title: `Drift: ${plural(all.length, "difference")}`,
          lead: `${statesText(all)}. ${matches}`,
          tone: "warn",
        } as const);
  return changePage(
    {
      head: { of: "drift", baseUrl, ...driftHead },
      plan: { ...plan, withheld: [] },
      problems: { title: "Errors", diagnostics: problems },
      tiles: driftTiles(changes),
      sections: driftSections(changes),
      heads: DRIFT_HEADS,
      requests: readText(plan),
      remarks: driftRemarks(plan, true),
      extra: null,
      baseUrl,
    },
    context,
  );
}

/** The page of an apply, or of a plan that a brake stopped. */
export function applyPage(report: ApplyReport | HeldReport, context: RenderContext): string {
  const { plan, problems, results, saved, baseUrl } = report;
  const changes = reportedResults(results, plan).map(viewDocument);
  const isHeld = report.of === "held";
  const pageHead = report.of === "held" ? heldHead(changes) : applyHead(report);
  return changePage(
    {
      head: { of: "apply", baseUrl, ...pageHead },
      plan,
      problems: {
        title: isHeld ? "Stopped by the brake: nothing was applied" : "What stopped the apply",
        diagnostics: problems,
      },
      tiles: isHeld ? actionTiles(changes) : resultTiles(changes),
      steps: isHeld || results.every(({ outcome }) => outcome === "applied") ? [] : stepsOf(report),
      sections: isHeld
        ? planSections(changes, "plan")
        : [...notAppliedSections(changes), ...planSections(changes.filter(isDone), "apply")],
      heads: isHeld ? PLAN_HEADS : APPLY_HEADS,
      requests: report.of === "held" ? readText(plan) : costText(report.ended.cost, true),
      remarks: [...comparedLines(plan, true), ...(report.of === "held" ? [] : exitCodeText(report.ended))],
      extra: notReviewedSection(saved?.notReviewed ?? []),
      completeness: report.of === "held" ? null : completenessText(report),
      baseUrl,
    },
    context,
  );
}

function isDone({ result }: ChangeView): boolean {
  return result?.status === "applied" || result?.status === "already done";
}

function heldHead(changes: readonly ChangeView[]): Pick<Head, "title" | "lead" | "tone"> {
  return { title: "Nothing was applied", lead: `The brake stopped ${plural(changes.length, "change")}.`, tone: "bad" };
}

function applyHead(report: ApplyReport): Pick<Head, "title" | "lead" | "tone"> {
  const { tone, title, about, more } = applyHeadline(report);
  if (report.results.length === 0) return { title, lead: about === "" ? null : `${capital(about)}.`, tone };
  if (tone !== "bad") return { title, lead: prose([`${about}.`, ...more].join(" ")), tone };
  // The counts of changes that were not applied are shown below.
  const done = doneText(report.results);
  return { title, lead: [...(done === "" ? [] : [`${done}.`]), ...more].join(" "), tone };
}

function stepsOf(report: ApplyReport | HeldReport): string[] {
  return report.of === "held" ? [] : nextSteps(report.results, report.ended);
}

export function validatePage(report: ValidateReport, context: RenderContext): string {
  const { diagnostics, isValid } = report;
  const cards = sortBySeverity(diagnostics).map((one) => findingCard(one, context));
  const head = {
    of: "validate",
    title: isValid ? "The files are valid" : "The files are not valid",
    lead: validateSummary(report),
    tone: isValid ? ("good" as const) : ("bad" as const),
    baseUrl: null,
  };
  const body = markup`<section id="findings" aria-label="Findings">
<h2 class="hidden">Findings</h2>
<div>
${cards}</div>
</section>
`;
  return page(head, "findings", body, context);
}

export function failurePage({ command, diagnostics, baseUrl }: FailureReport, context: RenderContext): string {
  const counts = severityCounts(diagnostics);
  const head = {
    of: command,
    title: NOTHING_DONE[command],
    lead: counts === "" ? null : `${counts}.`,
    tone: "bad" as const,
    baseUrl,
  };
  return page(head, "errors", banner("errors", "Errors", sortBySeverity(diagnostics), context), context);
}
