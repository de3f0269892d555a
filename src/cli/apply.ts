// `linkform apply`: plans, asks, makes the changes, and reads again what was touched; or applies a saved plan.

import { createInterface } from "node:readline/promises";
import { error, hasErrors } from "../domain/diagnostic.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { heldByBrake } from "../apply/outcome.ts";
import type { Plan } from "../domain/change.ts";
import { planDifferences } from "../saved-plan/plan-differences.ts";
import { visible } from "../domain/control-characters.ts";
import { brakeDiagnostics } from "../view/brakes.ts";
import { summaryDocument, toldChanges } from "../view/document.ts";
import { planText } from "../render/text/plan.ts";
import { applySaved } from "./apply-saved.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import { internalError, type CommonFlags, type World } from "../session/context.ts";
import { Events } from "../session/events.ts";
import { concludeWithBase, moveWithoutBase, openMovableBase } from "../session/move-base.ts";
import {
  endedOf,
  execute,
  hasActed,
  withSecrets,
  type ExecuteFlags,
  type Executed,
  type Ready,
} from "../session/execute.ts";
import { planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { receiptTold } from "../undo/receipt-files.ts";
import { paceOf, refuse, withPlan } from "../session/prepare.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags, PlanningFlags, ExecuteFlags {
  readonly yes?: boolean;
  readonly moveBase?: boolean;
}

/** Applies the plan of this moment, or the one that is saved in `file`. Without `yes` it asks, which takes a terminal. */
export async function apply(world: World, flags: ApplyFlags, file?: string): Promise<ExitCode> {
  const out = new Console(world, flags, "apply", (sinks, onProblem) => new Events(world, sinks, onProblem));
  try {
    return await (file === undefined ? applyNow(world, flags, out) : applySaved(world, flags, file, out));
  } catch (cause) {
    // Whoever watches is told of the end, whatever it is.
    if (out.events?.isWanted !== true) throw cause;
    return refuse(out, "apply", null, [internalError(cause)], EXIT.error);
  }
}

async function applyNow(world: World, flags: ApplyFlags, out: Console): Promise<ExitCode> {
  if (flags.yes !== true && world.stdin.isTTY !== true) {
    const problem = error(
      "nobody-to-ask",
      "There is no terminal to ask on.",
      null,
      "To apply without being asked, add --yes.",
    );
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  if (flags.moveBase === true && flags.base === undefined) {
    const problem = moveWithoutBase("Add the tag that it is to move: --base applied --move-base.");
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  const request = { command: "apply" as const, options: planOptionsOf(flags) };
  return withPlan(world, flags, out, request, async (prepared) => {
    let ready = await withSecrets(prepared, world);
    const { plan: first, baseUrl } = ready;
    let plan = first;
    if (hasErrors(plan.diagnostics)) return refuse(out, "apply", baseUrl, plan.diagnostics, EXIT.error);
    const base =
      flags.moveBase === true && plan.base !== null ? await openMovableBase(world, plan.base, ready.opened) : null;
    const pace = paceOf(prepared);
    out.events?.planned(plan, summaryDocument(plan));
    if (plan.brakes.length > 0) {
      const [flagFor, problems] = ["this run" as const, brakeDiagnostics(plan.brakes, "this run")];
      out.findings(plan.diagnostics, problems);
      const told = toldChanges(plan, heldByBrake(plan.changes));
      return out.conclude({ of: "held", plan, problems, baseUrl, told, saved: null, flagFor, pace }, (isWritten) =>
        isWritten ? EXIT.refused : EXIT.error,
      );
    }
    out.findings(plan.diagnostics);
    const textOf = (one: Ready): string => `${planText(one.plan, out.errScreen, { pace: paceOf(one) })}\n`;
    if (flags.yes === true || plan.changes.length === 0) out.note(textOf(ready));
    else ready = await confirmPlan(world, ready, out, textOf);
    plan = ready.plan;
    const executed = await execute(ready, world, flags, out);
    const { outcomes, problems } = executed;
    const told = toldChanges(plan, outcomes);
    const ended = endedOf(executed, exitAfter(executed, true), {
      again: "linkform apply",
      look: "linkform plan",
    });
    const report = { of: "apply", plan, problems, baseUrl, told, saved: null, ended } as const;
    return concludeWithBase({ ...report, ...receiptTold(executed, flags) }, base, world, out, (isWritten) =>
      exitAfter(executed, isWritten),
    );
  });
}

/** How an apply ends; `isWritten`: so is its result. */
export function exitAfter({ outcomes, isInterrupted, problems }: Executed, isWritten: boolean): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  const isReported = isWritten && problems.length === 0;
  if (isReported && outcomes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
  return hasActed(outcomes) ? EXIT.partial : EXIT.error;
}

/** Seconds that a question may wait before the account is read again. */
const FRESH = 30;

/**
 * Shows a plan and goes on only after `yes`. If the answer took long, reads the account again. If the plan is another one by then,
 * shows what differs and asks again. Returns what was confirmed.
 */
export async function confirmPlan(
  world: World,
  first: Ready,
  out: Console,
  textOf: (ready: Ready) => string,
): Promise<Ready> {
  let ready = first;
  out.show(textOf(ready));
  for (;;) {
    const askedAt = world.clock.now();
    await confirm(world, ready.signal);
    if (world.clock.now() - askedAt <= FRESH * 1000) return ready;
    const next = await withSecrets(await ready.again(), world);
    refuseChanged(next.plan);
    const differences = planDifferences(ready.plan, next.plan);
    ready = next;
    if (differences.length === 0) return ready;
    const lines = differences.map((line) => `  ${visible(line)}\n`).join("");
    out.show(`The account changed before you answered. The plan is different now:\n${lines}\n${textOf(ready)}`);
  }
}

/** Throws for a plan that can no longer be applied. */
function refuseChanged({ diagnostics, brakes }: Plan): void {
  const problem = [...diagnostics, ...brakeDiagnostics(brakes, "this run")].find(
    ({ severity }) => severity === "error",
  );
  if (problem === undefined) return;
  throw new UserError(problem.code, `The account changed before you answered: ${problem.message}`, {
    ...(problem.hint === null ? {} : { hint: problem.hint }),
    exit: brakes.length > 0 ? EXIT.refused : EXIT.error,
  });
}

/** Goes on only after `yes`. Throws a user error otherwise: 130 if the question itself was interrupted. */
export async function confirm(world: World, signal: AbortSignal): Promise<void> {
  const question = createInterface({ input: world.stdin, output: world.stderr });
  // Node 20.19 forgets a question that Ctrl-C or the end of the input closes: it is neither answered nor given up.
  const closed = new AbortController();
  question.once("close", () => closed.abort());
  const ended = AbortSignal.any([signal, closed.signal]);
  try {
    const answer = await question.question("Apply this? Only `yes` goes ahead: ", { signal: ended });
    if (answer.trim() === "yes") return;
  } catch (cause) {
    // Out of time, or told to end: then that is why.
    signal.throwIfAborted();
    throw new UserError("interrupted", "The question was not answered.", { exit: EXIT.interrupted, cause });
  } finally {
    question.close();
  }
  throw new UserError("not-confirmed", "The answer was not `yes`.", { hint: "Run it again when it is right." });
}
