// The outcomes of the changes of a saved plan.

import type { Outcome } from "../apply/outcome.ts";
import type { Change } from "../domain/change.ts";
import { outcomeDocument, combineOutcomes } from "../report/document.ts";
import type { ReviewedChange } from "./review.ts";
import type { ChangeDocument, ChangeResult, ErrorDocument, OutcomeDocument } from "../report/json/schema.ts";

/** One for each saved change, in the order of the saved plan. `outcomes` has those of the changes that were run. */
export function savedOutcomes(reviewed: readonly ReviewedChange[], outcomes: readonly Outcome[]): ChangeResult[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  return reviewed.map((result) => ({ ...result.saved, already_so: false, ...outcomeOf(result, byChange) }));
}

function outcomeOf(result: ReviewedChange, byChange: ReadonlyMap<Change, Outcome>): OutcomeDocument {
  switch (result.status) {
    case "run":
      return combineOutcomes(result.changes.map((change) => outcomeDocument(byChange.get(change))));
    case "already-applied":
      return { outcome: "applied", error: null, already_so: true };
    case "moved":
      return { outcome: "skipped", error: skipError("moved", result) };
    case "blocked":
      return { outcome: "skipped", error: skipError("skipped", result) };
    default:
      return result satisfies never;
  }
}

function skipError(code: string, { saved, reason }: { saved: ChangeDocument; reason: string }): ErrorDocument {
  return { code, message: reason, hint: null, path: null, ...saved.source };
}

export function isSkipped(reviewed: ReviewedChange | undefined): boolean {
  return reviewed?.status === "moved" || reviewed?.status === "blocked";
}
