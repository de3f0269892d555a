// `applyPlan`: applies a plan and returns the outcomes.

import { runPlan } from "../apply/run.ts";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { systemClock } from "../session/context.ts";
import { resolveSecrets } from "../session/secrets.ts";
import type { Plan as FullPlan } from "../domain/change.ts";
import { errorsIn, hasErrors } from "../domain/diagnostic.ts";
import { EXIT, UserError } from "../errors.ts";
import { resolveRecord } from "../plan/live-records.ts";
import { plansEverything } from "../plan/withhold.ts";
import { brakeDocument } from "../report/brakes.ts";
import { fieldWords } from "../report/values.ts";
import { connectWriter } from "../service/service.ts";
import { plans } from "./plan.ts";
import { canonicalNow } from "./read.ts";
import { withService, type ServiceOptions } from "./service.ts";
import type { Applied, Environment, Outcome, Plan } from "./types.ts";

/** Options of `applyPlan`. It connects to the address that was read. */
export interface ApplyOptions extends ServiceOptions {
  /** Environment variables for passwords (`LINKFORM_SECRET_…`) and proxies. Default: none. */
  readonly env?: Environment | undefined;
  /** The most changes that run in parallel; at least 1. Default: 10. */
  readonly concurrency?: number | undefined;
  /** Called with each outcome. A change that fails the verification is reported again, as failed. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

const appliedPlans = new WeakSet<Plan>();

/**
 * Applies the changes of a plan and nothing else, then reads the changed records again to verify them. After the first request, it
 * throws nothing: a change that fails is an outcome, and so is a change that is skipped because it depends on that one. To continue
 * after a failure, read and plan again. Changes that were applied are kept.
 *
 * Before the first request, it throws a `UserError` for a plan with errors (`plan-has-errors`), a plan that exceeds a limit (`brake`), a
 * plan that was applied before (`plan-used`), a secret that cannot be read or used (`secret-missing`, `secret-too-long`), and an API
 * key, proxy or option that cannot be used. Then nothing was applied.
 *
 * ```js
 * const { done, outcomes } = await applyPlan(plan, { apiKey: process.env.LINKFORM_API_KEY, env: process.env });
 * ```
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<Applied> {
  const { plan: fullPlan, resolved, folder, baseUrl, readAt } = plans.of(plan);
  const { side, state } = resolved;
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new UserError("wrong-concurrency", "`concurrency` must be a whole number of at least 1.");
  assertApplicable(fullPlan);
  const { secret, diagnostics } = await resolveSecrets(fullPlan.secretsNeeded, folder, options.env ?? {});
  const [unusable] = diagnostics;
  if (unusable !== undefined)
    throw new UserError(unusable.code, diagnostics.map(({ message }) => message).join(" "), {
      hint: unusable.hint ?? "",
    });
  // The version is known from the reading. Detecting it again would take requests that the plan does not count.
  const software = { version: state.software.version, from: "The live state" };
  return withService(baseUrl, software, options, async ({ transport, secrets, signal, guarded }) => {
    if (appliedPlans.has(plan)) {
      throw new UserError("plan-used", "This plan was already applied.", {
        hint: "Read the account again, and apply a new plan.",
      });
    }
    appliedPlans.add(plan);
    const { outcomes, stopped } = await runPlan(fullPlan, connectWriter(transport), {
      canonical: (record) => resolveRecord(record, side),
      state,
      readAt,
      concurrency,
      now: canonicalNow(),
      secret,
      clock: systemClock,
      signal,
      describe: (change, fields) => secrets.hideIn(fieldWords(fullPlan, change, fields)),
      onOutcome: guarded(options.onOutcome),
    });
    const done = stopped === null && outcomes.every(({ outcome }) => outcome === "applied");
    return { done, complete: done && plansEverything(fullPlan), outcomes, stopped };
  });
}

function assertApplicable({ complete, diagnostics, brakes }: FullPlan): void {
  if (!complete || hasErrors(diagnostics)) {
    const [first] = errorsIn(diagnostics);
    throw new UserError("plan-has-errors", `The plan has errors: ${first?.message ?? "see its diagnostics."}`, {
      hint: first?.hint ?? "Check the diagnostics of the plan.",
    });
  }
  const [brake] = brakes;
  if (brake === undefined) return;
  const { limits, flag, key } = brake;
  throw new UserError("brake", brakeDocument(brake, "this run").message, {
    hint: `To allow this, plan with \`allowances: { ${limits}: ${flag} }\`${key === null ? "" : ", or raise `brake` in the project file"}.`,
    exit: EXIT.refused,
  });
}
