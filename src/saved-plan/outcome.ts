// What became of each change of a saved plan, as JSON, text and events.

import type { Outcome } from "../apply/outcome.ts";
import type { Change } from "../domain/change.ts";
import { changeNames } from "../view/counts.ts";
import {
  outcomeDocument,
  combineOutcomes,
  type ChangeDocument,
  type ChangeResult,
  type ErrorDocument,
  type OutcomeDocument,
} from "../view/document.ts";
import type { Reviewed, Verdict } from "./review.ts";
import type { Screen } from "../render/text/screen.ts";
import { wrap } from "../render/text/width.ts";
import { visible } from "../domain/control-characters.ts";
import { numberedDocument, outcomeOnly, type NumberedChange } from "../render/ndjson/index.ts";

/** A saved change and what became of it. */
export type SavedOutcome = ChangeDocument & OutcomeDocument & { already_so: boolean };

/** One for each saved change, in their order. `outcomes` are those of the changes that were run. */
export function savedOutcomes(verdicts: readonly Verdict[], outcomes: readonly Outcome[]): SavedOutcome[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  return verdicts.map((verdict) => ({ ...verdict.saved, already_so: false, ...outcomeOf(verdict, byChange) }));
}

function outcomeOf(verdict: Verdict, byChange: ReadonlyMap<Change, Outcome>): OutcomeDocument {
  switch (verdict.is) {
    case "run":
      return combineOutcomes(verdict.changes.map((change) => outcomeDocument(byChange.get(change))));
    case "already so":
      return { outcome: "applied", error: null, already_so: true };
    case "moved":
      return { outcome: "skipped", error: notMade("moved", verdict) };
    case "waiting":
      return { outcome: "skipped", error: notMade("skipped", verdict) };
    default:
      return verdict satisfies never;
  }
}

function notMade(code: string, { saved, because }: { saved: ChangeDocument; because: string }): ErrorDocument {
  return { code, message: because, hint: null, path: null, ...saved.source };
}

/** Whether this one was left because it would be another one now, or needs one that is left. */
export function isLeft({ is }: Verdict): boolean {
  return is === "moved" || is === "waiting";
}

/** What is not run, and why: said before the rest is. `isAll`: the account that follows will say what is left. */
export function reviewText({ verdicts, notReviewed }: Reviewed, isAll: boolean, { paint, columns }: Screen): string {
  const nameOf = changeNames(verdicts.map(({ saved }) => saved));
  const lines = verdicts.flatMap((verdict) => {
    const what = `${verdict.saved.action} ${verdict.saved.kind} ${visible(nameOf(verdict.saved))}`;
    if (verdict.is === "run") return [];
    if (verdict.is === "already so") return [`${paint.green("✓")} ${what}: already so.\n`];
    if (isAll) return [];
    const how = verdict.is === "moved" ? "moved" : "skipped";
    return [`${wrap(`${paint.yellow("·")} ${what}: ${how}. ${visible(verdict.because)}`, columns, 4, 0)}\n`];
  });
  const others = notReviewed.map(({ action, kind, key }) => `    ${action} ${kind} ${visible(key)}\n`);
  const left = others.length === 0 ? "" : `Not reviewed, so left for the next plan:\n${others.join("")}`;
  return `${lines.join("")}${left}`;
}

/** Those of a saved plan, as it numbers them: one may be made of several, or of none. */
export function numberedAsSaved(verdicts: readonly Verdict[], results: readonly ChangeResult[]): NumberedChange[] {
  return verdicts.map((verdict, at) => ({
    document: numberedDocument(verdict.saved, at),
    parts: verdict.is === "run" ? verdict.changes : [],
    left: verdict.is === "run" ? null : outcomeOnly(results[at]),
  }));
}
