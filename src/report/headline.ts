// The first sentence about a plan: what stops working for visitors.

import type { Plan } from "../domain/change.ts";
import type { ChangeView } from "./change.ts";
import { plural } from "./counts.ts";
import { clicksOf, countObjects } from "./sections.ts";

export interface VisitorHeadline {
  /** Whether a short URL stops working. */
  readonly isBad: boolean;
  readonly title: string;
  /** What follows the title. */
  readonly about: string;
}

/** What the changes of a plan mean for visitors. A plan that a brake stopped would end short URLs, but does not. */
export function visitorHeadline(changes: readonly ChangeView[], { brakes }: Pick<Plan, "brakes">): VisitorHeadline {
  const lost = changes.filter((change) => change.lost !== null);
  if (lost.length > 0) {
    const clicks = clicksOf(lost);
    const verb = brakes.length > 0 ? "would" : "will";
    return {
      isBad: true,
      title: `${plural(lost.length, "short URL")} ${verb} stop working`,
      about: clicks === "" ? "." : ` (${clicks} so far).`,
    };
  }
  const title = "Nothing breaks:";
  if (changes.every(({ kind }) => kind === "pixel")) return { isBad: false, title, about: " only pixels change." };
  const noticed = changes.filter(({ isNoticed }) => isNoticed);
  const others =
    noticed.length === 0
      ? ""
      : ` ${countObjects(noticed)} ${noticed.length === 1 ? "changes" : "change"} for visitors.`;
  return { isBad: false, title, about: ` every short URL keeps working.${others}` };
}
