// A plan as GitLab's terraform report: three counts, which it shows in the merge request.

import type { Plan } from "../../domain/change.ts";

interface Counts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/**
 * The counts: a replacement is one row that is stored and one that is deleted, and counts as both. Where nothing could be
 * planned the report is empty, for zeros would look like "no changes": GitLab shows one without these keys as a report that could
 * not be made (its `Terraform::Tfplan` calls that `missing_json_keys`).
 */
export function terraformReport(plan: Pick<Plan, "complete" | "summary"> | null): Counts | Record<string, never> {
  if (plan === null || !plan.complete) return {};
  const { create, update, replace, delete: deleted } = plan.summary;
  return { create: create + replace, update, delete: deleted + replace };
}
