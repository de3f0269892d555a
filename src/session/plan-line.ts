// The first line of a record: the plan with its options, as `plan --out` saves it.

import { accountHash } from "../record/account.ts";
import type { PlanLine } from "../record/file.ts";
import { changeDocument } from "../report/change-document.ts";
import { planDocument } from "../report/document.ts";
import { savedOptions } from "./plan-flags.ts";
import type { Planned } from "./planned.ts";

/** The content of the line for this plan. */
export function planLineOf({ plan, baseUrl, options, opened, state }: Planned): PlanLine {
  const changes = plan.changes.map((change) => changeDocument(change, plan));
  return {
    event: "planned",
    ...planDocument({ plan, problems: [], baseUrl }, changes),
    options: savedOptions(options, opened.resources),
    account: accountHash(baseUrl, state),
  };
}
