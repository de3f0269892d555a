// A plan -> what became of it.

import { runPlan } from "../apply/apply.ts";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { systemClock } from "../session/clock.ts";
import { resolveSecrets } from "../session/secrets.ts";
import type { Plan as FullPlan } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, UserError } from "../errors.ts";
import { plansEverything } from "../plan/withhold.ts";
import { fieldWords } from "../view/values.ts";
import { connectWriter } from "../service/service.ts";
import { plans } from "./plan.ts";
import { canonicalNow } from "./read.ts";
import { withService, type ServiceOptions } from "./service.ts";
import type { Applied, Environment, Outcome, Plan } from "./types.ts";

/** How a plan is applied. It goes to the address that was read. */
export interface ApplyOptions extends ServiceOptions {
  /** Variables: the passwords that the files name (`LINKFORM_SECRET_…`), and the proxy's. Default: none. */
  readonly env?: Environment | undefined;
  /** Changes under way at once, at least 1. Default: 10. */
  readonly concurrency?: number | undefined;
  /** Told of each outcome as it is known; of one that the second reading does not bear out, once more. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

const appliedPlans = new WeakSet<Plan>();

/**
 * Makes the changes of a plan and no other, then reads again what it touched. A change that fails is an outcome, and so is one
 * that is skipped because it needs that one: nothing is thrown once the first request was sent. Read and plan again to go on;
 * what was applied stays.
 *
 * Before that, a `UserError` is thrown and nothing was applied: for a plan with errors (`plan-has-errors`), beyond a limit
 * (`brake`), or applied before (`plan-used`); for a secret that can't be had (`secret-missing`, `secret-too-long`); for a key,
 * proxy or option that can't be used.
 *
 * ```js
 * const { done, outcomes } = await applyPlan(plan, { apiKey: process.env.LINKFORM_API_KEY, env: process.env });
 * ```
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<Applied> {
  const { plan: made, files, folder, state, baseUrl } = plans.of(plan);
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new UserError("wrong-concurrency", "`concurrency` is a whole number, at least 1.");
  assertApplicable(made);
  const { secret, diagnostics } = await resolveSecrets(made.secretsNeeded, folder, options.env ?? {});
  throwCombined(diagnostics);
  // The reading has found the version out: finding it out again would cost requests that the plan does not count.
  const software = { version: state.software.version, from: "the reading" };
  return withService(baseUrl, software, options, async ({ transport, signal, guarded }) => {
    if (appliedPlans.has(plan)) {
      throw new UserError("plan-used", "This plan was applied before.", {
        hint: "Read and plan again, then apply that.",
      });
    }
    appliedPlans.add(plan);
    const { outcomes, stopped } = await runPlan(made, connectWriter(transport), {
      project: files,
      state,
      concurrency,
      now: canonicalNow(),
      secret,
      clock: systemClock,
      signal,
      describe: (change, field) => fieldWords(made, change, field),
      onOutcome: guarded(options.onOutcome),
    });
    const done = stopped === null && outcomes.every(({ outcome }) => outcome === "applied");
    return { done, complete: done && plansEverything(made), outcomes, stopped };
  });
}

/** Throws for a plan of which nothing may be applied. */
function assertApplicable({ complete, diagnostics, brakes }: FullPlan): void {
  if (!complete || hasErrors(diagnostics)) {
    const first = diagnostics.find(({ severity }) => severity === "error");
    throw new UserError("plan-has-errors", `Nothing was planned: ${first?.message ?? "there was an error."}`, {
      hint: first?.hint ?? "Look at the diagnostics of the plan.",
    });
  }
  const [brake] = brakes;
  if (brake === undefined) return;
  const { limits, kind, count, limit, flag } = brake;
  const much = count === null ? `an unknown number of ${limits}` : `${count} ${limits}`;
  throw new UserError("brake", `The plan has ${much} among its ${kind}s, and at most ${limit} are allowed at once.`, {
    hint: `If this is meant, plan with \`allowances: { ${limits}: ${flag} }\`, or raise \`brake\` in the project file.`,
    exit: EXIT.refused,
  });
}

/** Throws what keeps secrets from being had, all of it in one error. */
function throwCombined(diagnostics: readonly Diagnostic[]): void {
  const [first] = diagnostics;
  if (first === undefined) return;
  const hint = first.hint ?? "";
  throw new UserError(first.code, diagnostics.map(({ message }) => message).join(" "), { hint });
}
