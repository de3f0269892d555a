// `linkform undo`: plans the reversal of an apply, reports what it cannot restore, asks for confirmation, and makes the changes.

import { heldByBrake } from "../apply/outcome.ts";
import { error, hasErrors } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import type { Ended } from "../report/report.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import { changeResults } from "../report/document.ts";
import { planText } from "../report/text/log.ts";
import type { UndoDocument } from "../report/json/schema.ts";
import {
  endedOf,
  execute,
  exitAfter,
  withSecrets,
  type Executed,
  type ExecuteFlags,
  type Ready,
} from "../session/execute.ts";
import { confirmPlan } from "../session/confirm.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { paceOf, withPlan, type PlanRequest } from "../session/prepare.ts";
import { refuse } from "../session/session.ts";
import { writtenReceipt, receiptsFor } from "./receipt-files.ts";
import { UndoPlanner } from "./planner.ts";

export interface UndoFlags
  extends CommonFlags, ServiceFlags, Omit<PlanningFlags, "base" | "resendSecrets">, ExecuteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Undoes the apply of a receipt: a file, or `last` for the newest of the project. Without `yes`, it needs a terminal to ask. */
export async function undo(world: World, flags: UndoFlags, named: string): Promise<ExitCode> {
  const out = new Console(world, flags, "undo");
  if (flags.yes !== true && flags.dryRun !== true && world.stdin.isTTY !== true) {
    const hint = "To undo without confirmation, add --yes. To only see what would change, add --dry-run.";
    const problem = error("nobody-to-ask", "linkform cannot ask for confirmation: there is no terminal.", null, hint);
    return refuse(out, "undo", null, [problem], EXIT.usage);
  }
  const planner = new UndoPlanner(world, flags, named);
  const request: PlanRequest = {
    command: "undo",
    options: planOptionsOf(flags),
    planner,
    checkAddress: (baseUrl) => planner.checkAddress(baseUrl),
  };
  return withPlan(world, flags, out, request, async (prepared) => {
    const { baseUrl } = prepared;
    if (hasErrors(prepared.plan.diagnostics))
      return refuse(out, "undo", baseUrl, prepared.plan.diagnostics, EXIT.error);
    const pace = paceOf(prepared);
    const summary = planner.summary(prepared.plan, null);
    const problems = brakeDiagnostics(prepared.plan.brakes, "this run");
    if (flags.dryRun === true) {
      const { plan } = prepared;
      out.findings(plan.diagnostics, problems);
      const isWritten = await out.result({ of: "plan", plan, problems, baseUrl, pace, undo: summary });
      return !isWritten ? EXIT.error : problems.length > 0 ? EXIT.refused : EXIT.done;
    }
    let ready = await withSecrets(prepared, world);
    let { plan } = ready;
    if (hasErrors(plan.diagnostics)) return refuse(out, "undo", baseUrl, plan.diagnostics, EXIT.error);
    if (plan.brakes.length > 0) {
      out.findings(plan.diagnostics, problems);
      const results = changeResults(plan, heldByBrake(plan.changes));
      return out.conclude({ of: "apply", plan, problems, baseUrl, results, pace, undo: summary }, (isWritten) =>
        isWritten ? EXIT.refused : EXIT.error,
      );
    }
    out.findings(plan.diagnostics);
    const textOf = (shown: Ready): string => {
      const about = world.secrets.hideIn({ plan: shown.plan, undo: planner.summary(shown.plan, null) });
      return `${planText(about.plan, out.errScreen, { pace: paceOf(shown), undo: about.undo })}\n`;
    };
    if (flags.yes === true || plan.changes.length === 0) out.note(() => textOf(ready));
    else ready = await confirmPlan(world, ready, out, textOf);
    ({ plan } = ready);
    const executed = await execute(ready, world, flags, out, receiptsFor(world, flags), "undo");
    const done = executed.outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
    const after = planner.summary(plan, done);
    const exit = (isWritten: boolean): ExitCode => exitOfUndo(executed, after, isWritten);
    return out.conclude(
      {
        of: "apply",
        plan,
        problems: executed.problems,
        baseUrl,
        results: changeResults(plan, executed.outcomes),
        ended: { ...endedOf(executed, exit(true), commandsOf(planner.file)), isUndo: true },
        undo: after,
        ...writtenReceipt(executed, flags),
      },
      exit,
    );
  });
}

function commandsOf(file: string): Pick<Ended, "again" | "look"> {
  return { again: `linkform undo ${file}`, look: `linkform undo ${file} --dry-run` };
}

/** The exit code of an apply. Changes that the undo skipped count as skipped. */
function exitOfUndo(executed: Executed, { left }: UndoDocument, isWritten: boolean): ExitCode {
  const exit = exitAfter(executed, isWritten);
  if (exit !== EXIT.done || left.length === 0) return exit;
  return executed.outcomes.length > 0 ? EXIT.partial : EXIT.error;
}
