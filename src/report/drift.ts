// Drift: how the live state differs from the files. In JSON it is the document of the plan.

import type { Change, Plan } from "../domain/change.ts";
import { countBy, plural, showCount } from "./counts.ts";
import type { ReportDocument } from "./document.ts";

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

/** The title of a report of differences, and how many objects have none. */
export function driftHead({ changes = [], summary }: ReportDocument): {
  readonly title: string;
  readonly rest: string;
} {
  const counts = countBy(changes, ({ drift }) => drift ?? "changed", DRIFT_STATES);
  const states = [...counts].map(([state, count]) => `${showCount(count)} ${state}`).join(", ");
  const unchanged = summary?.unchanged ?? 0;
  return {
    title: changes.length === 0 ? "No drift." : `Drift: ${states}.`,
    rest: `${plural(unchanged, "object")} ${unchanged === 1 ? "matches" : "match"} the files.`,
  };
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

/** A canonical instant in UTC, to the minute. */
export function showInstant(instant: string): string {
  const [date = "", time = ""] = instant.split("T");
  return `${date} ${time.slice(0, "HH:MM".length)} UTC`;
}
