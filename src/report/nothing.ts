// What did not happen where a run could not begin.

import type { FailureReport } from "./report.ts";

/** The beginning of a sentence. */
export const NOTHING: Readonly<Record<FailureReport["command"], string>> = {
  plan: "Nothing was planned",
  apply: "Nothing was applied",
  drift: "Nothing was compared",
};
