// `linkform apply PLAN`: plans again, and applies the changes that are both in the new and in the saved plan.

import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import { heldByBrake } from "../apply/outcome.ts";
import type { Live } from "../domain/change.ts";
import { error, hasErrors } from "../domain/diagnostic.ts";
import type { LiveRecord } from "../domain/live.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { narrowPlan } from "../plan/summary.ts";
import { dependenciesAmong } from "../plan/order.ts";
import { canonicalRecords, resolve, type Resolved } from "../plan/resolve.ts";
import { brakeDiagnostics } from "../report/brakes.ts";
import { changeDocument } from "../report/change-document.ts";
import type { ChangeResult, SavedPlan } from "../report/json/schema.ts";
import { changesToRun, reviewSavedPlan, type Review, type ReviewedChange } from "../saved-plan/review.ts";
import { isSkipped, reviewText, savedOutcomes } from "../saved-plan/outcome.ts";
import { planText } from "../report/text/log.ts";
import { connectReader } from "../service/service.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import { exitOf, type CommonFlags, type World } from "../session/context.ts";
import { endedOf, execute, hasActed, withSecrets, type ExecuteFlags, type Executed } from "../session/execute.ts";
import { concludeWithBase, moveWithoutBase, openMovableBase } from "../session/move-base.ts";
import { accountProblem } from "../saved-plan/account.ts";
import { openPlan } from "../saved-plan/file.ts";
import { planningFlagsOf, savedPlanOptions, type PlanningFlags } from "../session/plan-flags.ts";
import { paceOf, withPlan, type Prepared } from "../session/prepare.ts";
import { refuse } from "../session/session.ts";
import { writtenReceipt, receiptsFor } from "../undo/receipt-files.ts";

type SavedFlags = CommonFlags &
  ServiceFlags &
  PlanningFlags &
  ExecuteFlags & { readonly moveBase?: boolean | "create" };

