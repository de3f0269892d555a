// The plan as text for people: symbols carry the meaning, colour only helps.

import type { Base, Orphan, Plan, References, TrippedBrake, Withheld } from "../../domain/change.ts";
import { compareText, showPlace } from "../../domain/place.ts";
import { groupBy } from "../../domain/group.ts";
import { ADD_FLAG, BRAKE_MARK, brakeTexts, brakeFlag, brakeKey, flagScope, type FlagFor } from "../../view/brakes.ts";
import { viewPlan, type ChangeView } from "../../view/change.ts";
import { changeText } from "./change.ts";
import { plural } from "../../view/counts.ts";
import type { Paint, Screen } from "./screen.ts";
import { wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import { countsText, planLines, remarkLines, requestsText, restText, type PlanPace } from "../../view/plan-remarks.ts";
import type { Declarable } from "../../edit/declare.ts";
import {
  declaringSections,
  groupWithheld,
  orphanLines,
  partialText,
  problemTexts,
  successorText,
  TO_DECLARE,
  tombstones,
  waitsForText,
} from "../../view/unplanned.ts";

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

/** What can't be declared, and then one piece of YAML for all the rest; empty where nothing is unmanaged. */
export function unmanagedText(all: readonly Declarable[], { paint, columns }: Screen): string {
  if (all.length === 0) return "";
  const problems = problemTexts(all).map((problem) => `    ${wrap(problem, columns, 8, 4)}\n`);
  const sections = declaringSections(all);
  const head = paint.bold("Unmanaged: live, but in no file.");
  const lines = sections.length === 0 ? "" : `${paint.dim(wrap(TO_DECLARE, columns, 0))}\n\n${sections.join("\n")}\n`;
  return `${head}\n${problems.join("")}${lines}`;
}

/** A paragraph for each brake, each ending with an empty line. */
function brakesText(brakes: readonly TrippedBrake[], flagFor: FlagFor, screen: Screen): string {
  return brakes.map((brake) => `${brakeText(brake, flagFor, screen)}\n`).join("");
}

function brakeText(brake: TrippedBrake, flagFor: FlagFor, { paint, columns }: Screen): string {
  const [first = "", ...rest] = brakeTexts(brake);
  const ways = `If this is meant, ${ADD_FLAG[flagFor](paint.bold(brakeFlag(brake)))} (${flagScope(brake)}), or write in the project file:`;
  const lines = [
    wrap(`${paint.red(BRAKE_MARK)} ${first}`, columns, 4, 0),
    ...rest.map((line) => `    ${wrap(line, columns, 4)}`),
    `    ${wrap(ways, columns, 4)}`,
    `        ${brakeKey(brake)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** More keys than these are counted only. */
const MOST_KEYS = 10;

/** How many are left out and why; empty where the plan is whole, else it ends with an empty line. */
function withheldText(plan: Plan, { paint, columns }: Screen): string {
  if (plan.withheld.length === 0) return "";
  const reasons = groupWithheld(plan).map(({ reason, changes: those }) => reasonText(reason, those, columns));
  const head = partialText(plan);
  return `${paint.yellow(wrap(head, columns, 0))}\n${reasons.join("")}\n`;
}

function reasonText(reason: string, those: readonly Withheld[], columns: number | null): string {
  const named = those.slice(0, MOST_KEYS).map((one) => {
    const { action, kind, key } = one.change;
    return `        ${action} ${kind} ${visible(key)}${waitsForText(one)}\n`;
  });
  const more = those.length - named.length;
  const rest = more === 0 ? "" : `        and ${more} more\n`;
  return `    ${wrap(`${those.length} ${reason}:`, columns, 4)}\n${named.join("")}${rest}`;
}

/** Each of them, and what to paste; empty where there is none, else it ends with an empty line. */
function orphansText({ orphans, references, base }: Plan, screen: Screen): string {
  if (orphans.length === 0) return "";
  const list = orphans.map((orphan) => orphanText(orphan, base, references, screen)).join("");
  const absent = tombstones(orphans, references);
  const toDelete =
    absent === ""
      ? ""
      : `To delete ${orphans.some(({ successor }) => successor !== null) ? "the others" : "them"}:\n${indent(absent, 4)}`;
  return `${screen.paint.bold("No longer declared, still live:")}\n${list}${toDelete}\n`;
}

function orphanText(
  { live, place, successor }: Orphan,
  base: Base | null,
  references: References,
  screen: Screen,
): string {
  const { paint, columns } = screen;
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  const where = `${showPlace(place)}${base === null ? "" : ` at ${base.ref}`}`;
  const advice = successorText({ live, place, successor });
  const lines = [
    `    ${live.kind} ${paint.bold(visible(live.key))}${paint.dim(` #${live.id}`)}${clicks}`,
    `        ${paint.dim(`was declared in ${visible(where)}`)}`,
  ];
  if (advice !== null) lines.push(`        ${wrap(advice, columns, 8)}`);
  const rename = successor === null ? "" : indent(orphanLines({ live, place, successor }, references), 12);
  return `${lines.join("\n")}\n${rename}`;
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(by));
}
