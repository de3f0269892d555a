// An undo as text: the plan, what cannot be restored, and what the files still ask for.

import { visible } from "../../domain/control-characters.ts";
import { compareText } from "../../domain/place.ts";
import { plural } from "../counts.ts";
import { showInstant } from "../drift.ts";
import { groupLosses, notRestored, type UndoSummary } from "../undo.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";
import type { Plan } from "../../domain/change.ts";
import { planText } from "./plan.ts";
import type { PlanPace } from "../plan-remarks.ts";

function undoHead({ receipt, at, changes, isEnded }: UndoSummary, { paint, columns }: Screen): string {
  const killed = isEnded
    ? []
    : ["That run did not finish. linkform compared its receipt with the account to find its changes."];
  const lines = [
    paint.bold(`Undo of ${visible(receipt)}: ${plural(changes, "change")} from ${showInstant(at)}.`),
    ...killed,
  ];
  return `${lines.map((line) => `${wrap(line, columns, 0)}\n`).join("")}\n`;
}

/** Losses, shown before the confirmation. */
function lossesText(undo: UndoSummary, { paint, columns }: Screen): string {
  const blocks = groupLosses(undo).map((losses) => {
    const lines = losses.map(({ message }) => `      ${wrap(visible(message), columns, 6)}\n`);
    return `    ${losses[0]?.kind} ${visible(losses[0]?.key ?? "")}\n${lines.join("")}`;
  });
  const more = blocks.length - MAX_LISTED;
  if (more > 0)
    blocks.splice(MAX_LISTED, more, `    … and ${plural(more, "more object")} (--format json lists them all)\n`);
  if (blocks.length === 0) return "";
  return `${paint.bold(paint.underline("What cannot be restored"))}\n\n${blocks.join("")}\n`;
}

/** Further items are only counted. */
const MAX_LISTED = 10;

/** Text after the result: what was not restored, and what the files still request. */
export function undoEndText(undo: UndoSummary, { paint, columns }: Screen): string {
  const lines: string[] = [];
  const { contradictingFiles: files } = undo;
  const { partly, whole } = notRestored(undo);
  const partial = partly.map(({ key, paths }) => {
    const without = paths.map((path) => `\`${path}\``).join(", ");
    return `\`${visible(key)}\`${without === "" ? "" : ` (without ${without})`}`;
  });
  const parts = [
    ...(partial.length === 0 ? [] : [`Partly restored: ${listed(partial)}.`]),
    ...(whole.length === 0 ? [] : [`Not restored: ${listed(whole.map((key) => `\`${visible(key)}\``))}.`]),
  ];
  if (parts.length > 0) lines.push(paint.yellow(`${parts.join(" ")} The warnings give the reasons.`));
  if (files.length > 0) {
    const names = files.map(({ file }) => visible(file)).toSorted(compareText);
    const keys = files.flatMap((one) => one.keys);
    const pulled = keys.length === 1 ? visible(keys[0] ?? "") : "KEY…";
    lines.push(
      `The next apply would make the undone changes again, because the files still ask for them: ${listed(names)}. Revert the commit (\`git revert\`), or update the files from the account: \`linkform pull ${pulled}\`.`,
    );
  }
  return lines.map((line) => `${wrap(line, columns, 0)}\n`).join("");
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return `${names.slice(0, MAX_LISTED).join(", ")}${more}`;
}

/** The plan of an undo, shown before the confirmation. */
export function undoPlanText(plan: Plan, undo: UndoSummary, pace: PlanPace | null, screen: Screen): string {
  const head = undoHead(undo, screen);
  const losses = lossesText(undo, screen);
  if (plan.complete && plan.changes.length === 0 && plan.withheld.length === 0) {
    const why = undo.alreadyUndone === undo.changes ? ": every change is already undone, or was never made" : "";
    return `${head}${losses}${screen.paint.green(`Nothing to undo${why}.`)}\n${undoEndText(undo, screen)}`;
  }
  return `${head}${losses}${planText(plan, screen, { pace, isUndo: true })}`;
}
