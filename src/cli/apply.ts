// `linkform apply` and `linkform undo`: plan, ask, execute, verify, report. What is applied are the files, a saved plan, or the state before
// the run of a record.

import { heldByBrake, type Outcome } from "../apply/outcome.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { isSkipped, savedOutcomes } from "../record/outcome.ts";
import { brakeDiagnostics, type FlagFor } from "../report/brakes.ts";
import { changeDocument } from "../report/change-document.ts";
import { changeResults } from "../report/document.ts";
import type { ApplyReport, Ended } from "../report/report.ts";
import { planText } from "../report/text/log.ts";
import { brakeRun } from "../session/ci-event.ts";
import { confirmPlan } from "../session/confirm.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import {
  endedOf,
  execute,
  hasActed,
  withSecrets,
  type Executed,
  type ExecuteFlags,
  type Ready,
} from "../session/execute.ts";
import {
  concludeWithBase,
  firstDeployProblem,
  moveWithoutBase,
  openMovableBase,
  type MovableBase,
} from "../session/move-base.ts";
import { changedProblem, planningFlagsOf, planOptionsOf, type PlanningFlags } from "../session/plan-flags.ts";
import { paceOf, planFiles, refuseErrors, type Planned } from "../session/planned.ts";
import { planLineOf } from "../session/plan-line.ts";
import { writtenRecord } from "../session/record-files.ts";
import { RunRecord } from "../session/run-record.ts";
import { refuse, Refusal, runSession, type Connect } from "../session/session.ts";
import { openUndo, planUndo, summarizeUndo, type PlannedUndo, type UndoFlags } from "../undo/plan.ts";
import { openSaved, reviewSaved, type ReviewedPlan } from "./apply-saved.ts";

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

/** A plan to apply. `saved` and `undo` are null for the other sources. */
interface Run extends Planned {
  readonly saved: ReviewedPlan | null;
  readonly undo: PlannedUndo | null;
}

/** Plans and applies, or applies the plan saved in `file`. Without `yes` it asks, which needs a terminal. */
export async function apply(
  world: World,
  flags: ApplyFlags,
  file?: string,
  out: Console = new Console(world, flags, "apply"),
): Promise<ExitCode> {
  return runApply(world, flags, out, file === undefined ? { of: "files" } : { of: "plan", file });
}

/** Undoes the run of a record: a file, or `last` for the newest of the project. Without `yes`, it needs a terminal to ask. */
export async function undo(world: World, flags: UndoFlags, named: string): Promise<ExitCode> {
  return runApply(world, flags, new Console(world, flags, "undo"), { of: "record", named });
}

async function runApply(world: World, flags: RunFlags, out: Console, source: Source): Promise<ExitCode> {
  const command = commandOf(source);
  const record = new RunRecord(world, out.sinks, (problem) => out.diagnose([problem]));
  out.record = record;
  const problem = usageProblem(world, flags, source);
  if (problem !== null) return refuse(out, command, null, [problem], EXIT.usage);
  return runSession(world, flags, out, command, async (connect) => {
    const run = await planSource(world, flags, out, source, connect);
    if (flags.dryRun !== true)
      return applyRun(world, flags, out, source, { ...run, ...(await withSecrets(run, world)) }, record);
    if (run.undo === null) throw new Error("only an undo has --dry-run");
    return previewUndo(out, run.undo);
  });
}

function commandOf({ of }: Source): "apply" | "undo" {
  return of === "record" ? "undo" : "apply";
}

/** The error if these flags cannot be used with this source. */
function usageProblem(world: World, flags: RunFlags, source: Source): Diagnostic | null {
  if (source.of === "plan") {
    const given = planningFlagsOf(flags);
    if (given.length > 0) {
      const message = `A saved plan already contains its planning options. Remove ${given.join(", ")}.`;
      return error("planning-flags", message, null, "To use other options, save a new plan: linkform plan --out FILE.");
    }
    if (flags.moveBase !== "create") return null;
    const hint = "Run `linkform apply --base applied --move-base=create`.";
    return error("move-without-base", "A saved plan cannot be used for the first deploy.", null, hint);
  }
  if (flags.yes !== true && flags.dryRun !== true && world.stdin.isTTY !== true) {
    const hint =
      source.of === "files"
        ? "Add --yes to apply without a confirmation."
        : "To undo without confirmation, add --yes. To only see what would change, add --dry-run.";
    return error("nobody-to-ask", "linkform cannot ask for confirmation: there is no terminal.", null, hint);
  }
  if (source.of === "record") return null;
  if ((flags.moveBase ?? false) !== false && flags.base === undefined)
    return moveWithoutBase("Name the tag to move: --base applied --move-base.");
  return changedProblem(flags);
}

/** Opens a source, connects, reads the account and plans. */
async function planSource(world: World, flags: RunFlags, out: Console, source: Source, connect: Connect): Promise<Run> {
  if (source.of === "record") {
    const opened = await openUndo(world, flags, source.named);
    const undoing = await planUndo(opened, await connect(opened.project), world, flags, out);
    refuseErrors(undoing.plan.diagnostics);
    return { ...undoing, saved: null, undo: undoing };
  }
  const saved = source.of === "plan" ? await openSaved(world, flags, source.file) : null;
  const isFirst = flags.moveBase === "create";
  const options = isFirst ? { ...planOptionsOf(flags), base: null, changed: "never" as const } : planOptionsOf(flags);
  const planned = await planFiles(world, flags, out, connect, {
    command: "apply",
    isFirst,
    options,
    ...saved?.request,
  });
  if (saved === null) return { ...planned, saved, undo: null };
  const reviewed = await reviewSaved(saved, planned, flags, out);
  return { ...reviewed.planned, saved: reviewed, undo: null };
}

