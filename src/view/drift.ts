// How live differs from what is declared, in words of what is, not of what would be done. In JSON it is the plan's document.

import type { Change, Plan } from "../domain/change.ts";
import { comparedLines, showBase } from "./plan-remarks.ts";

/** In the order in which they are counted. */
export const STATES = [
  "changed",
  "missing",
  "not renamed yet",
  "not moved yet",
  "not deleted yet",
  "undeclared",
] as const;
export type State = (typeof STATES)[number];

/**
 * What is not as declared. Changes that `allow` leaves out of the plan are differences all the same: they would stay.
 */
export function differences({ changes, withheld }: Plan): Change[] {
  return [...changes, ...withheld.map(({ change }) => change)];
}

/** What can't be compared, and what is held against what: sentences. */
export function driftRemarks(plan: Plan): string[] {
  const declared = plan.base === null ? [] : [`Declared at ${showBase(plan.base)}.`];
  return [...comparedLines(plan), ...declared];
}

/** `1 changed, 2 missing`. */
export function statesText(all: readonly Change[]): string {
  const counts = STATES.flatMap((state) => {
    const count = all.filter((change) => stateOf(change) === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return counts.join(", ");
}

/** How live differs. */
export function stateOf(change: Change): State {
  switch (change.action) {
    case "create":
      return "missing";
    case "update":
      return change.reason === "renamed" ? "not renamed yet" : "changed";
    case "replace":
      return "not moved yet";
    case "delete":
      return change.reason === "undeclared" ? "undeclared" : "not deleted yet";
    default:
      return change satisfies never;
  }
}

/** When the service last wrote what a change is about; null where it does not say, or it goes away. */
export function lastChanged(change: Change): string | null {
  if (change.action === "create" || change.action === "delete" || change.live.updatedAt === null) return null;
  return `last changed at the service ${showInstant(change.live.updatedAt)}`;
}

/** A canonical instant to the minute: the service's own clock, so in UTC. */
export function showInstant(instant: string): string {
  const [date = "", time = ""] = instant.split("T");
  return `${date} ${time.slice(0, "HH:MM".length)} UTC`;
}
