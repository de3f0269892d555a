// `linkform apply`: plans, asks, makes the changes, and reads again what was touched.

import { createInterface } from "node:readline/promises";
import { applyChanges } from "../apply/apply.ts";
import type { Outcome } from "../apply/outcome.ts";
import { verify } from "../apply/verify.ts";
import type { Change, FieldChange, Plan } from "../domain/change.ts";
import { hasErrors } from "../domain/diagnostic.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { canonicalRows } from "../plan/settle.ts";
import { applyDocument } from "../report/document.ts";
import { outcomeText, planText, resultText } from "../report/text.ts";
import { showWord, wordChanges } from "../report/words.ts";
import { connectWriter } from "../service/service.ts";
import type { ServiceFlags } from "./connect.ts";
import { Console, type CommonFlags, type World } from "./context.ts";
import { refuse, withPlan, type Prepared } from "./prepare.ts";
import { resolveSecrets, type Secrets } from "./secrets.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags {
  readonly yes?: boolean;
  readonly concurrency?: number;
}

/** As many as the field's other tools (Terraform, decK). */
const DEFAULT_CONCURRENCY = 10;

/** Applies the plan of this moment. Without `yes` it asks, which takes a terminal. */
export async function apply(world: World, flags: ApplyFlags): Promise<ExitCode> {
  const out = new Console(world, flags);
  if (flags.yes !== true && world.stdin.isTTY !== true) {
    throw new UserError("nobody-to-ask", "There is no terminal to ask on.", {
      hint: "To apply without being asked, add --yes.",
      exit: EXIT.usage,
    });
  }
  return withPlan(world, flags, out, async (prepared) => {
    const secrets = await resolveSecrets(prepared.plan.secretsNeeded, prepared.folder, world.env);
    const plan: Plan = { ...prepared.plan, diagnostics: [...prepared.plan.diagnostics, ...secrets.diagnostics] };
    if (hasErrors(plan.diagnostics)) return refuse(out, prepared.baseUrl, plan.diagnostics, EXIT.error);
    if (out.format !== "json") out.diagnose(plan.diagnostics);
    out.note(`${planText(plan, out.errPaint)}\n`);
    if (plan.changes.length > 0 && flags.yes !== true && !(await isConfirmed(world))) {
      throw new UserError("not-confirmed", "Nothing was applied.", { hint: "Only `yes` goes ahead." });
    }
    return make({ ...prepared, plan }, secrets.secret, world, flags.concurrency ?? DEFAULT_CONCURRENCY, out);
  });
}

async function isConfirmed(world: World): Promise<boolean> {
  const question = createInterface({ input: world.stdin, output: process.stderr });
  const answer = await question.question("Apply this? Only `yes` goes ahead: ");
  question.close();
  return answer.trim() === "yes";
}

async function make(
  { plan, project, state, transport, baseUrl }: Prepared,
  secret: Secrets,
  world: World,
  concurrency: number,
  out: Console,
): Promise<ExitCode> {
  const service = connectWriter(transport);
  const tell = (outcome: Outcome): void => out.note(outcomeText(outcome, out.errPaint));
  const made = await applyChanges(plan, service, { concurrency, secret, onOutcome: tell });
  const outcomes = await verify(made, service, {
    pages: state.pages,
    concurrency,
    canonical: canonicalRows(project, state),
    now: world.now(),
    describe: (change, field) => describeDifference(plan, change, field),
  });
  // What the second reading does not bear out has been told as applied.
  for (const outcome of outcomes) if (!made.includes(outcome)) tell(outcome);
  await out.result({
    text: (paint) => resultText(outcomes, paint),
    json: () => applyDocument(plan, outcomes, baseUrl),
  });
  return exitOfOutcomes(outcomes);
}

function describeDifference({ zones }: Plan, { kind }: Change, field: FieldChange): string {
  const words = wordChanges(kind, field, zones, false);
  return words
    .map(({ path, before, after }) => `\`${path}\` is ${showWord(before)}, declared ${showWord(after)}`)
    .join(", ");
}

function exitOfOutcomes(outcomes: readonly Outcome[]): ExitCode {
  if (outcomes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
  const acted = outcomes.some(
    (one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed),
  );
  return acted ? EXIT.partial : EXIT.error;
}
