// What is said when a plan does more than its limits allow: then nothing of it is applied.

import type { Outcome } from "../apply/outcome.ts";
import type { Plan, TrippedBrake } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";

/** One for each limit that is exceeded. The plan itself shows by what. */
export function brakeProblems({ brakes }: Pick<Plan, "brakes">): Diagnostic[] {
  return brakes.map((brake) => {
    const { limits, limit, flag, key } = brake;
    const message = `${whatTrips(brake)}, and at most ${limit} may be: nothing of this plan is applied.`;
    return error("brake", message, null, `If this is meant, plan with --allow-${limits} ${flag}, or write \`${key}\`.`);
  });
}

function whatTrips({ limits, kind, count }: TrippedBrake): string {
  if (limits !== "clicks") return `${count} ${kind}s would be ${limits === "deletes" ? "deleted" : "updated"}`;
  return count === null ? "The service does not say how many clicks would be lost" : `${count} clicks would be lost`;
}

/** What becomes of the changes of such a plan. */
export function heldByBrake({ changes }: Pick<Plan, "changes">): Outcome[] {
  const because = "The plan exceeds a limit, so nothing of it is applied.";
  return changes.map((change) => ({ change, outcome: "skipped", code: "brake", because }));
}
