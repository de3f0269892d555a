// The result of an apply as text.

import type { Plan } from "../domain/change.ts";
import { accountText, type Told } from "./account.ts";
import type { ApplyReport } from "./report.ts";
import type { Screen } from "./screen.ts";

/** The final account of an apply. */
export function resultText(
  {
    told,
    ended,
    plan,
    saved,
  }: Pick<ApplyReport, "ended" | "saved"> & {
    readonly told: readonly Told[];
    readonly plan: Pick<Plan, "withheld">;
  },
  screen: Screen,
): string {
  const { paint } = screen;
  if (told.length > 0) return accountText(told, ended, screen);
  if (saved !== null) return `${paint.green("No changes:")} the saved plan holds none.\n`;
  if (plan.withheld.length > 0) return `${paint.yellow("No changes but those left out.")}\n`;
  return `${paint.green("No changes:")} the account is as the files say.\n`;
}
