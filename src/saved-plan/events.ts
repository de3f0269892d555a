// The changes of a saved plan as events number them.

import { type NumberedChange, numberedDocument, outcomeOnly } from "../render/ndjson/index.ts";
import type { ChangeResult } from "../view/document.ts";
import type { Verdict } from "./review.ts";

/** Those of a saved plan, as it numbers them: one may be made of several, or of none. */
export function numberedAsSaved(verdicts: readonly Verdict[], results: readonly ChangeResult[]): NumberedChange[] {
  return verdicts.map((verdict, at) => ({
    document: numberedDocument(verdict.saved, at),
    parts: verdict.is === "run" ? verdict.changes : [],
    left: verdict.is === "run" ? null : outcomeOnly(results[at]),
  }));
}
