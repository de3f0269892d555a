// The plan as text for people: symbols carry the meaning, colour only helps.

import type { Plan } from "../../domain/change.ts";
import { compareText } from "../../domain/place.ts";
import { groupBy } from "../../domain/group.ts";
import type { FlagFor } from "../../view/brakes.ts";
import { brakesText } from "./brakes.ts";
import { viewPlan, type ChangeView } from "../../view/change.ts";
import { changeText } from "./change.ts";
import { plural } from "../../view/counts.ts";
import { orphansText } from "./orphans.ts";
import type { Paint } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { withheldText } from "./withheld.ts";
import { wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import { countsText, planLines, remarkLines, restText, requestsText, type PlanPace } from "../../view/plan-remarks.ts";

/** More changes than these, from more files than one, stand below the names of their files. */
const MOST_WITHOUT_FILES = 10;

/** What a plan is told with besides what it holds. */
export interface Circumstances {
  /** To which run flags that let it through would be given; left out: this one. */
  readonly flagFor?: FlagFor;
  /** Null or left out: the service does not say. */
  readonly pace?: PlanPace | null;
  /** It takes an apply back: what else there is, and which files there were, is not its business. */
  readonly isUndo?: boolean;
}

/**
 * The whole plan: its changes, what is left out of it, what stands in its way, what can't be seen, and one summary line,
 * which is the last.
 */
export function planText(
  plan: Plan,
  screen: Screen,
  { flagFor = "this run", pace = null, isUndo = false }: Circumstances = {},
): string {
  const { paint } = screen;
  const changes = changesText(plan, screen);
  const about = `${withheldText(plan, screen)}${orphansText(plan, screen)}${brakesText(plan.brakes, flagFor, screen)}`;
  return `${changes}${about}${remarks(plan, isUndo, screen)}${wrap(summaryText(plan, pace, paint, isUndo), screen.columns, 0)}\n`;
}

/** First what visitors will notice, under a heading if there is anything else. */
function changesText(plan: Plan, screen: Screen): string {
  const sections = groupBy(viewPlan(plan), ({ isNoticed }) => isNoticed);
  const [noticed, others] = [sections.get(true) ?? [], sections.get(false) ?? []];
  const { paint } = screen;
  return [
    { heading: "What visitors will notice", those: noticed },
    { heading: noticed.length === 0 ? "" : "Everything else", those: others },
  ]
    .filter(({ those }) => those.length > 0)
    .map(({ heading, those }) => {
      const text = filesText(those, screen);
      return heading === "" ? text : `${paint.bold(paint.underline(heading))}\n\n${text}`;
    })
    .join("");
}

/** Paragraphs, under the names of their files if there are many. */
function filesText(changes: readonly ChangeView[], screen: Screen): string {
  const { paint } = screen;
  const draw = (change: ChangeView): string => `${changeText(change, screen)}\n`;
  const byFile = groupBy(changes, ({ place }) => place.file);
  if (changes.length <= MOST_WITHOUT_FILES || byFile.size < 2) return changes.map(draw).join("");
  return [...byFile]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([file, those]) => {
      const head = `${paint.bold(visible(file))}${paint.dim(`: ${plural(those.length, "change")}`)}`;
      return `${head}\n\n${those.map(draw).join("")}`;
    })
    .join("");
}

function remarks(plan: Plan, isUndo: boolean, { paint, columns }: Screen): string {
  const lines = isUndo ? planLines(plan) : remarkLines(plan);
  return lines.length === 0 ? "" : `${lines.map((line) => paint.dim(wrap(line, columns, 0))).join("\n")}\n\n`;
}

/** One line that says it all. */
export function summaryText(plan: Plan, pace: PlanPace | null, paint: Paint, isUndo = false): string {
  const { complete, changes, requests, brakes, withheld } = plan;
  if (!complete) return paint.red("Nothing was planned.");
  const rest = isUndo ? "" : ` ${restText(plan)};`;
  const asked = `${plural(requests.read, "request")} to read`;
  if (changes.length === 0 && withheld.length > 0)
    return `${paint.yellow("No changes but those left out.")}${rest} ${asked}.`;
  if (changes.length === 0) return `${paint.green("No changes.")}${rest} ${asked}.`;
  const made = paint.bold(`Plan: ${countsText(plan)}.`);
  if (brakes.length > 0) return `${made} ${paint.red("Refused by the brake: nothing is applied.")}${rest} ${asked}.`;
  return `${made}${rest} ${requestsText(requests, pace)}.`;
}
