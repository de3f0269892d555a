// Asks for confirmation before an apply.

import { createInterface } from "node:readline/promises";
import { visible } from "../domain/control-characters.ts";
import { UserError, EXIT } from "../errors.ts";
import { confirmationOf } from "../report/confirmation.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";
import type { Ready } from "./execute.ts";

/** Throws a user error if the answer does not confirm the plan. If the question was interrupted, the exit code is 130. */
export async function confirmPlan(world: World, { plan, signal }: Ready, out: Console): Promise<void> {
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
