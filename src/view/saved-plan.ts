// What a saved plan holds.

import type { PlanDocument } from "./document.ts";

/** What a plan was made with, besides the files and the account. */
export interface SavedOptions {
  targets: string[];
  excludes: string[];
  base: { ref: string; commit: string } | null;
  resend_secrets: string[];
  allowances: { deletes: number | null; updates: number | null; clicks: number | null };
}

/** What `plan --out` writes. */
export interface SavedPlan extends PlanDocument {
  options: SavedOptions;
  digest: string;
}
