// `linkform apply` and `linkform undo`: plan, ask, execute, verify, report.

import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { type Outcome, heldByBrake } from "../apply/outcome.ts";
import { type RunResult, runPlan } from "../apply/run.ts";
import { diagnosticOf, Refusal } from "../config/located-error.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, type ExitCode, UserError, usageError } from "../errors.ts";
import { resolveRecord } from "../plan/live-records.ts";
import { resolve } from "../plan/resolve.ts";
import { narrowPlan } from "../plan/summary.ts";
import { type OpenedPlan, openPlan } from "../record/file.ts";
import { accountHash } from "../record/lines.ts";
import { type Review, changesToRun, reviewSavedPlan, savedOutcomes } from "../record/review.ts";
import { type FlagFor, brakeDiagnostics } from "../report/brakes.ts";
import { changeDocument, changeResults } from "../report/document.ts";
import type { RunDocument } from "../report/json/schema.ts";
import { type ApplyReport, type Ended, applyReport, clicksLost, planReport } from "../report/run-document.ts";
import { outcomeText, planText } from "../report/text/index.ts";
import { fieldWords } from "../report/values.ts";
import { connectWriter } from "../service/service.ts";
import { confirmPlan } from "../session/confirm.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console, refuseErrors } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import {
  type BaseMove,
  concludeWithBase,
  firstDeployProblem,
  moveWithoutBase,
  openMove,
} from "../session/move-base.ts";
import {
  type PlanningFlags,
  checkChanged,
  planOptionsOf,
  planningFlagsOf,
  savedPlanOptions,
} from "../session/plan-flags.ts";
import { type Planned, paceOf, planFiles } from "../session/planned.ts";
import { withLinks } from "../session/read-account.ts";
import { shellQuote, writtenRecord } from "../session/record-files.ts";
import { brakeRun } from "../session/render-context.ts";
import { type ExecuteFlags, RecordWriter } from "../session/run-record.ts";
import { type ResolvedSecrets, resolveSecrets } from "../session/secrets.ts";
import { type PlannedUndo, type UndoFlags, planUndo } from "../undo/plan.ts";

export interface ApplyFlags extends CommonFlags, ServiceFlags, PlanningFlags, ExecuteFlags {
  readonly yes?: boolean;
  /** `create`: the first deploy, which creates the tag. */
  readonly moveBase?: boolean | "create";
}

type RunFlags = ApplyFlags & UndoFlags;

/** What a run applies: the files, a saved plan, or the state before the run of a record. */
type Source = "files" | "plan" | "record";

interface Run extends Planned, Pick<Ended, "again" | "look"> {
  readonly flagFor: FlagFor;
  readonly saved: ReviewedPlan | null;
  readonly summarizeUndo: PlannedUndo["summarizeUndo"] | null;
}

/** Plans and applies, or applies the plan saved in `file`. Without `yes` it asks, which needs a terminal. */
export async function apply(
  world: World,
  flags: ApplyFlags,
  file?: string,
  out: Console<RunFlags> = new Console<RunFlags>(world, flags, "apply"),
): Promise<ExitCode> {
  return runApply(out, file === undefined ? "files" : "plan", file);
}

/** Undoes the run of a record: a file, or `last` for the newest of the project. */
export async function undo(world: World, flags: UndoFlags, named: string): Promise<ExitCode> {
  return runApply(new Console(world, flags, "undo"), "record", named);
}

