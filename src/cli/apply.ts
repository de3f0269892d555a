// `linkform apply` and `linkform undo`: plan, ask, execute, verify, report. What is applied are the files, a saved plan, or the state before
// the run of a record.

import { heldByBrake, type Outcome } from "../apply/outcome.ts";
import { EXIT, usageError, type ExitCode } from "../errors.ts";
import { isSkipped, savedOutcomes } from "../record/review.ts";
import { clicksLost } from "../report/apply-result.ts";
import { brakeDiagnostics, type FlagFor } from "../report/brakes.ts";
import { changeDocument } from "../report/change-document.ts";
import { changeResults } from "../report/document.ts";
import type { ApplyReport, Ended } from "../report/apply-result.ts";
import { applyReport, planReport } from "../report/run-document.ts";
import { planText } from "../report/text/log.ts";
import { brakeRun } from "../session/ci-event.ts";
import { confirmPlan } from "../session/confirm.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console, Refusal, refuseErrors } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { execute, hasActed, type Executed, type ExecuteFlags } from "../session/execute.ts";
import {
  concludeWithBase,
  firstDeployProblem,
  moveWithoutBase,
  openMovableBase,
  type MovableBase,
} from "../session/move-base.ts";
import { checkChanged, planningFlagsOf, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { paceOf, planFiles, type Planned } from "../session/planned.ts";
import { planLineOf } from "../session/plan-line.ts";
import { writtenRecord } from "../session/record-files.ts";
import { RunRecord } from "../session/run-record.ts";
import { resolveSecrets } from "../session/secrets.ts";
import { runSession, type Connect } from "../session/session.ts";
import { planUndo, summarizeUndo, type PlannedUndo, type UndoFlags } from "../undo/plan.ts";
import { planSaved, type ReviewedPlan } from "./apply-saved.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags, PlanningFlags, ExecuteFlags {
  readonly yes?: boolean;
  /** `create`: the first deploy, which creates the tag. */
  readonly moveBase?: boolean | "create";
}

type RunFlags = ApplyFlags & UndoFlags;

/** What a run applies: the files, the plan saved in a file, or the state before the run of a record (a file, or `last`). */
type Source =
  | { readonly of: "files" }
  | { readonly of: "plan"; readonly file: string }
  | { readonly of: "record"; readonly named: string };

/** A plan to apply, and what its reports say about its source. */
interface Run extends Planned, Pick<Ended, "again" | "look"> {
  readonly flagFor: FlagFor;
  /** Null for the other sources. */
  readonly saved: ReviewedPlan | null;
  readonly undo: PlannedUndo | null;
}

/** Plans and applies, or applies the plan saved in `file`. Without `yes` it asks, which needs a terminal. */
export async function apply(world: World, flags: ApplyFlags, file?: string): Promise<ExitCode> {
  const source: Source = file === undefined ? { of: "files" } : { of: "plan", file };
  return runApply(new Console(world, flags, "apply"), source);
}

/** Undoes the run of a record: a file, or `last` for the newest of the project. Without `yes`, it needs a terminal to ask. */
export async function undo(world: World, flags: UndoFlags, named: string): Promise<ExitCode> {
  return runApply(new Console(world, flags, "undo"), { of: "record", named });
}

