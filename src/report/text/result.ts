// The result of an apply: the applied changes, the others with reasons, and the next steps.

import { showPlace } from "../../domain/place.ts";
import { visible } from "../../domain/control-characters.ts";
import {
  applyHeadline,
  costText,
  exitCodeText,
  groupByReason,
  groupNotApplied,
  headlineText,
  nextSteps,
  NOT_APPLIED_HEADINGS,
  PAST_TENSE,
  type HeadlineInput,
  type ChangeOutcome,
  type Headline,
  type NotApplied,
  type ReasonGroup,
} from "../apply-result.ts";
import type { Ended } from "../report.ts";
import { changeNames, showCount, type NameOf } from "../counts.ts";
import type { Screen } from "./screen.ts";
import { paragraph, widthOf, wrap } from "./width.ts";
import { undoEndText } from "./undo.ts";
import type { Outcome } from "../../apply/outcome.ts";

/** The result of a run that had changes. */
function runText(results: readonly ChangeOutcome[], ended: Ended, headline: Headline, screen: Screen): string {
  const { paint, columns } = screen;
  const color = { good: paint.green, warn: paint.yellow, bad: paint.red }[headline.tone];
  const head = paragraph([headlineText(headline), ...headline.more].join(" "), color, columns);
  const left = groupNotApplied(results);
  const cost = costText(ended.cost, screen.isVerbose === true);
  if (left.length === 0) return `${head}${cost === "" ? "" : paragraph(cost, paint.dim, columns)}`;
  const nameOf = changeNames(results);
  const blocks = left.map(({ status: how, changes }) => `${groupsText(how, changes, nameOf, screen)}\n`);
  const advice = adviceText(nextSteps(results, ended), screen);
  const last = paragraph([cost, ...exitCodeText(ended)].join(" ").trimStart(), paint.dim, columns);
  return `${head}\n${blocks.join("")}${advice}${last}`;
}

function adviceText(steps: readonly string[], { columns }: Screen): string {
  const [only, ...more] = steps;
  if (more.length === 0) return `${wrap(`Next step: ${only}`, columns, 0)}\n`;
  const lines = steps.map((step, at) => `  ${at + 1}. ${wrap(step, columns, 5)}\n`);
  return `Next steps:\n${lines.join("")}`;
}

/** Further reasons, and further changes with the same reason, are only counted. */
const MAX_LISTED = 10;

/** Changes that were not made, grouped by reason. */
function groupsText(how: NotApplied, changes: readonly ChangeOutcome[], nameOf: NameOf, screen: Screen): string {
  const groups = groupByReason(changes);
  const rest = groups.slice(MAX_LISTED).reduce((count, group) => count + group.changes.length, 0);
  const more = rest === 0 ? "" : `  … and ${showCount(rest)} more\n`;
  return `${NOT_APPLIED_HEADINGS[how]}\n${groups
    .slice(0, MAX_LISTED)
    .map((group) => groupText(how, group, nameOf, screen))
    .join("")}${more}`;
}

function groupText(how: NotApplied, { changes, reason }: ReasonGroup, nameOf: NameOf, screen: Screen): string {
  const { paint } = screen;
  const mark = how === "failed" ? paint.red("✗") : paint.yellow("·");
  const named = changes.slice(0, MAX_LISTED);
  const lines = named.map((one) => {
    const { action, kind, error } = one;
    const what = `${action} ${kind} ${visible(nameOf(one))}`;
    if (error === null) return `  ${mark} ${what}\n`;
    const at = visible(showPlace(error));
    const fits = screen.columns === null || widthOf(`    ${what}  ${at}`) <= screen.columns;
    return `  ${mark} ${what}${fits ? "  " : "\n      "}${paint.dim(at)}\n`;
  });
  const rest = changes.length - named.length;
  if (rest > 0) lines.push(`  … and ${showCount(rest)} more like these\n`);
  if (reason === null) return lines.join("");
  const { code, message, hint } = reason;
  const coded = how === "failed" ? `error[${code}] ` : "";
  lines.push(`      ${paint.red(coded)}${wrap(visible(message), screen.columns, 6, 6 + coded.length)}\n`);
  if (hint !== null) lines.push(`      ${paint.blue("=")} ${wrap(visible(hint), screen.columns, 8)}\n`);
  return lines.join("");
}

/** The result of an apply. */
export function resultText(report: HeadlineInput, screen: Screen): string {
  const { results, ended, plan, receipt, undo } = report;
  const { paint } = screen;
  const headline = applyHeadline(report);
  const after = undo === undefined ? "" : undoEndText(undo, screen);
  const back = receipt === undefined || !hasActed(results) ? "" : `To undo: ${visible(receipt.undo)}\n`;
  if (results.length > 0) return `${runText(results, ended, headline, screen)}${after}${back}`;
  if (undo !== undefined && plan.withheld.length > 0)
    return `${paint.yellow("Nothing was undone: all changes are left out.")}\n${after}`;
  if (undo !== undefined) return `${paint.green("Nothing to undo.")}\n${after}`;
  const { title, about } = headline;
  return about === "" ? `${paint.yellow(`${title}.`)}\n` : `${paint.green(`${title}:`)} ${about}.\n`;
}

/** Whether the account was changed, or may have been. */
function hasActed(results: readonly ChangeOutcome[]): boolean {
  return results.some(({ outcome, already_so }) => outcome !== "skipped" && already_so !== true);
}

/**
 * One outcome, printed as soon as it is known. `name`: the change as the list shows it. Changes that were not started are
 * left to the result, because there can be many.
 */
export function outcomeText(outcome: Outcome, name: string, { paint, columns }: Screen): string {
  const { action, kind } = outcome.change;
  const what = `${kind} ${visible(name)}`;
  switch (outcome.outcome) {
    case "applied":
      return `${paint.green("✓")} ${PAST_TENSE[action]} ${what}\n`;
    case "skipped": {
      if (outcome.code !== "moved") return "";
      const head = `· ${action} ${what} skipped:`;
      return `${paint.yellow("·")}${head.slice(1)} ${wrap(visible(outcome.because), columns, 4, widthOf(head) + 1)}\n`;
    }
    case "failed": {
      const head = `✗ ${action} ${what} failed:`;
      const why = wrap(visible(outcome.failure.message), columns, 4, widthOf(head) + 1);
      return `${paint.red("✗")}${head.slice(1)} ${why}\n`;
    }
    default:
      return outcome satisfies never;
  }
}