/** `named` is the file of the plan or record, or `last`. */
async function runApply(out: Console<RunFlags>, source: Source, named = ""): Promise<ExitCode> {
  const { world, flags } = out;
  const record = new RecordWriter(out);
  out.record = record;
  return out.run(async () => {
    checkUsage(out, source);
    const run = await planSource(out, source, named);
    if (source === "record" && flags.dryRun === true) return previewUndo(out, run);
    const { plan } = run;
    const { secret, diagnostics } = await resolveSecrets(plan.secretsNeeded, run.opened.folder, world.env);
    refuseErrors([...plan.diagnostics, ...diagnostics]);
    const base = await movableBase(out, run);
    if (plan.brakes.length > 0) return hold(out, record, run);
    out.findings(plan.diagnostics);
    const runText = (): string => {
      const shown = world.secrets.hideIn({ plan, undo: run.summarizeUndo?.(null) });
      return `${planText(shown.plan, out.errScreen, { pace: paceOf(run), undo: shown.undo })}\n`;
    };
    const isEmpty = plan.changes.length === 0;
    if (source !== "plan" && flags.yes !== true && !isEmpty) {
      out.show(runText());
      await confirmPlan(out, plan);
    } else if (source !== "plan" || !isEmpty) out.note(runText);
    await world.turn?.afterEarlier();
    const executed = await execute(out, record, run, secret);
    return conclude(out, record, run, executed, base);
  });
}

function checkUsage({ world, flags }: Console<RunFlags>, source: Source): void {
  if (source === "plan") {
    const given = planningFlagsOf(flags);
    if (given.length > 0)
      throw usageError(
        "planning-flags",
        `A saved plan already contains its planning options. Remove ${given.join(", ")}.`,
        { hint: "To use other options, save a new plan: linkform plan --out FILE." },
      );
    if (flags.moveBase === "create")
      throw usageError("move-without-base", "A saved plan cannot be used for the first deploy.", {
        hint: "Run `linkform apply --base applied --move-base=create`.",
      });
    return;
  }
  if (flags.yes !== true && flags.dryRun !== true && world.stdin.isTTY !== true)
    throw usageError("nobody-to-ask", "linkform cannot ask for confirmation: there is no terminal.", {
      hint:
        source === "files"
          ? "Add --yes to apply without a confirmation."
          : "To undo without confirmation, add --yes. To only see what would change, add --dry-run.",
    });
  if (source === "record") return;
  if ((flags.moveBase ?? false) !== false && flags.base === undefined)
    throw moveWithoutBase("Name the tag to move: --base applied --move-base.");
  checkChanged(flags);
}

async function planSource(out: Console<RunFlags>, source: Source, named: string): Promise<Run> {
  const { world, flags } = out;
  if (source === "record") {
    const undoing = await planUndo(out, named);
    refuseErrors(undoing.plan.diagnostics);
    const again = `linkform undo ${shellQuote(undoing.file)}`;
    return { ...undoing, saved: null, flagFor: "this run", again, look: `${again} --dry-run` };
  }
  if (source === "plan") {
    const planned = await planSaved(out, named);
    const commands = { again: `linkform apply ${shellQuote(named)}`, look: "linkform plan --out FILE" };
    return { ...planned, summarizeUndo: null, flagFor: "a new plan", ...commands };
  }
  const isFirst = flags.moveBase === "create";
  const wanted = planOptionsOf(flags);
  const options = isFirst ? { ...wanted, base: null, changed: "never" as const } : wanted;
  const planned = await planFiles(out, { command: "apply", isFirst, options });
  const commands = { again: "linkform apply", look: "linkform plan" };
  return { ...planned, saved: null, summarizeUndo: null, flagFor: brakeRun(world.env), ...commands };
}

/** A saved plan, and what of it is still planned. Nobody is asked, because it was reviewed. */
interface ReviewedPlan extends OpenedPlan {
  readonly review: Review;
}

