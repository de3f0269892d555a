// Drift: how the live state differs from the files. In JSON it is the document of the plan.

import type { Change, Plan } from "../domain/change.ts";

/** In the order of the output. */
export const DRIFT_STATES = [
  "missing",
  "changed",
  "not renamed yet",
  "not moved yet",
  "not deleted yet",
  "undeclared",
] as const;
export type DriftState = (typeof DRIFT_STATES)[number];

/** All differences. Changes that `allow` withholds are differences, too. */
export function differences({ changes, withheld }: Plan): Change[] {
  return [...changes, ...withheld.map(({ change }) => change)];
}

export function driftState(change: Change): DriftState {
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