/** Shows the plan of an undo, and what it cannot restore. */
async function previewUndo(out: Console, planned: PlannedUndo): Promise<ExitCode> {
  const { plan, baseUrl } = planned;
  const problems = brakeDiagnostics(plan.brakes, "this run");
  out.findings(plan.diagnostics, problems);
  const shown = { plan, problems, baseUrl, pace: paceOf(planned), undo: summarizeUndo(planned, null) };
  const isWritten = await out.result({ of: "plan", ...shown });
  return !isWritten ? EXIT.error : problems.length > 0 ? EXIT.refused : EXIT.done;
}

/** Asks, executes, verifies and reports. */
async function applyRun(
  world: World,
  flags: RunFlags,
  out: Console,
  source: Source,
  run: Run & Ready,
  record: RunRecord,
): Promise<ExitCode> {
  refuseErrors(run.plan.diagnostics);
  const base = await movableBase(world, flags, run);
  if (run.plan.brakes.length > 0) return hold(world, out, source, run);
  out.findings(run.plan.diagnostics);
  const runText = (): string => {
    const shown = world.secrets.hideIn({ plan: run.plan, undo: run.undo && summarizeUndo(run.undo, null) });
    const about = { pace: paceOf(run), ...(shown.undo !== null && { undo: shown.undo }) };
    return `${planText(shown.plan, out.errScreen, about)}\n`;
  };
  const isEmpty = run.plan.changes.length === 0;
  if (source.of !== "plan" && flags.yes !== true && !isEmpty) {
    out.show(runText());
    await confirmPlan(world, run, out);
  } else if (source.of !== "plan" || !isEmpty) out.note(runText);
  await world.turn?.beforeWrite();
  const executed = await execute(run, world, flags, out, record, commandOf(source), run.saved?.plan ?? null);
  const made = executed.outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
  const undone = run.undo && summarizeUndo(run.undo, made);
  const about = aboutOf(run, executed.outcomes);
  const isDone =
    about.results.every(({ outcome }) => outcome === "applied") && (undone === null || undone.left.length === 0);
  const exit = (isWritten: boolean): ExitCode => exitOf(run, executed, about.results, isDone, isWritten);
  const report: ApplyReport = {
    of: "apply",
    ...about,
    problems: executed.problems,
    ended: endedOf(executed, exit(true), commandsOf(source, run)),
    ...(undone !== null && { undo: undone }),
    ...writtenRecord(executed.record, flags),
  };
  return concludeWithBase(report, base, world, out, exit);
}

/** The tag to move after the run; null for none. Throws a refusal for a first deploy that would break a short URL. */
async function movableBase(world: World, flags: RunFlags, { plan, opened }: Run): Promise<MovableBase | null> {
  const isFirst = flags.moveBase === "create";
  const tag = isFirst ? (flags.base ?? null) : flags.moveBase === true ? plan.base : null;
  const base = tag === null ? null : await openMovableBase(world, tag, opened);
  const problem = isFirst ? firstDeployProblem(plan) : null;
  if (problem !== null) throw new Refusal([...plan.diagnostics, problem]);
  return base;
}

/** Reports a plan that exceeds a limit: nothing of it is applied. */
async function hold(world: World, out: Console, source: Source, run: Run): Promise<ExitCode> {
  const { plan, saved, undo: undoing } = run;
  out.record?.planned(saved?.plan ?? planLineOf(run));
  const flagFor: FlagFor =
    source.of === "plan" ? "a new plan" : source.of === "record" ? "this run" : brakeRun(world.env);
  const problems = brakeDiagnostics(plan.brakes, flagFor);
  out.findings(plan.diagnostics, problems);
  const pace = saved === null ? paceOf(run) : null;
  const undone = undoing === null ? {} : { undo: summarizeUndo(undoing, null) };
  const about = { ...aboutOf(run, heldByBrake(plan.changes)), problems, flagFor, pace, ...undone };
  return out.conclude({ of: "apply", ...about }, (isWritten) => (isWritten ? EXIT.refused : EXIT.error));
}

/** What the reports of a run have, with the outcomes of its changes. */
function aboutOf(
  { plan, baseUrl, saved }: Run,
  outcomes: readonly Outcome[],
): Pick<ApplyReport, "plan" | "baseUrl" | "summary" | "not_reviewed" | "results"> {
  if (saved === null) return { plan, baseUrl, results: changeResults(plan, outcomes) };
  const { plan: opened, review } = saved;
  const not_reviewed = review.notReviewed.map((change) => changeDocument(change, plan));
  const results = savedOutcomes(review.reviewed, outcomes);
  return { plan, baseUrl, summary: opened.saved.summary, not_reviewed, results };
}

function commandsOf(source: Source, { undo: undoing }: Run): Pick<Ended, "again" | "look"> {
  if (source.of === "plan") return { again: `linkform apply ${source.file}`, look: "linkform plan --out FILE" };
  if (undoing === null) return { again: "linkform apply", look: "linkform plan" };
  const again = `linkform undo ${undoing.record.file}`;
  return { again, look: `${again} --dry-run` };
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
