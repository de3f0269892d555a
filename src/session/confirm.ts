// Asks for confirmation before an apply.

import { createInterface } from "node:readline/promises";
import type { Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { UserError, EXIT } from "../errors.ts";
import { reportedChanges } from "../report/document.ts";
import { isLost, lostText, lostUrl, mostClicksFirst } from "../report/compose-changes.ts";
import { plural } from "../domain/words.ts";
import type { Console } from "./console.ts";

/** Throws a user error if the answer does not confirm the plan. If the question was interrupted, the exit code is 130. */
export async function confirmPlan(out: Console, plan: Plan): Promise<void> {
  const { signal, stdin, stderr, secrets } = out.world;
  const { lines, question, answer } = confirmationOf(secrets.hideIn(plan));
  out.show(lines.map((line) => `${line}\n`).join(""));
  const prompt = createInterface({ input: stdin, output: stderr });
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

/** More short URLs are counted instead of named, so that the list fits above the question on any terminal. */
const MAX_NAMED = 10;

/**
 * The question, the only answer that confirms it, and the short URLs that stop working, which are shown directly above it. It asks for
 * their number, so that nobody confirms it out of habit; without any, for `yes`.
 */
export function confirmationOf(plan: Plan): { lines: string[]; question: string; answer: string } {
  const changes = mostClicksFirst([...reportedChanges(plan).values()]);
  const lost = changes.filter(isLost);
  if (lost.length === 0) {
    const all = changes.length === 1 ? "this change" : `these ${plural(changes.length, "change")}`;
    return { lines: [], question: `Apply ${all}? Type \`yes\` to confirm: `, answer: "yes" };
  }
  const lines = lost.slice(0, MAX_NAMED).map((change) => {
    const clicks = change.clicks === undefined ? "" : ` (${plural(change.clicks, "click")})`;
    return `  ${visible(lostUrl(change))}${clicks}`;
  });
  if (lost.length > MAX_NAMED) lines.push(`  and ${lost.length - MAX_NAMED} more`);
  const answer = String(lost.length);
  return { lines, question: `${lostText(lost, "plan")}. Type ${answer} to confirm: `, answer };
}
