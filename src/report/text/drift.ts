// How the live state differs from what is declared.

import type { Change, Plan } from "../../domain/change.ts";
import { plural } from "../counts.ts";
import { showPlace } from "../../domain/place.ts";
import { visible } from "../../domain/control-characters.ts";
import { viewDocument, type ChangeView } from "../change.ts";
import { reportedDifference } from "../change-document.ts";
import { differences, driftRemarks, groupByOwner, matchText, NO_DRIFT, ownersOf, statesText } from "../drift.ts";
import { fieldLines } from "./change.ts";
import type { Paint, Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** Each difference, what cannot be compared, and one summary line. */
export function driftText(plan: Plan, screen: Screen): string {
  const all = differences(plan);
  const { paint } = screen;
  const list = groupByOwner(all, ownersOf)
    .flatMap(({ heading, items }) => [
      ...(heading === null ? [] : [`${paint.bold(paint.underline(`${heading}: ${statesText(items)}`))}\n\n`]),
      ...items.map((change) => `${differenceText(viewDocument(reportedDifference(change, plan)), screen)}\n`),
    ])
    .join("");
  const remarks = driftRemarks(plan, screen.isVerbose === true).map(
    (line) => `${paint.dim(wrap(line, screen.columns, 0))}\n`,
  );
  return `${list}${remarks.length === 0 ? "" : `${remarks.join("")}\n`}${wrap(summaryText(plan, all, paint), screen.columns, 0)}\n`;
}

/** One line with the number of differences. */
export function summaryText(plan: Plan, all: readonly Change[], paint: Paint): string {
  if (!plan.complete) return paint.red("Nothing was compared.");
  const head = all.length === 0 ? paint.green(`${NO_DRIFT}.`) : paint.bold(`Drift: ${statesText(all)}.`);
  return `${head} ${matchText(plan)}`;
}

function differenceText(difference: ChangeView, screen: Screen): string {
  const { paint } = screen;
  const { state, kind, key, previousKey: was, id, words, place } = difference;
  const color = state === "missing" ? paint.red : paint.yellow;
  // Of what is missing every field differs, and of what should not be there none is declared.
  const fields = difference.isWhole || words.length === 0 ? [] : fieldLines(kind, words, false, screen);
  return [
    `${color(state ?? "")} ${kind} ${paint.bold(key)}${was === null ? "" : `, still ${was}`}${id === null ? "" : paint.dim(` #${id}`)}`,
    ...(fields.length === 0 ? [] : [paint.dim("    declared → live"), ...fields]),
    ...factLines(difference, paint),
    paint.dim(`    ${visible(showPlace(place))}`),
    "",
  ].join("\n");
}

function factLines({ action, clicks, since }: ChangeView, paint: Paint): string[] {
  if (action === "delete") return clicks === null ? [] : [`    It has ${plural(clicks, "click")}.`];
  return since === null ? [] : [paint.dim(`    ${since}`)];
}
