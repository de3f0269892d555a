// The outcomes of the changes of a saved plan, as JSON and text.

import type { Outcome } from "../apply/outcome.ts";
import type { Change } from "../domain/change.ts";
import { changeNames } from "../report/counts.ts";
import { outcomeDocument, combineOutcomes } from "../report/document.ts";
import type { Review, ReviewedChange } from "./review.ts";
import type { Screen } from "../report/text/screen.ts";
import { wrap } from "../report/text/width.ts";
import { visible } from "../domain/control-characters.ts";
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

/** The changes that are not run, shown before the others start. With `isAll`, nothing is run, and the result explains it. */
export function reviewText({ reviewed, notReviewed }: Review, isAll: boolean, { paint, columns }: Screen): string {
  const nameOf = changeNames(reviewed.map(({ saved }) => saved));
  const lines = reviewed.flatMap((result) => {
    const what = `${result.saved.action} ${result.saved.kind} ${visible(nameOf(result.saved))}`;
    if (result.status === "run") return [];
    if (result.status === "already-applied") return [`${paint.green("✓")} ${what}: already done.\n`];
    if (isAll) return [];
    const how = result.status === "moved" ? "moved" : "skipped";
    return [`${wrap(`${paint.yellow("·")} ${what}: ${how}. ${visible(result.reason)}`, columns, 4, 0)}\n`];
  });
  const others = notReviewed.map(({ action, kind, key }) => `    ${action} ${kind} ${visible(key)}\n`);
  const notReviewedText = others.length === 0 ? "" : `Not reviewed, left for the next plan:\n${others.join("")}`;
  return `${lines.join("")}${notReviewedText}`;
}
