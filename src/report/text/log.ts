// Plans, findings and outcomes as text, for a terminal or a log.

import { logContext } from "./findings.ts";
import type { Outcome } from "../../apply/outcome.ts";
import { visible } from "../../domain/control-characters.ts";
import { PAST_TENSE, type Plan } from "../../domain/change.ts";
import { composeLog } from "../compose.ts";
import { idText } from "../compose-changes.ts";
import type { PlannedReport } from "../document.ts";
import { plannedDocument } from "../run-document.ts";
import { drawBlocks } from "./blocks.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** The whole plan without its findings. The last line has the counts. */
export function planText(plan: Plan, screen: Screen, about: Partial<PlannedReport> = {}): string {
  const document = plannedDocument({ plan, problems: [], baseUrl: "", ...about });
  const command = about.undo === undefined ? "plan" : "undo";
  return drawBlocks(composeLog(document, command, logContext(screen), false), screen);
}

/** One outcome, printed as soon as it is known. Changes that were not started are left to the result, because there can be many. */
export function outcomeText(outcome: Outcome, { paint, columns }: Screen): string {
  const { change } = outcome;
  const { action, kind, key } = change;
  const what = `${kind} ${visible(key)}${change.action === "delete" ? idText({ id: change.live.id, key }) : ""}`;
  if (outcome.outcome === "applied") return `${paint.green("✓")} ${PAST_TENSE[action]} ${what}\n`;
  if (outcome.outcome === "skipped" && outcome.code !== "moved") return "";
  const [head, why] =
    outcome.outcome === "failed"
      ? [`${paint.red("✗")} ${action} ${what} failed:`, outcome.failure.message]
      : [`${paint.yellow("·")} ${action} ${what} skipped:`, outcome.because];
  return `${wrap(`${head} ${visible(why)}`, columns, 4, 0)}\n`;
}
