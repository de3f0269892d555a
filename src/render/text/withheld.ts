// What a plan leaves out, and why.

import type { Plan, Withheld } from "../../domain/change.ts";
import { visible } from "../../domain/control-characters.ts";
import { leftOut, partialText, waitsFor } from "../../view/withheld.ts";
import type { Screen } from "./screen.ts";
import { wrap } from "./width.ts";

/** More keys than these are counted only. */
const MOST_KEYS = 10;

/** How many are left out and why; empty where the plan is whole, else it ends with an empty line. */
export function withheldText(plan: Plan, { paint, columns }: Screen): string {
  if (plan.withheld.length === 0) return "";
  const reasons = leftOut(plan).map(({ reason, those }) => reasonText(reason, those, columns));
  const head = partialText(plan);
  return `${paint.yellow(wrap(head, columns, 0))}\n${reasons.join("")}\n`;
}

function reasonText(reason: string, those: readonly Withheld[], columns: number | null): string {
  const named = those.slice(0, MOST_KEYS).map((one) => {
    const { action, kind, key } = one.change;
    return `        ${action} ${kind} ${visible(key)}${waitsFor(one)}\n`;
  });
  const more = those.length - named.length;
  const rest = more === 0 ? "" : `        and ${more} more\n`;
  return `    ${wrap(`${those.length} ${reason}:`, columns, 4)}\n${named.join("")}${rest}`;
}