/** Plans a source, asks, executes, verifies and reports. */
export async function runApply(out: Console<RunFlags>, source: Source = { of: "files" }): Promise<ExitCode> {
  const { world, flags } = out;
  const record = new RunRecord(world, out.sinks, (problem) => out.diagnose([problem]));
  out.record = record;
  return runSession(out, async (connect) => {
    checkUsage(out, source);
    const run = await planSource(out, source, connect);
    if (run.undo !== null && flags.dryRun === true) return previewUndo(out, run, run.undo);
    const { plan, saved } = run;
    const { secret, diagnostics } = await resolveSecrets(plan.secretsNeeded, run.opened.folder, world.env);
    refuseErrors([...plan.diagnostics, ...diagnostics]);
    const base = await movableBase(out, run);
    if (plan.brakes.length > 0) return hold(out, run);
    out.findings(plan.diagnostics);
    const runText = (): string => {
      const shown = world.secrets.hideIn({ plan, undo: run.undo && summarizeUndo(run.undo, null) });
      const about = { pace: paceOf(run), ...(shown.undo !== null && { undo: shown.undo }) };
      return `${planText(shown.plan, out.errScreen, about)}\n`;
    };
    const isEmpty = plan.changes.length === 0;
    if (source.of !== "plan" && flags.yes !== true && !isEmpty) {
      out.show(runText());
      await confirmPlan(out, run);
    } else if (source.of !== "plan" || !isEmpty) out.note(runText);
    await world.turn?.beforeWrite();
    const executed = await execute(out, record, run, secret, saved?.plan ?? null);
    return conclude(out, run, executed, base);
  });
}

/** Throws a user error if the flags cannot be used with this source. */
function checkUsage({ world, flags }: Console<RunFlags>, { of }: Source): void {
  if (of === "plan") {
    const given = planningFlagsOf(flags);
    if (given.length > 0)
      throw usageError(
        "planning-flags",
        `A saved plan already contains its planning options. Remove ${given.join(", ")}.`,
        "To use other options, save a new plan: linkform plan --out FILE.",
      );
    if (flags.moveBase === "create")
      throw usageError(
        "move-without-base",
        "A saved plan cannot be used for the first deploy.",
        "Run `linkform apply --base applied --move-base=create`.",
      );
    return;
  }
  if (flags.yes !== true && flags.dryRun !== true && world.stdin.isTTY !== true)
    throw usageError(
      "nobody-to-ask",
      "linkform cannot ask for confirmation: there is no terminal.",
      of === "files"
        ? "Add --yes to apply without a confirmation."
        : "To undo without confirmation, add --yes. To only see what would change, add --dry-run.",
    );
  if (of === "record") return;
  if ((flags.moveBase ?? false) !== false && flags.base === undefined)
    throw moveWithoutBase("Name the tag to move: --base applied --move-base.");
  checkChanged(flags);
}

/** Opens a source, connects, reads the account and plans. */
async function planSource(out: Console<RunFlags>, source: Source, connect: Connect): Promise<Run> {
  const { world, flags } = out;
  if (source.of === "record") {
    const undoing = await planUndo(out, connect, source.named);
    refuseErrors(undoing.plan.diagnostics);
    const again = `linkform undo ${undoing.record.file}`;
    return { ...undoing, saved: null, undo: undoing, flagFor: "this run", again, look: `${again} --dry-run` };
  }
  if (source.of === "plan") {
    const { planned, saved } = await planSaved(out, connect, source.file);
    const commands = { again: `linkform apply ${source.file}`, look: "linkform plan --out FILE" };
    return { ...planned, saved, undo: null, flagFor: "a new plan", ...commands };
  }
  const isFirst = flags.moveBase === "create";
  const wanted = planOptionsOf(flags);
  const options = isFirst ? { ...wanted, base: null, changed: "never" as const } : wanted;
  const planned = await planFiles(out, connect, { command: "apply", isFirst, options });
  const commands = { again: "linkform apply", look: "linkform plan" };
  return { ...planned, saved: null, undo: null, flagFor: brakeRun(world.env), ...commands };
}

/** Shows the plan of an undo, and what it cannot restore. */
async function previewUndo(out: Console, run: Run, undoing: PlannedUndo): Promise<ExitCode> {
  const { plan, baseUrl } = run;
  const problems = brakeDiagnostics(plan.brakes, "this run");
  out.findings(plan.diagnostics, problems);
  const shown = { plan, problems, baseUrl, pace: paceOf(run), undo: summarizeUndo(undoing, null) };
  const isWritten = await out.result(planReport, shown);
  return !isWritten ? EXIT.error : problems.length > 0 ? EXIT.refused : EXIT.done;
}