/** Applies the plan saved in `file`. It does not ask, because the plan has been reviewed. */
export async function applySaved(world: World, flags: SavedFlags, file: string, out: Console): Promise<ExitCode> {
  const given = planningFlagsOf(flags);
  if (given.length > 0) {
    const message = `A saved plan already contains its planning options. Remove ${given.join(", ")}.`;
    const problem = error(
      "planning-flags",
      message,
      null,
      "To use other options, save a new plan: linkform plan --out FILE.",
    );
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  let saved: SavedPlan;
  try {
    saved = await openPlan(world, file);
  } catch (cause) {
    const problem = diagnosticOf(cause);
    if (problem === null) throw cause;
    return refuse(out, "apply", null, [problem], exitOf(cause));
  }
  if (flags.moveBase === "create") {
    const message = "A saved plan cannot be used for the first deploy.";
    const hint = "Run `linkform apply --base applied --move-base=create`.";
    const problem = error("move-without-base", message, null, hint);
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  if (flags.moveBase === true && saved.options.base === null) {
    const problem = moveWithoutBase("Save a plan with a base: linkform plan --base applied --out FILE.");
    return refuse(out, "apply", null, [problem], EXIT.usage);
  }
  const request = {
    command: "apply" as const,
    isDeploy: true,
    needsAccount: true,
    withoutBase: "tag" as const,
    options: savedPlanOptions(saved.options),
    resources: saved.options.resources ?? [],
    checkAddress: (baseUrl: string) => checkAddress(saved, baseUrl, file),
  };
  return withPlan(world, flags, out, request, async (prepared) => {
    const { baseUrl, state, project } = prepared;
    const resolved = resolve(project, state);
    const other = accountProblem(saved, file, baseUrl, state, resolved.live);
    if (other !== null) return refuse(out, "apply", baseUrl, [other], EXIT.error);
    // Without a plan, the errors of the files or the account are the whole report.
    if (hasErrors(prepared.plan.diagnostics))
      return refuse(out, "apply", baseUrl, prepared.plan.diagnostics, EXIT.error);
    const review = await reviewNow(saved, prepared, resolved, flags, out);
    return applyReviewed({ saved, file }, review, prepared, world, flags, out);
  });
}

function checkAddress({ service }: SavedPlan, baseUrl: string, file: string): void {
  if (service.base_url === baseUrl) return;
  throw new UserError(
    "plan-address",
    `${file} was made for ${service.base_url}, but this run connects to ${baseUrl}.`,
    {
      hint: "Apply it with the project that it was made from, or save a new plan.",
    },
  );
}

/** Compares the saved plan with the files and the account. */
async function reviewNow(
  saved: SavedPlan,
  prepared: Prepared,
  { desired, live: readable, unreadable }: Resolved,
  flags: ExecuteFlags,
  out: Console,
): Promise<Review> {
  const { plan, transport } = prepared;
  // A record with unreadable fields still exists: it does not count as deleted.
  const live = [...readable, ...unreadable.map((one) => one.live)];
  out.progress.start(() => transport.limit);
  const more = await readUnlisted(saved, live, prepared, flags, out);
  out.progress.stop();
  return reviewSavedPlan(saved.changes, {
    plan,
    desired,
    live: [...live, ...more],
    needs: dependenciesAmong(plan.changes),
  });
}

/**
 * Reads the links of the saved plan that the files no longer name, each by its id. Without this, a link that was not read would look
 * deleted.
 */
async function readUnlisted(
  { changes }: SavedPlan,
  live: readonly Live[],
  { project, state, plan, transport }: Prepared,
  { concurrency }: ExecuteFlags,
  out: Console,
): Promise<Live[]> {
  if (state.isWhole) return [];
  const read = new Set(live.flatMap(({ kind, id }) => (kind === "link" ? [id] : [])));
  const wasRead = (key: string): boolean =>
    state.domain !== null && plan.references.domains.get(key.slice(0, key.lastIndexOf("/"))) === state.domain;
  const ids = changes.flatMap(({ kind, id, key, previous_key }) =>
    kind !== "link" || id === null || read.has(id) || wasRead(previous_key ?? key) ? [] : [id],
  );
  const reader = connectReader(transport);
  const limit = pLimit(concurrency ?? DEFAULT_CONCURRENCY);
  const lookUps = out.progress.count("look-up", ids.length);
  const look = async (id: number): Promise<LiveRecord | null> => {
    const record = await limit(() => reader.show("link", id));
    lookUps.end(id);
    return record;
  };
  const records = await Promise.all(ids.map(look));
  return records.filter((record) => record !== null).map(canonicalRecords(project, state));
}

interface OpenedPlan {
  readonly saved: SavedPlan;
  readonly file: string;
}

async function applyReviewed(
  { saved, file }: OpenedPlan,
  review: Review,
  prepared: Prepared,
  world: World,
  flags: SavedFlags,
  out: Console,
): Promise<ExitCode> {
  const { reviewed, notReviewed } = review;
  const state = { ...prepared.state, requests: prepared.transport.requests };
  const plan = narrowPlan(prepared.plan, changesToRun(reviewed), prepared.options.allowances, state);
  const ready = await withSecrets({ ...prepared, state, plan }, world);
  const { baseUrl } = ready;
  const { diagnostics } = ready.plan;
  if (hasErrors(diagnostics)) return refuse(out, "apply", baseUrl, diagnostics, EXIT.error);
  const base =
    flags.moveBase === true && plan.base !== null ? await openMovableBase(world, plan.base, ready.opened) : null;
  const about = {
    plan: { ...plan, diagnostics },
    baseUrl,
    summary: saved.summary,
    not_reviewed: notReviewed.map((change) => changeDocument(change, plan)),
  };
  out.events?.plannedAsSaved(plan, saved.summary, reviewed, savedOutcomes(reviewed, []));
  if (plan.brakes.length > 0) {
    const [flagFor, problems] = ["a new plan" as const, brakeDiagnostics(plan.brakes, "a new plan")];
    out.findings(diagnostics);
    out.note(reviewText(world.secrets.hideIn(review), false, out.errScreen));
    out.findings([], problems);
    const results = savedOutcomes(reviewed, heldByBrake(plan.changes));
    return out.conclude({ of: "apply", ...about, problems, results, flagFor }, (isWritten) =>
      isWritten ? EXIT.refused : EXIT.error,
    );
  }
  out.findings(diagnostics);
  if (plan.changes.length > 0)
    out.note(() => `${planText(world.secrets.hideIn(plan), out.errScreen, { pace: paceOf(ready) })}\n`);
  out.note(reviewText(world.secrets.hideIn(review), plan.changes.length === 0, out.errScreen));
  const executed = await execute(ready, world, flags, out, receiptsFor(world, flags));
  const ended = savedOutcomes(reviewed, executed.outcomes);
  const exit = exitAfter(executed, ended, reviewed);
  const account = endedOf(executed, exit(true), {
    again: `linkform apply ${file}`,
    look: "linkform plan --out FILE",
  });
  const report = { of: "apply", ...about, problems: executed.problems, results: ended, ended: account } as const;
  return concludeWithBase({ ...report, ...writtenReceipt(executed, flags) }, base, world, out, exit);
}

function isSkippedAt(reviewed: readonly ReviewedChange[], at: number): boolean {
  const result = reviewed[at];
  return result !== undefined && isSkipped(result);
}

/** The exit code, if the result could be written or not. */
function exitAfter(
  { isInterrupted, problems, outcomes }: Executed,
  ended: readonly ChangeResult[],
  reviewed: readonly ReviewedChange[],
): (isWritten: boolean) => ExitCode {
  return (isWritten) => {
    if (isInterrupted) return EXIT.interrupted;
    const isReported = isWritten && problems.length === 0;
    if (isReported && ended.every(({ outcome }) => outcome === "applied")) return EXIT.done;
    if (ended.some(({ outcome }) => outcome === "applied") || hasActed(outcomes)) return EXIT.partial;
    const isMoved = ended.every((one, at) => one.error?.code === "moved" || isSkippedAt(reviewed, at));
    return isReported && isMoved ? EXIT.refused : EXIT.error;
  };
}
