// The plan of an undo as text: what it would do, and what can't come back.

import type { Plan } from "../../domain/change.ts";
import type { Screen } from "./screen.ts";
import { planText } from "./plan.ts";
import type { PlanPace } from "../../view/plan-remarks.ts";
import type { UndoSummary } from "../../view/undo.ts";
import { lossesText, undoEndText, undoHead } from "./undo.ts";

/** All there is to know before it is confirmed. */
export function undoPlanText(plan: Plan, undo: UndoSummary, pace: PlanPace | null, screen: Screen): string {
  const head = undoHead(undo, screen);
  const losses = lossesText(undo, screen);
  if (plan.complete && plan.changes.length === 0 && plan.withheld.length === 0) {
    const why = undo.already === undo.changes ? ": all of it is taken back already, or was never done" : "";
    return `${head}${losses}${screen.paint.green(`Nothing to take back${why}.`)}\n${undoEndText(undo, screen)}`;
  }
  return `${head}${losses}${planText(plan, screen, { pace, isUndo: true })}`;
}