/** The tag to move after the run; null for none. Throws a refusal for a first deploy that would break a short URL. */
async function movableBase({ world, flags }: Console<RunFlags>, { plan, opened }: Run): Promise<MovableBase | null> {
  const isFirst = flags.moveBase === "create";
  const tag = isFirst ? (flags.base ?? null) : flags.moveBase === true ? plan.base : null;
  const base = tag === null ? null : await openMovableBase(world, tag, opened);
  const problem = isFirst ? firstDeployProblem(plan) : null;
  if (problem !== null) throw new Refusal([...plan.diagnostics, problem]);
  return base;
}

/** Reports a plan that exceeds a limit: nothing of it is applied. */
async function hold(out: Console, run: Run): Promise<ExitCode> {
  const { plan, saved, undo: undoing, flagFor } = run;
  out.record?.planned(saved?.plan ?? planLineOf(run));
  const problems = brakeDiagnostics(plan.brakes, flagFor);
  out.findings(plan.diagnostics, problems);
  const pace = saved === null ? paceOf(run) : null;
  const undone = undoing === null ? {} : { undo: summarizeUndo(undoing, null) };
  const about = { ...aboutOf(out, run, heldByBrake(plan.changes)), problems, flagFor, pace, ...undone };
  return out.conclude(applyReport, about, (isWritten) => (isWritten ? EXIT.refused : EXIT.error));
}

/** Reports a run that has ended, and moves the base after a complete one. */
async function conclude(
  out: Console<RunFlags>,
  run: Run,
  executed: Executed,
  base: MovableBase | null,
): Promise<ExitCode> {
  const { outcomes, isVerified, cost, problems } = executed;
  const made = outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
  const undone = run.undo && summarizeUndo(run.undo, made);
  const about = aboutOf(out, run, outcomes);
  const isDone =
    about.results.every(({ outcome }) => outcome === "applied") && (undone === null || undone.left.length === 0);
  const exit = (isWritten: boolean): ExitCode => exitOf(run, executed, about.results, isDone, isWritten);
  const lost = { exit_code: exit(true), verified: isVerified, clicks_lost: clicksLost(outcomes) };
  const stopped = problems.map(({ code }) => code);
  const report: ApplyReport = {
    ...about,
    problems,
    ended: { run: { ...lost, ...cost }, stopped, again: run.again, look: run.look },
    ...(undone !== null && { undo: undone }),
    ...writtenRecord(executed.record, out.flags),
  };
  return concludeWithBase(out, report, base, exit);
}

/** What the reports of a run have, with the outcomes of its changes. Secrets are hidden before the lines of failed changes are cut. */
function aboutOf(
  { world: { secrets } }: Console,
  run: Run,
  made: readonly Outcome[],
): Pick<ApplyReport, "plan" | "baseUrl" | "summary" | "not_reviewed" | "results"> {
  const { plan, baseUrl, saved } = secrets.hideIn(run);
  const outcomes = secrets.hideIn(made);
  if (saved === null) return { plan, baseUrl, results: changeResults(plan, outcomes) };
  const { plan: opened, review } = saved;
  const not_reviewed = review.notReviewed.map((change) => changeDocument(change, plan));
  const results = savedOutcomes(review.reviewed, outcomes);
  return { plan, baseUrl, summary: opened.saved.summary, not_reviewed, results };
}

/** The exit code; `isWritten` is false if the result could not be written. Changes that an undo left out are not done. */
function exitOf(
  { saved }: Run,
  { isInterrupted, problems, outcomes }: Executed,
  results: ApplyReport["results"],
  isDone: boolean,
  isWritten: boolean,
): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  const isReported = isWritten && problems.length === 0;
  if (isReported && isDone) return EXIT.done;
  if (results.some(({ outcome }) => outcome === "applied") || hasActed(outcomes)) return EXIT.partial;
  const isMoved = results.every(({ error: why }, at) => why?.code === "moved" || isSkipped(saved?.review.reviewed[at]));
  return saved !== null && isReported && isMoved ? EXIT.refused : EXIT.error;
}
