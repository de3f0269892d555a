// The plan as text. Symbols carry the meaning; color only helps.

import type { Orphan, Plan, TrippedBrake, Withheld } from "../../domain/change.ts";
import { compareText, showPlace } from "../../domain/place.ts";
import { groupBy } from "../../domain/collections.ts";
import { BRAKE_MARK, brakeParts, type FlagFor } from "../../view/brakes.ts";
import { viewPlan, type ChangeView } from "../../view/change.ts";
import { countObjects } from "../../view/sections.ts";
import { lostLines } from "../../view/confirmation.ts";
import { overviewOf, type Overview } from "../../view/overview.ts";
import { changeText } from "./change.ts";
import { plural, showCount } from "../../view/counts.ts";
import type { Paint, Screen } from "./screen.ts";
import { widthOf, wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";
import {
  ALL_WITHHELD,
  countsText,
  NO_CHANGES,
  planLines,
  remarkLines,
  requestsText,
  restText,
  waitText,
  sinceBaseText,
  type PlanPace,
} from "../../view/plan-remarks.ts";
import type { Declarable } from "../../edit/declare.ts";
import {
  declaringSections,
  deleteAdvice,
  groupWithheld,
  partialText,
  problemTexts,
  renameAdvice,
  TO_DECLARE,
  waitsForText,
} from "../../view/unplanned.ts";

/** More changes than these are grouped by file. */
const MAX_UNGROUPED = 10;

export interface PlanTextOptions {
  /** The run that would need the flag to pass the brake. Default: this one. */
  readonly flagFor?: FlagFor;
  /** Null if the service does not report a rate limit. */
  readonly pace?: PlanPace | null;
  /** Whether the question that follows names the short URLs that stop working. */
  readonly isAsked?: boolean;
  /** For an undo, remarks about files and unmanaged objects are left out. */
  readonly isUndo?: boolean;
}

/**
 * The whole plan: changes, withheld changes, orphans, brakes, remarks, and at the end
 * one summary line.
 */
export function planText(
  plan: Plan,
  screen: Screen,
  { flagFor = "this run", pace = null, isAsked = false, isUndo = false }: PlanTextOptions = {},
): string {
  const { paint } = screen;
  // A pipe has no height: nothing scrolls out of sight there.
  const overview = screen.columns === null ? null : overviewOf(plan);
  const begin = overview === null ? "" : overviewText(overview, paint);
  const lost = overview === null || isAsked ? "" : lostText(plan, screen);
  const changes = `${begin}${changesText(plan, screen)}`;
  const about = `${withheldText(plan, screen)}${orphansText(plan, screen)}${brakesText(plan.brakes, flagFor, screen)}`;
  return `${changes}${about}${remarks(isUndo ? planLines(plan) : remarkLines(plan, pace, screen.isVerbose === true), screen)}${lost}${wrap(summaryText(plan, pace, screen, isUndo), screen.columns, 0)}\n`;
}

function overviewText({ kinds, rows }: Overview, { bold }: Paint): string {
  const labels = Math.max(...rows.map(({ label }) => widthOf(label)));
  const widths = kinds.map((kind, at) =>
    Math.max(kind.length, ...rows.map(({ counts }) => showCount(counts[at] ?? 0).length)),
  );
  const line = (label: string, cells: readonly string[]): string =>
    `${label}${" ".repeat(labels - widthOf(label))}${cells.map((cell, at) => `  ${cell.padStart(widths[at] ?? 0)}`).join("")}\n`;
  const lines = rows.map(({ label, counts }) =>
    line(
      label,
      counts.map((count) => (count === 0 ? "" : showCount(count))),
    ),
  );
  return `${bold(line("", kinds).trimEnd())}\n${lines.map((text) => `${text.trimEnd()}\n`).join("")}\n`;
}

/** The short URLs that stop working once more, because the start of a long plan has scrolled out of sight. */
function lostText(plan: Plan, { paint }: Screen): string {
  const lines = lostLines(plan);
  if (lines.length === 0) return "";
  return `${paint.bold(paint.red("Short URLs that will stop working:"))}\n${lines.map((text) => `${text}\n`).join("")}\n`;
}

/** Changes that visitors notice come first. */
function changesText(plan: Plan, screen: Screen): string {
  const sections = groupBy(viewPlan(plan), ({ isNoticed }) => isNoticed);
  const [noticed, others] = [sections.get(true) ?? [], sections.get(false) ?? []];
  const { paint } = screen;
  return [
    { heading: "What visitors will notice", group: noticed },
    { heading: noticed.length === 0 ? "" : "Other changes", group: others },
  ]
    .filter(({ group }) => group.length > 0)
    .map(({ heading, group }) => {
      const text = filesText(group, screen);
      return heading === "" ? text : `${paint.bold(paint.underline(heading))}\n\n${text}`;
    })
    .join("");
}

function filesText(changes: readonly ChangeView[], screen: Screen): string {
  const { paint } = screen;
  const byFile = groupBy(changes, ({ place }) => place.file);
  if (changes.length <= MAX_UNGROUPED || byFile.size < 2) return familiesText(changes, screen);
  return [...byFile]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([file, group]) => {
      const head = `${paint.bold(visible(file))}${paint.dim(`: ${plural(group.length, "change")}`)}`;
      return `${head}\n\n${familiesText(group, screen)}`;
    })
    .join("");
}

