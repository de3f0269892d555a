// `linkform apply PLAN`: finds the changes that are both in a saved plan and in a new plan.

import { UserError } from "../errors.ts";
import { resolve } from "../plan/resolve.ts";
import { narrowPlan } from "../plan/summary.ts";
import { openPlan, type OpenedPlan } from "../record/file.ts";
import { accountHash } from "../record/lines.ts";
import { changesToRun, reviewSavedPlan, type Review } from "../record/review.ts";
import { refuseErrors, type Console } from "../session/console.ts";
import type { ExecuteFlags } from "../session/run-record.ts";
import { moveWithoutBase } from "../session/move-base.ts";
import { savedPlanOptions } from "../session/plan-flags.ts";
import { planFiles, type Planned, type ReadFlags } from "../session/planned.ts";
import { withLinks } from "../session/read-account.ts";

/** A saved plan, and what of it is still planned. */
export interface ReviewedPlan extends OpenedPlan {
  readonly review: Review;
}

/** Plans again as a saved plan was made, and keeps only the reviewed changes. Throws a user error or a refusal if it cannot be used. */
export async function planSaved(
  out: Console<ReadFlags & ExecuteFlags & { readonly moveBase?: boolean | "create" }>,
  file: string,
): Promise<Planned & { readonly saved: ReviewedPlan }> {
  const { world, flags } = out;
  const opened = await openPlan(world, file);
  const { saved, line } = opened;
  if (flags.moveBase === true && saved.options.base === null)
    throw moveWithoutBase("Save a plan with a base: linkform plan --base applied --out FILE.");
  const checkAddress = (baseUrl: string): void => {
    const { base_url: address } = saved.service;
    if (address !== baseUrl)
      throw new UserError("plan-address", `${file} was made for ${address}, but this run connects to ${baseUrl}.`, {
        hint: "Apply it with the project that it was made from, or save a new plan.",
      });
    if (world.secrets.has(JSON.parse(line)))
      throw new UserError("plan-with-secret", `${file} contains the API key or a password, so it is not applied.`, {
        hint: "Remove it from the files and from the service, and replace it if others have seen it. Then save a new plan.",
      });
  };
  const { resources = [] } = saved.options;
  const again = { options: savedPlanOptions(saved.options), resources, isSaved: true, checkAddress };
  const planned = await planFiles(out, { command: "apply", ...again });
  const { baseUrl, state, project, plan, options, transport, reader } = planned;
  const account = accountHash(baseUrl, state);
  if (saved.account !== null && account !== null && saved.account !== account)
    throw new UserError("plan-account", `${file} was made for another account. This API key does not belong to it.`, {
      hint: "Set an API key of the account that the plan was made for, or save a new plan.",
    });
  if ((saved.account === null || account === null) && saved.changes.length > 0) {
    const message = `linkform cannot check that ${file} was made for the account of this API key, because the service does not report the account.`;
    throw new UserError("plan-account-unknown", message, { hint: "Run `linkform apply` without a saved plan." });
  }
  // Without a plan, the errors of the files or the account are the whole report.
  refuseErrors(plan.diagnostics);
  out.progress.start();
  // The files may no longer name some links of the saved plan. Without this, these would look deleted.
  const ids = saved.changes.flatMap(({ kind, id }) => (kind === "link" ? [id] : []));
  const known = resolve(project, await withLinks(state, ids, reader, flags.concurrency));
  out.progress.stop();
  // A record with unreadable fields still exists: it does not count as deleted.
  const live = [...known.live, ...known.unreadable];
  const review = reviewSavedPlan(saved.changes, plan, live);
  const all = { ...state, requests: transport.requests };
  const narrowed = narrowPlan(plan, changesToRun(review.reviewed), options.allowances, all);
  return { ...planned, state: all, plan: narrowed, saved: { ...opened, review } };
}