/** Plans again as a saved plan was made, and keeps only the reviewed changes. Throws a user error or a refusal if it cannot be used. */
async function planSaved(out: Console<RunFlags>, file: string): Promise<Planned & { readonly saved: ReviewedPlan }> {
  const { world, flags } = out;
  const opened = await openPlan(world.cwd, file);
  const { saved, line } = opened;
  if (flags.moveBase === true && saved.options.base === null)
    throw moveWithoutBase("Save a plan with a base: linkform plan --base applied --out FILE.");
  const checkAddress = (baseUrl: string): void => {
    const { base_url: address } = saved.service;
    if (address !== baseUrl)
      throw new UserError("plan-address", `${file} was made for ${address}, but this run connects to ${baseUrl}.`, {
        hint: "Apply it with the project that it was made from, or save a new plan.",
      });
    if (world.secrets.has(JSON.parse(line)))
      throw new UserError("plan-with-secret", `${file} contains the API key or a password, so it is not applied.`, {
        hint: "Remove it from the files and from the service, and replace it if others have seen it. Then save a new plan.",
      });
  };
  const { resources = [] } = saved.options;
  const again = { options: savedPlanOptions(saved.options), resources, isSaved: true, checkAddress };
  const planned = await planFiles(out, { command: "apply", ...again });
  const { baseUrl, state, project, plan, options, transport, reader } = planned;
  const account = accountHash(baseUrl, state);
  if (saved.account !== null && account !== null && saved.account !== account)
    throw new UserError("plan-account", `${file} was made for another account. This API key does not belong to it.`, {
      hint: "Set an API key of the account that the plan was made for, or save a new plan.",
    });
  if ((saved.account === null || account === null) && saved.changes.length > 0) {
    const message = `linkform cannot check that ${file} was made for the account of this API key, because the service does not report the account.`;
    throw new UserError("plan-account-unknown", message, { hint: "Run `linkform apply` without a saved plan." });
  }
  // Without a plan, the errors of the files or the account are the whole report.
  refuseErrors(plan.diagnostics);
  out.progress.start();
  // The files may no longer name some links of the saved plan. Without this, these would look deleted.
  const ids = saved.changes.flatMap(({ kind, id }) => (kind === "link" ? [id] : []));
  const known = resolve(project, await withLinks(state, ids, reader, flags.concurrency));
  out.progress.stop();
  // A record with unreadable fields still exists: it does not count as deleted.
  const live = [...known.live, ...known.unreadable];
  const review = reviewSavedPlan(saved.changes, plan, live);
  const all = { ...state, requests: transport.requests };
  const narrowed = narrowPlan(plan, changesToRun(review.reviewed), options.allowances, all);
  return { ...planned, state: all, plan: narrowed, saved: { ...opened, review } };
}

async function previewUndo(out: Console, run: Run): Promise<ExitCode> {
  const { plan, baseUrl } = run;
  const problems = brakeDiagnostics(plan.brakes, "this run");
  out.findings(plan.diagnostics, problems);
  const shown = { plan, problems, baseUrl, pace: paceOf(run), undo: run.summarizeUndo?.(null) };
  return out.result(planReport, shown, problems.length > 0 ? EXIT.refused : EXIT.done);
}

/** The tag to move after the run; null for none. Throws a refusal for a first deploy that would break a short URL. */
async function movableBase({ world, flags }: Console<RunFlags>, { plan, opened }: Run): Promise<BaseMove | null> {
  const isFirst = flags.moveBase === "create";
  const tag = isFirst ? (flags.base ?? null) : flags.moveBase === true ? plan.base : null;
  const base = tag === null ? null : await openMove(world, tag, opened);
  const problem = isFirst ? firstDeployProblem(plan) : null;
  if (problem !== null) throw new Refusal([...plan.diagnostics, problem]);
  return base;
}

async function hold(out: Console, record: RecordWriter, run: Run): Promise<ExitCode> {
  const { plan, saved, flagFor } = run;
  record.planned(run);
  const problems = brakeDiagnostics(plan.brakes, flagFor);
  out.findings(plan.diagnostics, problems);
  const pace = saved === null ? paceOf(run) : null;
  const about = { ...aboutOf(out, run, heldByBrake(plan.changes)), problems, flagFor, pace };
  const report = { ...about, undo: run.summarizeUndo?.(null) };
  return out.conclude(applyReport, report, (isWritten) => (isWritten ? EXIT.refused : EXIT.error));
}

