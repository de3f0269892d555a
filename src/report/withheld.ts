// What the files ask for and the plan leaves out, and why.

import type { Plan, Withheld } from "../domain/change.ts";
import { plural } from "./diagnostics-text.ts";
import type { Screen } from "./screen.ts";
import { visible } from "./unseen.ts";
import { wrap } from "./width.ts";

/** More keys than these are counted only. */
const MOST_KEYS = 10;

const BECAUSE = {
  target: "not among those that --target names",
  exclude: "left out by --exclude",
  allow: "of a kind that `allow` in the project file does not name",
  waits: "waiting for one that is left out",
} as const;

type Because = keyof typeof BECAUSE;

/** Why a change is left out, as one word. */
export function whyWithheld({ because }: Withheld): Because {
  return typeof because === "string" ? because : "waits";
}

/** How many are left out and why; empty where the plan is whole, else it ends with an empty line. */
export function withheldText({ withheld }: Plan, { paint, columns }: Screen): string {
  if (withheld.length === 0) return "";
  const reasons = (["target", "exclude", "allow", "waits"] as const).flatMap((reason) => {
    const those = withheld.filter((one) => whyWithheld(one) === reason);
    return those.length === 0 ? [] : [reasonText(BECAUSE[reason], those, columns)];
  });
  const head = `Partial plan: ${plural(withheld.length, "change")} ${withheld.length === 1 ? "is" : "are"} left out.`;
  return `${paint.yellow(wrap(head, columns, 0))}\n${reasons.join("")}\n`;
}

function reasonText(reason: string, those: readonly Withheld[], columns: number | null): string {
  const named = those.slice(0, MOST_KEYS).map(({ change, because }) => {
    const end = typeof because !== "string" && because.action === "delete" ? "the deletion of " : "";
    const waitsFor = typeof because === "string" ? "" : `, for ${end}${because.kind} ${visible(because.key)}`;
    return `        ${change.action} ${change.kind} ${visible(change.key)}${waitsFor}\n`;
  });
  const more = those.length - named.length;
  const rest = more === 0 ? "" : `        and ${more} more\n`;
  return `    ${wrap(`${those.length} ${reason}:`, columns, 4)}\n${named.join("")}${rest}`;
}
