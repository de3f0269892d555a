// What became of the changes of an apply, as text: each as it ends, and the final account.

import type { Outcome } from "../apply/outcome.ts";
import type { Plan } from "../domain/change.ts";
import { showPlace } from "../domain/place.ts";
import { plural } from "./diagnostics-text.ts";
import { tally } from "./document.ts";
import type { Screen } from "./screen.ts";
import { visible } from "./words.ts";

/** One outcome, said as soon as it is known. */
export function outcomeText(outcome: Outcome, { paint }: Screen): string {
  const { change } = outcome;
  const what = `${change.action} ${change.kind} ${visible(change.key)}`;
  switch (outcome.outcome) {
    case "applied":
      return `${paint.green("✓")} ${what}\n`;
    case "skipped":
      return `${paint.yellow("·")} ${what}: skipped. ${visible(outcome.because)}\n`;
    case "failed": {
      const { code, message, hint, place } = outcome.failure;
      const advice = hint === null ? "" : `\n    ${paint.dim(visible(hint))}`;
      return `${paint.red("✗")} ${what}: failed.\n    ${visible(showPlace(place))} ${paint.red(code)} ${visible(message)}${advice}\n`;
    }
    default:
      return outcome satisfies never;
  }
}

/** The final account of an apply; `isVerified`: what it touched was read again. */
export function resultText(
  outcomes: readonly Outcome[],
  isVerified: boolean,
  { withheld }: Pick<Plan, "withheld">,
  { paint }: Screen,
): string {
  const { applied, failed, skipped } = tally(outcomes);
  if (outcomes.length === 0 && withheld.length > 0) return `${paint.yellow("No changes but those left out.")}\n`;
  if (outcomes.length === 0) return `${paint.green("No changes:")} the account is as the files say.\n`;
  const all = `${applied} applied, ${failed} failed, ${skipped} skipped`;
  if (failed + skipped === 0 && !isVerified)
    return `${paint.yellow(`${plural(applied, "change")} applied, and not read again.`)} \`linkform plan\` shows how the account is.\n`;
  if (failed + skipped === 0) return `${paint.green(`Done: ${plural(applied, "change")} applied and verified.`)}\n`;
  return `${paint.red(`Not all was done: ${all}.`)} Mend what failed and run \`linkform apply\` again: what is done stays done.\n`;
}
