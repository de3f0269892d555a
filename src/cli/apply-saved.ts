// `linkform apply PLAN`: opens a saved plan, and finds the changes that are both in it and in a new plan.

import { UserError } from "../errors.ts";
import { dependenciesAmong } from "../plan/order.ts";
import { resolve } from "../plan/resolve.ts";
import { narrowPlan } from "../plan/summary.ts";
import { accountProblem } from "../record/account.ts";
import { openPlan, type OpenedPlan } from "../record/file.ts";
import { changesToRun, reviewSavedPlan, type Review } from "../record/review.ts";
import { connectReader } from "../service/service.ts";
import { Refusal, refuseErrors, type Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import type { ExecuteFlags } from "../session/execute.ts";
import { moveWithoutBase } from "../session/move-base.ts";
import { savedPlanOptions } from "../session/plan-flags.ts";
import type { Planned, PlanRequest } from "../session/planned.ts";
import { withLinks } from "../session/read-account.ts";

/** A saved plan, and the request that plans the same again. */
export interface SavedSource extends OpenedPlan {
  readonly file: string;
  /** It throws a user error if the plan was made for another address, or contains a secret that is already known. */
  readonly request: Omit<PlanRequest, "command">;
}

/** A saved plan, and what of it is still planned. It does not ask, because the plan has been reviewed. */
export interface ReviewedPlan {
  readonly plan: OpenedPlan;
  readonly review: Review;
}

/** Opens a saved plan. Throws a user error or a refusal if it cannot be used. */
export async function openSaved(world: World, isMove: boolean, file: string): Promise<SavedSource> {
  const { saved, line } = await openPlan(world, file);
  if (isMove && saved.options.base === null)
    throw moveWithoutBase("Save a plan with a base: linkform plan --base applied --out FILE.");
  const { base_url: address } = saved.service;
  return {
    saved,
    line,
    file,
    request: {
      options: savedPlanOptions(saved.options),
      resources: saved.options.resources ?? [],
      isSaved: true,
      checkAddress: (baseUrl) => {
        if (address !== baseUrl)
          throw new UserError("plan-address", `${file} was made for ${address}, but this run connects to ${baseUrl}.`, {
            hint: "Apply it with the project that it was made from, or save a new plan.",
          });
        if (world.secrets.has(JSON.parse(line)))
          throw new UserError("plan-with-secret", `${file} contains the API key or a password, so it is not applied.`, {
            hint: "Remove it from the files and from the service, and replace it if others have seen it. Then save a new plan.",
          });
      },
    },
  };
}

/** Compares a saved plan with the new one. Returns the new plan with only the changes that were reviewed. */
export async function reviewSaved(
  { saved, line, file }: SavedSource,
  planned: Planned,
  out: Console<ExecuteFlags>,
): Promise<ReviewedPlan & { readonly planned: Planned }> {
  const { baseUrl, state, project, plan, options, transport } = planned;
  const other = accountProblem(saved, file, baseUrl, state);
  if (other !== null) throw new Refusal([other]);
  // Without a plan, the errors of the files or the account are the whole report.
  refuseErrors(plan.diagnostics);
  out.progress.start();
  // The files may no longer name some links of the saved plan. Without this, these would look deleted.
  const ids = saved.changes.flatMap(({ kind, id }) => (kind === "link" ? [id] : []));
  const { live, unreadable } = resolve(
    project,
    await withLinks(state, ids, connectReader(transport), out.flags.concurrency),
  );
  out.progress.stop();
  // A record with unreadable fields still exists: it does not count as deleted.
  const known = [...live, ...unreadable.map((one) => one.live)];
  const account = { plan, live: known, needs: dependenciesAmong(plan.changes) };
  const review = reviewSavedPlan(saved.changes, account);
  const all = { ...state, requests: transport.requests };
  const narrowed = narrowPlan(plan, changesToRun(review.reviewed), options.allowances, all);
  return { plan: { saved, line }, review, planned: { ...planned, state: all, plan: narrowed } };
}
