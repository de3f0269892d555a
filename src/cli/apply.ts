// `linkform apply`: plans, asks, applies the changes and verifies them, or applies a saved plan.

import { error, hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { heldByBrake } from "../apply/outcome.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import { summaryDocument, changeResults } from "../report/document.ts";
import { planText } from "../report/text/log.ts";
import { applySaved } from "./apply-saved.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { brakeRun } from "../session/ci-event.ts";
import { Console } from "../session/console.ts";
import { internalError, type CommonFlags, type World } from "../session/context.ts";
import { Events } from "../session/events.ts";
import { concludeWithBase, firstDeployProblem, moveWithoutBase, openMovableBase } from "../session/move-base.ts";
import { endedOf, execute, exitAfter, withSecrets, type ExecuteFlags, type Ready } from "../session/execute.ts";
import { changedProblem, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { writtenReceipt, receiptsFor } from "../undo/receipt-files.ts";
import { paceOf, withPlan, type PlanRequest } from "../session/prepare.ts";
import { refuse } from "../session/session.ts";
import { confirmPlan } from "../session/confirm.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags, PlanningFlags, ExecuteFlags {
  readonly yes?: boolean;
  /** `create`: the first deploy, which creates the tag. */
  readonly moveBase?: boolean | "create";
}

/** Plans and applies, or applies the plan saved in `file`. Without `yes` it asks, which needs a terminal. */
export async function apply(world: World, flags: ApplyFlags, file?: string): Promise<ExitCode> {
  const out = new Console(world, flags, "apply", (sinks, onProblem) => new Events(world, sinks, onProblem));
  try {
    return await (file === undefined ? applyNow(world, flags, out) : applySaved(world, flags, file, out));
  } catch (cause) {
    // Readers of the events get the last one in any case.
    if (out.events?.isWanted !== true) throw cause;
    return refuse(out, "apply", null, [internalError(cause)], EXIT.error);
  }
}

/** Plans and applies one of several projects. */
export async function applyProject(world: World, flags: ApplyFlags, out: Console): Promise<ExitCode> {
  return applyNow(world, flags, out);
}

async function applyNow(world: World, flags: ApplyFlags, out: Console): Promise<ExitCode> {
  if (flags.yes !== true && world.stdin.isTTY !== true) {
    const problem = error(
      "nobody-to-ask",
      "linkform cannot ask for confirmation: there is no terminal.",
      null,
      "Add --yes to apply without a confirmation.",
    );
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  if ((flags.moveBase ?? false) !== false && flags.base === undefined) {
    const problem = moveWithoutBase("Name the tag to move: --base applied --move-base.");
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  const wrong = changedProblem(flags);
  if (wrong !== null) return refuse(out, "apply", null, [wrong], EXIT.usage);
  const isFirst = flags.moveBase === "create";
  const request: PlanRequest = {
    command: "apply",
    isDeploy: true,
    withoutBase: isFirst ? "first deploy" : "tag",
    options: isFirst ? { ...planOptionsOf(flags), base: null, changed: "never" } : planOptionsOf(flags),
  };
  return withPlan(world, flags, out, request, async (prepared) => {
    let ready = await withSecrets(prepared, world);
    const { plan: first, baseUrl } = ready;
    let plan = first;
    if (hasErrors(plan.diagnostics)) return refuse(out, "apply", baseUrl, plan.diagnostics, EXIT.error);
    const tag = isFirst ? (flags.base ?? null) : flags.moveBase === true ? plan.base : null;
    const base = tag === null ? null : await openMovableBase(world, tag, ready.opened);
    const problem = isFirst ? firstDeployProblem(plan) : null;
    if (problem !== null) return refuse(out, "apply", baseUrl, [...plan.diagnostics, problem], EXIT.error);
    const pace = paceOf(prepared);
    out.events?.planned(plan, summaryDocument(plan));
    if (plan.brakes.length > 0) {
      const flagFor = brakeRun(world.env);
      const problems = brakeDiagnostics(plan.brakes, flagFor);
      out.findings(plan.diagnostics, problems);
      const results = changeResults(plan, heldByBrake(plan.changes));
      return out.conclude({ of: "apply", plan, problems, baseUrl, results, flagFor, pace }, (isWritten) =>
        isWritten ? EXIT.refused : EXIT.error,
      );
    }
    out.findings(plan.diagnostics);
    const textOf = (one: Ready): string =>
      `${planText(world.secrets.hideIn(one.plan), out.errScreen, { pace: paceOf(one) })}\n`;
    if (flags.yes === true || plan.changes.length === 0) out.note(() => textOf(ready));
    else ready = await confirmPlan(world, ready, out, textOf);
    plan = ready.plan;
    await world.turn?.beforeWrite();
    const executed = await execute(ready, world, flags, out, receiptsFor(world, flags));
    const { outcomes, problems } = executed;
    const results = changeResults(plan, outcomes);
    const ended = endedOf(executed, exitAfter(executed, true), {
      again: "linkform apply",
      look: "linkform plan",
    });
    const report = { of: "apply", plan, problems, baseUrl, results, ended } as const;
    return concludeWithBase({ ...report, ...writtenReceipt(executed, flags) }, base, world, out, (isWritten) =>
      exitAfter(executed, isWritten),
    );
  });
}
