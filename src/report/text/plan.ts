// The plan as text. Symbols carry the meaning; color only helps.

import type { Orphan, Plan, TrippedBrake, Withheld } from "../../domain/change.ts";
import { showPlace } from "../../domain/place.ts";
import { BRAKE_MARK, brakeParts, type FlagFor } from "../brakes.ts";
import { SYMBOL, viewPlan, type ChangeView } from "../change.ts";
import { clicksOf, countObjects, planSections, type ChangeSection, type SimilarChanges } from "../sections.ts";
import type { Span } from "../spans.ts";
import { actionColor, changeText } from "./change.ts";
import { plural } from "../counts.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";
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
} from "../plan-remarks.ts";
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
} from "../unplanned.ts";

export interface PlanTextOptions {
  /** The run that would need the flag to pass the brake. Default: this one. */
  readonly flagFor?: FlagFor;
  /** Null if the service does not report a rate limit. */
  readonly pace?: PlanPace | null;
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
  { flagFor = "this run", pace = null, isUndo = false }: PlanTextOptions = {},
): string {
  const changes = changesText(plan, screen);
  const about = `${withheldText(plan, screen)}${orphansText(plan, screen)}${brakesText(plan.brakes, flagFor, screen)}`;
  return `${changes}${about}${remarks(isUndo ? planLines(plan) : remarkLines(plan, pace, screen.isVerbose === true), screen)}${wrap(summaryText(plan, pace, screen, isUndo), screen.columns, 0)}\n`;
}

/** The changes in the sections of every report: what breaks first, then what visitors notice, then the rest. */
function changesText(plan: Plan, screen: Screen): string {
  return planSections(viewPlan(plan), "plan")
    .map((section) => sectionText(section, screen))
    .join("");
}

function sectionText({ heading, lead, isBad, similar, single }: ChangeSection, screen: Screen): string {
  const { paint, columns } = screen;
  const color = isBad ? paint.red : (text: string): string => text;
  const head = `${color(paint.bold(paint.underline(heading)))}\n${lead === "" ? "" : `${paint.dim(wrap(lead, columns, 0))}\n`}\n`;
  const groups = similar.map((group) => `${similarText(group, screen)}\n`);
  return `${head}${groups.join("")}${single.map((change) => `${changeText(change, screen)}\n`).join("")}`;
}

/** Changes that are alike: what they have in common, and their keys; with `--verbose`, each of them. */
function similarText({ family, statement, changes }: SimilarChanges, screen: Screen): string {
  const { paint, columns, isVerbose = false } = screen;
  const [first] = changes;
  if (first === undefined) return "";
  const of = family === null ? "" : ` of family ${paint.bold(family)}`;
  const clicks = clicksOf(changes);
  const counted = clicks === "" ? "" : ` (${clicks} so far)`;
  const verb = actionColor(first.action, paint)(`${SYMBOL[first.action]} ${first.action}`);
  const head = `${verb} ${paint.bold(countObjects(changes))}${of}${counted}: ${spansText(statement, screen)}`;
  const each = isVerbose
    ? `\n${changes.map((change) => changeText(change, screen)).join("\n")}`
    : keysText(changes, screen);
  const origin = first.origin === null ? "" : ` · ${first.origin}`;
  const files = [...new Set(changes.map(({ place }) => visible(place.file)))];
  const where = paint.dim(wrap(`${files.join(", ")}${origin}`, columns, 4));
  return `${wrap(head, columns, 4, 0)}\n${each}    ${where}\n`;
}

/** All keys; a domain that all of them share is named once. */
function keysText(changes: readonly ChangeView[], { columns }: Screen): string {
  const [domain = "", ...others] = new Set(changes.map(({ key }) => key.slice(0, key.lastIndexOf("/") + 1)));
  const isShared = others.length === 0 && domain !== "";
  const names = changes.map(({ key }) => (isShared ? key.slice(domain.length) : key)).join(", ");
  return `    ${wrap(`${isShared ? `${domain} ` : ""}${names}`, columns, 4)}\n`;
}

function spansText(spans: readonly Span[], { paint }: Screen): string {
  return spans.map(({ text, as }) => (as === "strong code" ? paint.bold(text) : text)).join("");
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
