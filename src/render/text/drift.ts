// How the live state differs from what is declared.

import type { Change, Plan } from "../../domain/change.ts";
import { plural } from "../../view/counts.ts";
import { showPlace } from "../../domain/place.ts";
import { visible } from "../../domain/control-characters.ts";
import { differences, driftRemarks, lastChanged, stateOf, statesText } from "../../view/drift.ts";
import { fieldLines } from "./fields.ts";
import { wordChanges } from "../../view/values.ts";
import type { Paint } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** Each difference, what can't be compared, and one summary line. */
export function driftText(plan: Plan, screen: Screen): string {
  const all = differences(plan);
  const { paint } = screen;
  const list = all.map((change) => `${differenceText(change, plan, screen)}\n`).join("");
  const remarks = driftRemarks(plan).map((line) => `${paint.dim(wrap(line, screen.columns, 0))}\n`);
  return `${list}${remarks.length === 0 ? "" : `${remarks.join("")}\n`}${wrap(summaryText(plan, all, paint), screen.columns, 0)}\n`;
}

/** One line that says how much differs. */
export function summaryText({ complete, summary }: Plan, all: readonly Change[], paint: Paint): string {
  if (!complete) return paint.red("Nothing was compared.");
  if (all.length === 0) return `${paint.green("Live is as declared.")} ${summary.unchanged} as declared.`;
  return `${paint.bold(`Drift: ${statesText(all)}.`)} ${summary.unchanged} as declared.`;
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
