// What did not happen where a run could not begin.

import type { FailureReport } from "./report.ts";

/** The beginning of a sentence. */
export const NOTHING: Readonly<Record<FailureReport["command"], string>> = {
  plan: "Nothing was planned",
  apply: "Nothing was applied",
  drift: "Nothing was compared",
  pull: "Nothing was written",
  rm: "Nothing was written",
  import: "Nothing was written",
  init: "Nothing was written",
  list: "Nothing was read",
  show: "Nothing was read",
  undo: "Nothing was undone",
  explain: "Nothing was explained",
};
