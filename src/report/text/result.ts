// The outcome of a change as a line of a log.

import { visible } from "../../domain/control-characters.ts";
import { PAST_TENSE } from "../apply-result.ts";
import type { Screen } from "./screen.ts";
import { widthOf, wrap } from "./width.ts";
import type { Outcome } from "../../apply/outcome.ts";

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
