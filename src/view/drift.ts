// How live differs from what is declared, in words of what is, not of what would be done. In JSON it is the plan's document.

import type { Change, Plan } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import { plural } from "../render/text/diagnostics.ts";
import { fieldLines } from "../render/text/fields.ts";
import type { Paint } from "../render/text/paint.ts";
import type { Screen } from "../render/text/screen.ts";
import { comparedLines, showBase } from "../render/text/plan.ts";
import { wrap } from "../render/text/width.ts";
import { visible } from "../domain/control-characters.ts";
import { wordChanges } from "./values.ts";

/** In the order in which they are counted. */
export const STATES = [
  "changed",
  "missing",
  "not renamed yet",
  "not moved yet",
  "not deleted yet",
  "undeclared",
] as const;
export type State = (typeof STATES)[number];

/**
 * What is not as declared. Changes that `allow` leaves out of the plan are differences all the same: they would stay.
 */
export function differences({ changes, withheld }: Plan): Change[] {
  return [...changes, ...withheld.map(({ change }) => change)];
}

/** Each difference, what can't be compared, and one summary line. */
export function driftText(plan: Plan, screen: Screen): string {
  const all = differences(plan);
  const { paint } = screen;
  const list = all.map((change) => `${differenceText(change, plan, screen)}\n`).join("");
  const remarks = driftRemarks(plan).map((line) => `${paint.dim(wrap(line, screen.columns, 0))}\n`);
  return `${list}${remarks.length === 0 ? "" : `${remarks.join("")}\n`}${wrap(summaryText(plan, all, paint), screen.columns, 0)}\n`;
}

/** What can't be compared, and what is held against what: sentences. */
export function driftRemarks(plan: Plan): string[] {
  const declared = plan.base === null ? [] : [`Declared at ${showBase(plan.base)}.`];
  return [...comparedLines(plan), ...declared];
}

/** One line that says how much differs. */
export function summaryText({ complete, summary }: Plan, all: readonly Change[], paint: Paint): string {
  if (!complete) return paint.red("Nothing was compared.");
  if (all.length === 0) return `${paint.green("Live is as declared.")} ${summary.unchanged} as declared.`;
  return `${paint.bold(`Drift: ${statesText(all)}.`)} ${summary.unchanged} as declared.`;
}

/** `1 changed, 2 missing`. */
export function statesText(all: readonly Change[]): string {
  const counts = STATES.flatMap((state) => {
    const count = all.filter((change) => stateOf(change) === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return counts.join(", ");
}

/** How live differs. */
export function stateOf(change: Change): State {
  switch (change.action) {
    case "create":
      return "missing";
    case "update":
      return change.reason === "renamed" ? "not renamed yet" : "changed";
    case "replace":
      return "not moved yet";
    case "delete":
      return change.reason === "undeclared" ? "undeclared" : "not deleted yet";
    default:
      return change satisfies never;
  }
}

function differenceText(change: Change, plan: Plan, screen: Screen): string {
  const { paint } = screen;
  const state = stateOf(change);
  const colour = { create: paint.red, update: paint.yellow, replace: paint.yellow, delete: paint.yellow }[
    change.action
  ];
  const still = change.previousKey === null ? "" : `, still ${visible(change.previousKey)}`;
  const id = change.action === "create" ? "" : paint.dim(` #${change.live.id}`);
  return [
    `${colour(state)} ${change.kind} ${paint.bold(visible(change.key))}${still}${id}`,
    ...differingLines(change, plan, screen),
    ...rowLines(change, paint),
    paint.dim(`    ${visible(showPlace(change.source))}`),
    "",
  ].join("\n");
}

/** Of what is missing every field differs; of what is there, these. */
function differingLines(change: Change, { zones }: Plan, screen: Screen): string[] {
  if (change.action === "create" || change.fields.length === 0) return [];
  const words = change.fields
    .flatMap((field) => wordChanges(change.kind, field, zones, false))
    .map(({ path, before, after }) => ({ path, before: after, after: before }));
  return [screen.paint.dim("    declared → live"), ...fieldLines(change.kind, words, false, screen)];
}

function rowLines(change: Change, paint: Paint): string[] {
  if (change.action === "create") return [];
  const { clicks } = change.live;
  if (change.action === "delete") return clicks === null ? [] : [`    It has ${plural(clicks, "click")}.`];
  const since = lastChanged(change);
  return since === null ? [] : [paint.dim(`    ${since}`)];
}

/** When the service last wrote what a change is about; null where it does not say, or it goes away. */
export function lastChanged(change: Change): string | null {
  if (change.action === "create" || change.action === "delete" || change.live.updatedAt === null) return null;
  return `last changed at the service ${showInstant(change.live.updatedAt)}`;
}

/** A canonical instant to the minute: the service's own clock, so in UTC. */
export function showInstant(instant: string): string {
  const [date = "", time = ""] = instant.split("T");
  return `${date} ${time.slice(0, "HH:MM".length)} UTC`;
}