interface Executed extends RunResult {
  readonly cost: Pick<RunDocument, "requests" | "seconds" | "waited">;
  /** What stopped the run, and outputs that could not be written. */
  readonly problems: readonly Diagnostic[];
}

/** Applies and verifies every change of the plan. Throws a user error before the first change if the record cannot be written. */
async function execute(
  out: Console<RunFlags>,
  record: RecordWriter,
  run: Run,
  secret: ResolvedSecrets,
): Promise<Executed> {
  const { world, flags } = out;
  const { plan, state, readAt, transport } = run;
  await record.begin(run.summarizeUndo === null ? "apply" : "undo", run, flags);
  out.progress.start();
  const { pace } = transport;
  const [startedAt, waited] = [world.clock.now(), pace.waited];
  let done = out.progress.count("apply", plan.changes.length);
  const result = await runPlan(plan, connectWriter(transport), {
    canonical: (live) => resolveRecord(live, run.side),
    state,
    readAt,
    concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
    now: world.now(),
    secret,
    clock: world.clock,
    signal: world.signal,
    onCall: record.call,
    onOutcome: (outcome) => {
      record.end(outcome);
      done.add(outcome.change);
      out.note(() => outcomeText(world.secrets.hideIn(outcome), out.errScreen));
    },
    onVerify: (changes) => void (done = out.progress.count("verify", changes)),
    onChecked: (change) => void done.add(change),
    describe: (change, fields) => fieldWords(plan, change, fields),
  });
  out.progress.stop();
  if (result.outcomes.length > 0) out.note("\n");
  const problems = [...new Set([result.stopped, record.problem])].flatMap((one) => diagnosticOf(one) ?? []);
  out.findings(problems);
  const seconds = (world.clock.now() - startedAt) / 1000;
  return { ...result, problems, cost: { requests: transport.requests, seconds, waited: pace.waited - waited } };
}

async function conclude(
  out: Console<RunFlags>,
  record: RecordWriter,
  run: Run,
  executed: Executed,
  base: BaseMove | null,
): Promise<ExitCode> {
  const { outcomes, stopped, isVerified, cost, problems } = executed;
  const made = outcomes.flatMap(({ change, outcome }) => (outcome === "applied" ? [change] : []));
  const undone = run.summarizeUndo?.(made);
  const about = aboutOf(out, run, outcomes);
  const { results } = about;
  const hasActed = outcomes.some(
    (one) => one.outcome === "applied" || (one.outcome === "failed" && one.failure.mayHaveActed),
  );
  // Changes that an undo left out are not done.
  const isDone = results.every(({ outcome }) => outcome === "applied") && (undone?.left ?? []).length === 0;
  const exit = (isWritten: boolean): ExitCode => {
    if (stopped?.exit === EXIT.interrupted) return EXIT.interrupted;
    const isReported = isWritten && problems.length === 0;
    if (isReported && isDone) return EXIT.done;
    if (hasActed || results.some(({ outcome }) => outcome === "applied")) return EXIT.partial;
    // A run that was not stopped skips only what has moved, and what depends on that.
    const isMoved = run.saved !== null && isReported && results.every(({ outcome }) => outcome === "skipped");
    return isMoved ? EXIT.refused : EXIT.error;
  };
  const lost = { exit_code: exit(true), verified: isVerified, clicks_lost: clicksLost(outcomes) };
  const codes = problems.map(({ code }) => code);
  const report: ApplyReport = {
    ...about,
    problems,
    ended: { run: { ...lost, ...cost }, stopped: codes, again: run.again, look: run.look },
    undo: undone,
    ...writtenRecord(hasActed ? record.shown : null, out.flags),
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
  const { reviewed, notReviewed } = saved.review;
  const not_reviewed = notReviewed.map((change) => changeDocument(change, plan));
  return {
    plan,
    baseUrl,
    summary: saved.saved.summary,
    not_reviewed,
    results: savedOutcomes(reviewed, plan, outcomes),
  };
}
