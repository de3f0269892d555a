// Asks for confirmation before an apply, and reads the account again if the answer takes long.

import { createInterface } from "node:readline/promises";
import type { Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { UserError, EXIT } from "../errors.ts";
import { planDifferences } from "../record/plan-differences.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import { confirmationOf } from "../report/confirmation.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";
import type { Ready } from "./execute.ts";

/** If the answer takes longer, the account is read again. */
const MAX_ANSWER_SECONDS = 30;

/**
 * Shows a plan and asks for confirmation. If the answer took long, plans `again`, after reading the account. If the plan is different then,
 * shows the differences and asks again. Returns the confirmed plan.
 */
export async function confirmPlan<Made extends Ready>(
  world: World,
  first: Made,
  again: () => Promise<Made>,
  out: Console,
  textOf: (ready: Made) => string,
): Promise<Made> {
  let ready = first;
  out.show(textOf(ready));
  for (;;) {
    const askedAt = world.clock.now();
    await confirm(world, ready, out);
    if (world.clock.now() - askedAt <= MAX_ANSWER_SECONDS * 1000) return ready;
    const next = await again();
    refuseChanged(next.plan);
    const differences = planDifferences(ready.plan, next.plan).map((line) => world.secrets.hide(line));
    ready = next;
    if (differences.length === 0) return ready;
    const lines = differences.map((line) => `  ${visible(line)}\n`).join("");
    out.show(`The account changed before you answered. The plan has changed:\n${lines}\n${textOf(ready)}`);
  }
}

/** Throws a user error if the new plan cannot be applied. */
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

/** Throws a user error if the answer does not confirm the plan. If the question was interrupted, the exit code is 130. */
async function confirm(world: World, { plan, signal }: Ready, out: Console): Promise<void> {
  const { lines, question, answer } = confirmationOf(world.secrets.hideIn(plan));
  out.show(lines.map((line) => `${line}\n`).join(""));
  const prompt = createInterface({ input: world.stdin, output: world.stderr });
  // In Node 20.19, the promise of a question never settles if Ctrl-C or the end of the input closes it.
  const closed = new AbortController();
  prompt.once("close", () => closed.abort());
  const ended = AbortSignal.any([signal, closed.signal]);
  let given: string;
  try {
    given = (await prompt.question(question, { signal: ended })).trim();
  } catch (cause) {
    // A time limit or an interruption is the better reason.
    signal.throwIfAborted();
    throw new UserError("interrupted", "The question was not answered.", { exit: EXIT.interrupted, cause });
  } finally {
    prompt.close();
  }
  if (given === answer) return;
  const got = given === "" ? "empty" : `\`${visible(given)}\``;
  throw new UserError("not-confirmed", `The answer was ${got} instead of \`${answer}\`.`, {
    hint: "Run the command again to see the plan and confirm it.",
  });
}
