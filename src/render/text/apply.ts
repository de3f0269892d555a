// The result of an apply as text.

import type { Plan } from "../../domain/change.ts";
import type { ChangeOutcome } from "../../view/apply-result.ts";
import { accountText } from "./result.ts";
import type { ApplyReport } from "../../view/report.ts";
import type { Screen } from "./screen.ts";
import { undoEndText } from "./undo.ts";
import { visible } from "../../domain/control-characters.ts";

/** The final account of an apply. */
export function resultText(
  {
    results,
    ended,
    plan,
    saved,
    receipt,
    undo,
  }: Pick<ApplyReport, "ended" | "saved" | "receipt" | "undo"> & {
    readonly results: readonly ChangeOutcome[];
    readonly plan: Pick<Plan, "withheld">;
  },
  screen: Screen,
): string {
  const { paint } = screen;
  const after = undo === undefined ? "" : undoEndText(undo, screen);
  const back = receipt === undefined || !hasActed(results) ? "" : `To take it back: ${visible(receipt.undo)}\n`;
  if (results.length > 0) return `${accountText(results, ended, screen)}${after}${back}`;
  if (undo !== undefined && plan.withheld.length > 0)
    return `${paint.yellow("Nothing was taken back: all there is to take back was left out.")}\n${after}`;
  if (undo !== undefined) return `${paint.green("Nothing to take back.")}\n${after}`;
  if (saved !== null) return `${paint.green("No changes:")} the saved plan holds none.\n`;
  if (plan.withheld.length > 0) return `${paint.yellow("No changes but those left out.")}\n`;
  return `${paint.green("No changes:")} the account is as the files say.\n`;
}

/** Whether something was done, or may have been. */
function hasActed(results: readonly ChangeOutcome[]): boolean {
  return results.some(({ outcome, already_so }) => outcome !== "skipped" && already_so !== true);
}
