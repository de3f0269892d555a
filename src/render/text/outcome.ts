// What became of the changes of an apply, as text: each as it ends.

import type { Outcome } from "../../apply/outcome.ts";
import { DONE } from "../../view/apply-result.ts";
import type { Screen } from "./screen.ts";
import { widthOf, wrap } from "./width.ts";
import { visible } from "../../domain/control-characters.ts";

/**
 * One outcome, printed as soon as it is known. `name`: what the list calls the change. Changes that did not begin are left to the
 * account: there may be very many.
 */
export function outcomeText(outcome: Outcome, name: string, { paint, columns }: Screen): string {
  const { action, kind } = outcome.change;
  const what = `${kind} ${visible(name)}`;
  switch (outcome.outcome) {
    case "applied":
      return `${paint.green("✓")} ${DONE[action]} ${what}\n`;
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

/** Clicks of what these have deleted or replaced, as far as the service says. */
export function clicksLost(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { outcome, change }) => {
    const isGone = outcome === "applied" && (change.action === "delete" || change.action === "replace");
    return isGone ? sum + (change.live.clicks ?? 0) : sum;
  }, 0);
}
