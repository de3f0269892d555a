// `linkform apply`: plans, asks, makes the changes, and reads again what was touched.

import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { applyChanges } from "../apply/apply.ts";
import type { Outcome } from "../apply/outcome.ts";
import { verify } from "../apply/verify.ts";
import type { Change, FieldChange, Plan } from "../domain/change.ts";
import { error, hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { canonicalRows } from "../plan/settle.ts";
import { applyDocument } from "../report/document.ts";
import { outcomeText, planText, resultText } from "../report/text.ts";
import { showWord, wordChanges } from "../report/words.ts";
import { connectWriter } from "../service/service.ts";
import type { ServiceFlags } from "./connect.ts";
import { Console, type CommonFlags, type World } from "./context.ts";
import { openJournal, type JournalFile } from "./journal.ts";
import { refuse, withPlan, type Prepared, type Undone } from "./prepare.ts";
import { resolveSecrets, type Secrets } from "./secrets.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags {
  readonly yes?: boolean;
  readonly concurrency?: number;
  readonly journal?: string;
}

/** As many as the field's other tools (Terraform, decK). */
const DEFAULT_CONCURRENCY = 10;

const NOTHING: Undone = { result: { applied: 0, failed: 0, skipped: 0 } };

/** Applies the plan of this moment. Without `yes` it asks, which takes a terminal. */
export async function apply(world: World, flags: ApplyFlags): Promise<ExitCode> {
  const out = new Console(world, flags);
  if (flags.yes !== true && world.stdin.isTTY !== true) {
    const problem = error(
      "nobody-to-ask",
      "There is no terminal to ask on.",
      null,
      "To apply without being asked, add --yes.",
    );
    return refuse(out, null, [problem], NOTHING, EXIT.usage);
  }
  return withPlan(world, flags, out, NOTHING, async (prepared) => {
    const secrets = await resolveSecrets(prepared.plan.secretsNeeded, prepared.folder, world.env);
    const plan: Plan = { ...prepared.plan, diagnostics: [...prepared.plan.diagnostics, ...secrets.diagnostics] };
    if (hasErrors(plan.diagnostics)) return refuse(out, prepared.baseUrl, plan.diagnostics, NOTHING, EXIT.error);
    if (out.format !== "json") out.diagnose(plan.diagnostics);
    out.note(`${planText(plan, out.errPaint)}\n`);
    if (plan.changes.length > 0 && flags.yes !== true) await confirm(world, prepared.signal);
    const journal = flags.journal === undefined ? null : openJournal(resolve(world.cwd, flags.journal), world);
    try {
      return await make({ ...prepared, plan }, secrets.secret, journal, world, flags, out);
    } finally {
      journal?.close();
    }
  });
}

/** Goes on only after `yes`. Throws a user error otherwise: 130 if the question itself was interrupted. */
async function confirm(world: World, signal: AbortSignal): Promise<void> {
  const question = createInterface({ input: world.stdin, output: world.stderr });
  try {
    const answer = await question.question("Apply this? Only `yes` goes ahead: ", { signal });
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

async function make(
  { plan, project, state, transport, baseUrl, signal }: Prepared,
  secret: Secrets,
  journal: JournalFile | null,
  world: World,
  flags: ApplyFlags,
  out: Console,
): Promise<ExitCode> {
  const service = connectWriter(transport);
  const tell = (outcome: Outcome): void => out.note(outcomeText(outcome, out.errPaint));
  const concurrency = flags.concurrency ?? DEFAULT_CONCURRENCY;
  const options = { concurrency, canonical: canonicalRows(project, state), now: world.now() };
  journal?.begin(plan, baseUrl);
  const { outcomes: made, stopped } = await applyChanges(plan, service, {
    ...options,
    secret,
    clock: world.clock,
    signal,
    onOutcome: tell,
    ...(journal === null ? {} : { journal: (line) => journal.write(plan, line) }),
  });
  // What stops the changes stops the reading as well.
  const outcomes =
    stopped === null
      ? await verify(made, service, {
          ...options,
          lists: state,
          describe: (change, field) => describeDifference(plan, change, field),
        })
      : made;
  // What the second reading does not bear out has been told as applied.
  for (const outcome of outcomes) if (!made.includes(outcome)) tell(outcome);
  const unwritten = journal?.end(outcomes) ?? null;
  // Interrupted while it reads again, it is interrupted all the same.
  const ended: unknown = stopped ?? (signal.aborted ? signal.reason : null);
  const ending = ended instanceof UserError ? ended : null;
  // A journal that has stopped the run has no last line either: that is one problem.
  const problems = [ending, unwritten?.code === ending?.code ? null : unwritten].flatMap((problem) =>
    problem === null ? [] : [problemOf(problem)],
  );
  if (out.format !== "json") out.diagnose(problems);
  const told = { ...plan, diagnostics: [...plan.diagnostics, ...problems] };
  const isWritten = await out.result({
    text: (paint) => resultText(outcomes, stopped === null, paint),
    json: () => applyDocument(told, outcomes, baseUrl),
  });
  if (ending?.exit === EXIT.interrupted) return EXIT.interrupted;
  return exitOfOutcomes(outcomes, isWritten && problems.length === 0);
}

function problemOf({ code, message, hint }: UserError): Diagnostic {
  return error(code, message, null, hint);
}

function describeDifference({ zones }: Plan, { kind }: Change, field: FieldChange): string {
  const words = wordChanges(kind, field, zones, false);
  return words
    .map(({ path, before, after }) => `\`${path}\` is ${showWord(before)}, declared ${showWord(after)}`)
    .join(", ");
}

function exitOfOutcomes(outcomes: readonly Outcome[], isReported: boolean): ExitCode {
  if (isReported && outcomes.every(({ outcome }) => outcome === "applied")) return EXIT.done;
  const acted = outcomes.some(
    (one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed),
  );
  return acted ? EXIT.partial : EXIT.error;
}
