// The pages of what would be done, what was done, and how live differs from what is declared.

import { changeIdentity, changesByIdentity } from "../../domain/change.ts";
import { hasErrors } from "../../domain/diagnostic.ts";
import {
  clicksText,
  costText,
  doneText,
  hasStarted,
  MEANING,
  stepsAfter,
  verifiedOf,
} from "../../view/apply-result.ts";
import { completenessText } from "../../view/completeness.ts";
import { plural, showCount } from "../../view/counts.ts";
import { differences, driftRemarks, statesText } from "../../view/drift.ts";
import type { Setting } from "../format.ts";
import { splitText } from "../../view/origins.ts";
import type { ApplyReport, DriftReport, HeldReport, PlanReport } from "../../view/report.ts";
import { viewChange } from "../../view/change.ts";
import { requestsText } from "../../view/plan-remarks.ts";
import { comparedLines, remarkLines } from "../../view/plan-remarks.ts";
import { notReviewedSection, unmanagedSection } from "./about.ts";
import { assemble } from "./assemble.ts";
import { cardOf, driftCard, resultCard, type Card } from "./card.ts";
import type { Heads } from "./change.ts";
import { driftGroups, heldGroups, planGroups, resultGroups, type CardGroup } from "./groups.ts";
import { markup, prose, type HtmlContent } from "./markup.ts";
import type { Head } from "./page.ts";
import { actionTiles, driftTiles, outcomeTiles } from "./tiles.ts";

const PLAN_HEADS: Heads = ["Now", "Then"];
const APPLY_HEADS: Heads = ["Before", "After"];
const DRIFT_HEADS: Heads = ["Declared", "Live"];

/** What would be done. */
export function planPage({ plan, problems, baseUrl, unmanaged, pace }: PlanReport, setting: Setting): string {
  const tripping = new Set(plan.brakes.flatMap((brake) => brake.changes));
  const stories = plan.changes.map((change) => viewChange(change, plan));
  const cards = plan.changes.map((change, at) => cardOf(change, plan, tripping.has(change), stories[at]));
  const groups = planGroups(plan, stories, cards);
  const head = { of: "plan", baseUrl, ...planHead(plan, cards, groups, plan.brakes.length > 0 || hasErrors(problems)) };
  return assemble(
    {
      head,
      plan,
      problems: { title: "Refused by the brake: nothing of this plan is applied", those: problems },
      tiles: actionTiles(cards),
      groups,
      heads: PLAN_HEADS,
      takes: cards.length === 0 ? readText(plan) : requestsText(plan.requests, pace),
      remarks: remarkLines(plan),
      isDrawn: true,
      more: unmanagedSection(unmanaged),
      baseUrl,
    },
    setting,
  );
}

function planHead(
  plan: PlanReport["plan"],
  cards: readonly Card[],
  groups: readonly CardGroup[],
  isRefused: boolean,
): Pick<Head, "title" | "lead" | "tone"> {
  if (!plan.complete)
    return { title: "Nothing was planned", lead: "Errors stand in the way: they are below.", tone: "bad" };
  if (cards.length === 0)
    return plan.withheld.length > 0
      ? { title: "No changes but those left out", lead: null, tone: "warn" }
      : { title: "No changes", lead: "The account is as the files say.", tone: "good" };
  const origins = splitText(plan.summary.origins);
  const title = plural(cards.length, "change");
  return {
    title: isRefused ? `${title}, refused` : `${title} to make`,
    lead: [noticeSentence(cards, groups), origins === null ? null : ` By origin: ${origins}.`],
    tone: isRefused ? "bad" : "calm",
  };
}

function readText({ requests }: PlanReport["plan"]): string {
  return `${plural(requests.read, "request")} to read`;
}

/** What visitors will notice, first of all which short URLs they lose. */
function noticeSentence(cards: readonly Card[], groups: readonly CardGroup[]): HtmlContent {
  const noticed = cards.filter(({ isNoticed }) => isNoticed);
  const lost = groups.find(({ isBad }) => isBad);
  if (lost !== undefined) {
    const others = noticed.length - lost.cards.length;
    const more = others === 0 ? null : ` Visitors will notice ${plural(others, "other change")}.`;
    return [markup`<strong class="loud">${lost.heading}.</strong>`, more];
  }
  if (noticed.length === 0) return "Visitors will notice none of it.";
  const clicks = noticed.reduce((sum, card) => sum + (card.clicks ?? 0), 0);
  const counted = clicks === 0 ? null : ` These links have ${plural(clicks, "click")} so far.`;
  const all = cards.length === 1 ? "it" : "all of them";
  const those = noticed.length === cards.length ? all : `${showCount(noticed.length)} of them`;
  return [markup`<strong>Visitors will notice ${those}.</strong>`, counted];
}

/** How live differs from what is declared. */
export function driftPage({ plan, problems, baseUrl }: DriftReport, setting: Setting): string {
  const all = differences(plan);
  const cards = all.map((change) => driftCard(change, plan));
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
      tiles: driftTiles(all),
      groups: driftGroups(all, plan, cards),
      heads: DRIFT_HEADS,
      takes: readText(plan),
      remarks: driftRemarks(plan),
      // Its lines would say what a plan does.
      isDrawn: false,
      more: null,
      baseUrl,
    },
    setting,
  );
}

/** What was done, or why nothing was. */
export function applyPage(report: ApplyReport | HeldReport, setting: Setting): string {
  const { plan, problems, results, saved, baseUrl } = report;
  const cards = toldCards(report);
  const isHeld = report.of === "held";
  const said = report.of === "held" ? heldHead(cards) : applyHead(report);
  return assemble(
    {
      head: { of: "apply", baseUrl, ...said },
      plan,
      problems: { title: isHeld ? "Refused by the brake: nothing was applied" : "What stopped it", those: problems },
      tiles: isHeld ? actionTiles(cards) : outcomeTiles(cards),
      steps: isHeld || results.every(({ outcome }) => outcome === "applied") ? [] : stepsOf(report),
      groups: isHeld ? heldGroups(results, plan, cards) : resultGroups(results, plan, cards),
      heads: isHeld ? PLAN_HEADS : APPLY_HEADS,
      takes: report.of === "held" ? readText(plan) : costText(report.ended.cost),
      remarks: [
        ...comparedLines(plan),
        ...(report.of === "held" || MEANING[report.ended.exit] === "" ? [] : [MEANING[report.ended.exit]]),
      ],
      // Its lines say what was to be: that is not so where something failed.
      isDrawn: isHeld || results.every(({ outcome }) => outcome === "applied"),
      more: notReviewedSection(saved?.notReviewed ?? []),
      line: report.of === "held" ? null : completenessText(report),
      baseUrl,
    },
    setting,
  );
}

/** Each told change with what is known of it: it stands in the plan that was run, or in a saved one only. */
function toldCards({ results, plan }: ApplyReport | HeldReport): Card[] {
  const planned = changesByIdentity(plan.changes);
  return results.map((one) => resultCard(one, planned.get(changeIdentity(one)), plan, one.source));
}

function heldHead(cards: readonly Card[]): Pick<Head, "title" | "lead" | "tone"> {
  return { title: "Nothing was applied", lead: `The brake holds ${plural(cards.length, "change")}.`, tone: "bad" };
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
    const { isWell, verified, look } = verifiedOf(results, ended);
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
  return report.of === "held" ? [] : stepsAfter(report.results, report.ended);
}
