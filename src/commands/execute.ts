// Makes the changes of a plan: has the secrets, keeps the journal, and reads again what was touched.

import { resolve } from "node:path";
import { applyChanges } from "../apply/apply.ts";
import type { Outcome } from "../apply/outcome.ts";
import { verify } from "../apply/verify.ts";
import type { Change, FieldChange, Plan } from "../domain/change.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, UserError } from "../errors.ts";
import { canonicalRows } from "../plan/settle.ts";
import { outcomeText } from "../report/outcome-text.ts";
import { showWord, wordChanges } from "../report/words.ts";
import { connectWriter } from "../service/service.ts";
import type { Console, World } from "./context.ts";
import { openJournal, type JournalFile } from "./journal.ts";
import type { Prepared } from "./prepare.ts";
import { resolveSecrets, type Secrets } from "./secrets.ts";

export interface ExecuteFlags {
  readonly concurrency?: number;
  readonly journal?: string;
}

/** As many as the field's other tools (Terraform, decK). */
export const DEFAULT_CONCURRENCY = 10;

/** A plan and the secrets it needs; those that can't be had are errors among its diagnostics. */
export interface Ready extends Prepared {
  readonly secret: Secrets;
}

/** Looks for every secret before the first write. */
export async function withSecrets(prepared: Prepared, world: World): Promise<Ready> {
  const { plan, folder } = prepared;
  const { secret, diagnostics } = await resolveSecrets(plan.secretsNeeded, folder, world.env);
  return { ...prepared, plan: { ...plan, diagnostics: [...plan.diagnostics, ...diagnostics] }, secret };
}

/** What became of a plan. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  /** What was touched has been read again. */
  readonly isVerified: boolean;
  readonly isInterrupted: boolean;
  /** What stopped it, and what could not be written of it: said on stderr, unless the result is a document that says it. */
  readonly problems: readonly Diagnostic[];
}

/** Makes every change of the plan, and tells of each as it ends. */
export async function execute(ready: Ready, world: World, flags: ExecuteFlags, out: Console): Promise<Executed> {
  const journal = flags.journal === undefined ? null : openJournal(resolve(world.cwd, flags.journal), world);
  try {
    return await make(ready, journal, world, flags, out);
  } finally {
    journal?.close();
  }
}

async function make(
  { plan, project, state, transport, baseUrl, signal, secret }: Ready,
  journal: JournalFile | null,
  world: World,
  flags: ExecuteFlags,
  out: Console,
): Promise<Executed> {
  const service = connectWriter(transport);
  const tell = (outcome: Outcome): void => out.note(outcomeText(outcome, out.errScreen));
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
  return { outcomes, isVerified: stopped === null, isInterrupted: ending?.exit === EXIT.interrupted, problems };
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

/** Whether the service may have changed anything. */
export function hasActed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some((one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed));
}
