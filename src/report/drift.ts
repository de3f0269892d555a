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

export function driftState({ action, reason }: Change): DriftState {
  const states: Readonly<Record<Change["action"], DriftState>> = {
    create: "missing",
    update: reason === "renamed" ? "not renamed yet" : "changed",
    replace: "not moved yet",
    delete: reason === "undeclared" ? "undeclared" : "not deleted yet",
  };
  return states[action];
}