/** The links of each family are together below its alias, after all other changes. */
function familiesText(changes: readonly ChangeView[], screen: Screen): string {
  const draw = (change: ChangeView): string => `${changeText(change, screen)}\n`;
  const groups = [...groupBy(changes, ({ family }) => family)].filter(([, { length }]) => length > 1);
  const families = groups.flatMap(([family, links]) => (family === null ? [] : [{ family, links }]));
  const grouped = new Set(families.flatMap(({ links }) => links));
  const others = changes.filter((change) => !grouped.has(change));
  const heading = (family: string, links: readonly ChangeView[]): string =>
    `${screen.paint.bold(`${countObjects(links)} of family ${family}`)}\n\n`;
  return [
    ...others.map(draw),
    ...families.map(({ family, links }) => `${heading(family, links)}${links.map(draw).join("")}`),
  ].join("");
}

function remarks(lines: readonly string[], { paint, columns }: Screen): string {
  return lines.length === 0 ? "" : `${lines.map((line) => paint.dim(wrap(line, columns, 0))).join("\n")}\n\n`;
}

/** The summary line. */
export function summaryText(plan: Plan, pace: PlanPace | null, screen: Screen, isUndo = false): string {
  const { complete, changes, requests, brakes, withheld } = plan;
  const { paint, isVerbose = false } = screen;
  if (!complete) return paint.red("Nothing was planned.");
  const rest = isUndo ? "" : ` ${restText(plan, isVerbose)}.${sinceBaseText(plan)}`;
  const asked = isVerbose ? ` ${plural(requests.read, "request")} to read.` : "";
  if (changes.length === 0 && withheld.length > 0) return `${paint.yellow(`${ALL_WITHHELD}.`)}${rest}${asked}`;
  if (changes.length === 0) return `${paint.green(`${NO_CHANGES}.`)}${rest}${asked}`;
  const made = paint.bold(`Plan: ${countsText(plan)}.`);
  if (brakes.length > 0) return `${made} ${paint.red("Stopped by the brake: nothing is applied.")}${rest}${asked}`;
  return `${made}${rest}${isVerbose ? ` ${requestsText(requests, pace)}.` : waitText(pace)}`;
}

/** Objects that cannot be declared, then YAML for the others. */
export function unmanagedText(all: readonly Declarable[], { paint, columns }: Screen): string {
  if (all.length === 0) return "";
  const problems = problemTexts(all).map((problem) => `    ${wrap(problem, columns, 8, 4)}\n`);
  const sections = declaringSections(all);
  const head = paint.bold("Unmanaged: live, but not declared in any file.");
  const lines = sections.length === 0 ? "" : `${paint.dim(wrap(TO_DECLARE, columns, 0))}\n\n${sections.join("\n")}\n`;
  return `${head}\n${problems.join("")}${lines}`;
}

function brakesText(brakes: readonly TrippedBrake[], flagFor: FlagFor, screen: Screen): string {
  return brakes.map((brake) => `${brakeText(brake, flagFor, screen)}\n`).join("");
}

function brakeText(brake: TrippedBrake, flagFor: FlagFor, { paint, columns }: Screen): string {
  const { found, advice, key } = brakeParts(brake, flagFor, paint.bold);
  const [first = "", ...rest] = found;
  const lines = [
    wrap(`${paint.red(BRAKE_MARK)} ${first}`, columns, 4, 0),
    ...rest.map((line) => `    ${wrap(line, columns, 4)}`),
    `    ${wrap(advice, columns, 4)}`,
    ...(key === null ? [] : [`        ${key}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Further keys are only counted. */
const MAX_KEYS = 10;

/** Withheld changes, by reason. */
function withheldText(plan: Plan, { paint, columns }: Screen): string {
  if (plan.withheld.length === 0) return "";
  const reasons = groupWithheld(plan).map(({ reason, changes: those }) => reasonText(reason, those, columns));
  const head = partialText(plan);
  return `${paint.yellow(wrap(head, columns, 0))}\n${reasons.join("")}\n`;
}

function reasonText(reason: string, withheld: readonly Withheld[], columns: number | null): string {
  const named = withheld.slice(0, MAX_KEYS).map((one) => {
    const { action, kind, key } = one.change;
    return `        ${action} ${kind} ${visible(key)}${waitsForText(one)}\n`;
  });
  const more = withheld.length - named.length;
  const rest = more === 0 ? "" : `        and ${more} more\n`;
  return `    ${wrap(`${withheld.length} ${reason}:`, columns, 4)}\n${named.join("")}${rest}`;
}

/** Orphans, and the YAML to paste. */
function orphansText(plan: Plan, screen: Screen): string {
  if (plan.orphans.length === 0) return "";
  const list = plan.orphans.map((orphan) => orphanText(orphan, plan, screen)).join("");
  const absent = deleteAdvice(plan);
  const toDelete = absent === null ? "" : `${absent.text}\n${indent(absent.lines, 4)}`;
  return `${screen.paint.bold("No longer declared, but still live:")}\n${list}${toDelete}\n`;
}

function orphanText(orphan: Orphan, { base, references }: Plan, { paint, columns }: Screen): string {
  const { live, place } = orphan;
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  const where = `${showPlace(place)}${base === null ? "" : ` at ${base.ref}`}`;
  const advice = renameAdvice(orphan, references);
  const rename = advice === null ? "" : `        ${wrap(advice.text, columns, 8)}\n${indent(advice.lines, 12)}`;
  return `    ${live.kind} ${paint.bold(visible(live.key))}${paint.dim(` #${live.id}`)}${clicks}
        ${paint.dim(`was declared in ${visible(where)}`)}
${rename}`;
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(by));
}
