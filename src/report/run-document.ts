// The documents of runs, from which every format is made, and what they say about how a run ended.

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Outcome } from "../apply/outcome.ts";
import { visible } from "../domain/control-characters.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { plural } from "../domain/words.ts";
import { EXIT } from "../errors.ts";
import { countsText, countWords, durationText } from "./counts.ts";
import { differences, planDocument, reportedChanges, reportedDifference, withheldDocument } from "./document.ts";
import type { PlannedReport, ReportDocument, ShownChange } from "./document.ts";
import { diagnosticDocuments } from "./finding-document.ts";
import type { ApplyDocument, ChangeResult, PlanDocument, RunDocument } from "./json/schema.ts";
import type { WrittenDocument } from "./json/written.ts";
import { ALL_WITHHELD, driftRemarks, NO_CHANGES, planRemarks, shortCommit, undoRemarks } from "./plan-remarks.ts";
import type { Report, RunReport } from "./format.ts";
import { WITHHELD_REASONS } from "./unplanned.ts";

export function plannedDocument(report: PlannedReport): PlanDocument & Pick<ApplyDocument, "undo"> {
  const { plan, pace = null, undo } = report;
  return {
    ...planDocument(report, [...reportedChanges(plan).values()]),
    pace: pace ?? undefined,
    ...(undo === undefined ? planRemarks(plan, pace) : undoRemarks(plan, pace)),
    undo,
  };
}

export function planReport(report: PlannedReport): RunReport {
  return { of: "run", command: "plan", document: plannedDocument(report) };
}

/** A drift report is the plan that would undo the drift, so that readers of plans can read it. */
export function driftReport(report: PlannedReport): RunReport {
  const { plan } = report;
  const changes = differences(plan).map((change) => reportedDifference(change, plan));
  return { of: "run", command: "drift", document: { ...planDocument(report, changes), ...driftRemarks(plan) } };
}

export function applyReport(report: ApplyReport): RunReport {
  const { plan, results, ended, pace = null, record = null, undo_command, moved_base, undo, not_reviewed } = report;
  const planned = planDocument(report, []);
  const missing = missingParts(report);
  const count = (which: Outcome["outcome"]): number => results.filter(({ outcome }) => outcome === which).length;
  const [applied, failed, skipped] = [count("applied"), count("failed"), count("skipped")];
  const document: ApplyDocument = {
    ...planned,
    changes: [...results],
    summary: report.summary ?? planned.summary,
    result: { applied, failed, skipped, complete: missing.length === 0 },
    ...(ended === undefined
      ? { ...planRemarks(plan, pace), pace: pace ?? undefined }
      : { run: ended.run, missing, next: failed + skipped > 0 ? nextSteps(report, ended) : undefined }),
    moved_base,
    undo_command,
    ...(ended !== undefined && runRemarks(ended.run)),
    record,
    undo,
    not_reviewed,
  };
  return { of: "run", command: "apply", document };
}

/** A file before and after. `before` is null for a new file. */
export interface FileEdit {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** True for a copied file: its text is not shown. */
  readonly isCopy?: boolean;
}

export interface WrittenResult extends Readonly<Pick<WrittenDocument, "command" | "items" | "next" | "columns">> {
  /** False for a dry run and for `fmt --check`: nothing was written. */
  readonly isWritten: boolean;
  readonly edits: readonly FileEdit[];
  readonly variables: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function writtenReport(result: WrittenResult): Report {
  const { command, isWritten: written, edits, items, next, columns } = result;
  const files: WrittenDocument["files"] = edits.map((edit) => ({
    file: edit.file,
    action: edit.before === null ? "create" : "update",
    patch: written || edit.isCopy === true ? null : filePatch(edit),
  }));
  const variables = [...result.variables];
  const diagnostics = diagnosticDocuments(result.diagnostics);
  const document = { command, written, files, items, variables, next, diagnostics, columns };
  return { of: "written", document: { format_version: "1.0", ...document } };
}

/** The unified diff of a file, as git shows it. With too many changes for a smallest difference, it deletes the file and creates it. */
export function filePatch({ file, before, after }: FileEdit): string {
  // As git does: otherwise `patch` ends a name at its first space.
  const end = file.includes(" ") ? "\t" : "";
  const patchOf = (from: string, to: string, old: string, next: string, maxEditLength: number): string | undefined => {
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength };
    const lines = createTwoFilesPatch(from, to, old, next, "", "", options)?.split("\n");
    return lines?.map((line, at) => applicable(line) + (at < 2 ? end : "")).join("\n");
  };
  const [from, to, old] = [before === null ? NO_FILE : `a/${file}`, `b/${file}`, before ?? ""];
  return (
    patchOf(from, to, old, after, old === "" ? Infinity : MAX_EDITS) ??
    `${patchOf(from, NO_FILE, old, "", Infinity)}${patchOf(NO_FILE, to, "", after, Infinity)}`
  );
}

const NO_FILE = "/dev/null";

/** The time of a diff grows with the square of this number of added and removed lines. */
const MAX_EDITS = 3000;

/** Shows invisible characters, except a byte order mark and a carriage return: the patch would not apply without them. */
function applicable(line: string): string {
  const [, start = "", text = "", end = ""] = /^([-+ ]\uFEFF)?(.*?)(\r?)$/s.exec(line) ?? [];
  return start + visible(text) + end;
}

/** An apply or an undo. Its summary and `not_reviewed` are those of a saved plan. */
export interface ApplyReport
  extends
    PlannedReport,
    Partial<Pick<ApplyDocument, "summary" | "not_reviewed" | "record" | "undo_command" | "moved_base">> {
  /** In the order of the plan. For a saved plan, these are the saved changes, and `plan` has those that were run. */
  readonly results: readonly ChangeResult[];
  /** Left out if a brake stopped it before the first change. */
  readonly ended?: Ended;
}

export interface Ended {
  readonly run: RunDocument;
  /** The codes of what ended it early. */
  readonly stopped: readonly string[];
  /** The command that continues it. */
  readonly again: string;
  /** The command that shows the pending changes. */
  readonly look: string;
}

/** The first sentence about a run, and what follows it. */
export function endText(
  { clicks_lost: lost, exit_code: exit, verified }: RunDocument,
  { changes = [], withheld = [], not_reviewed: notReviewed, undo }: ReportDocument,
): readonly [tone: "good" | "warn" | "bad", title: string, more: string] {
  if (changes.length === 0) {
    const isUndo = undo !== undefined;
    if (notReviewed === undefined && withheld.length > 0)
      return ["warn", `${isUndo ? "Nothing was undone: all changes are left out" : ALL_WITHHELD}.`, ""];
    const why = notReviewed === undefined ? "the account matches the files" : "the saved plan is empty";
    return ["good", isUndo ? "Nothing to undo." : `${NO_CHANGES}: ${why}.`, ""];
  }
  const clicks =
    lost === 0 ? "" : `${plural(lost, "click")} ${lost === 1 ? "was" : "were"} lost with the deleted links.`;
  const done = doneText(changes);
  if (groupNotApplied(changes).length > 0) {
    const isNothing = exit === EXIT.error || exit === EXIT.refused;
    return ["bad", `${isNothing ? "Nothing was applied" : "Not all changes were applied"}: ${done}.`, clicks];
  }
  if (changes.every(({ already_so }) => already_so === true)) return ["good", `Done: ${done}.`, ""];
  const checked = verified ? "Verified." : "The changes were not verified. Run `linkform plan` to check the account.";
  return [verified ? "good" : "warn", `Done: ${done}.`, `${checked} ${clicks}`.trimEnd()];
}

export function groupNotApplied(
  results: readonly ShownChange[],
): readonly (readonly [status: NotApplied, changes: readonly ShownChange[]])[] {
  return NOT_APPLIED.flatMap((status) => {
    const changes = results.filter((one) => resultStatus(one) === status);
    return changes.length === 0 ? [] : [[status, changes] as const];
  });
}

export function clicksLost(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { outcome, change }) => {
    const isGone = outcome === "applied" && (change.action === "delete" || change.action === "replace");
    return isGone ? sum + (change.live.clicks ?? 0) : sum;
  }, 0);
}

/** `3 created, 1 renamed, 2 already done; 1 failed`. */
export function doneText(results: readonly ShownChange[]): string {
  const withStatus = (of: readonly string[]): ShownChange[] => results.filter((one) => of.includes(resultStatus(one)));
  const count = (of: readonly string[]): string => countWords(withStatus(of).map(resultStatus), of);
  const join = (texts: readonly string[], between: string): string => texts.filter((text) => text !== "").join(between);
  const made = join([countsText(withStatus(["applied"]), true), count(["already done"])], ", ");
  return join([made, count(NOT_APPLIED)], "; ");
}

const NOT_APPLIED = ["failed", "outdated", "not started"] as const;
export type NotApplied = (typeof NOT_APPLIED)[number];

function resultStatus({ outcome, error, already_so }: ShownChange): NotApplied | "applied" | "already done" {
  if (outcome === "applied") return already_so === true ? "already done" : "applied";
  return outcome === "failed" ? "failed" : error?.code === "moved" ? "outdated" : "not started";
}

/** The duration of shorter runs is not reported. */
const MIN_REPORTED_SECONDS = 10;

function runRemarks({ seconds, waited, requests }: RunDocument): Pick<ApplyDocument, "remarks" | "details"> {
  const waiting = waited === 0 ? "" : `, including ${durationText(waited)} of waiting for the rate limit`;
  const remarks = seconds < MIN_REPORTED_SECONDS ? [] : [`The changes took ${durationText(seconds)}${waiting}.`];
  return { remarks, details: [`${plural(requests, "request")}.`] };
}

/** The same change would fail with these again, unless the user does what the hint of the failure says. */
const TO_CORRECT = /^(refused|doubled|taken|not-as-declared)$/;
const TO_FIX = /^(unauthenticated|forbidden)$/;

/** The live object changed: the user has to look at a new plan first. */
const TO_REPLAN = /^(moved|changed-meanwhile|not-verified)$/;

/** What to do after a run that did not make all changes. Each failure has its own hint. */
function nextSteps(report: ApplyReport, { stopped, again, look }: Ended): string[] {
  const { results, undo, not_reviewed: notReviewed } = report;
  const left = results.filter(({ outcome }) => outcome !== "applied");
  // A change that was skipped because another one failed depends on that failure.
  const causes = left.flatMap(({ error }) => (error === null || error.code === "skipped" ? [] : error.code));
  const codes = [...stopped, ...causes];
  // After an internal error, another run would fail in the same way.
  const isFinal = (code: string): boolean => code === "internal-error" || TO_REPLAN.test(code);
  const canContinue = !codes.every(isFinal) || (causes.length === 0 && left.length > 0);
  const fix = undo === undefined ? "Fix the errors above" : "Fix the errors above or skip their changes with --exclude";
  const isToCorrect = codes.some((code) => TO_CORRECT.test(code));
  // A saved plan would send the same values again.
  if (isToCorrect && notReviewed !== undefined) return [`${fix}, and run \`${visible(look)}\` to save a new plan.`];
  const run = isToCorrect || codes.some((code) => TO_FIX.test(code)) ? `${fix}, and run` : "Run";
  const rest = "It reads the account first, and applies only the remaining changes.";
  return [
    ...(codes.some((code) => TO_REPLAN.test(code)) ? [`Run \`${visible(look)}\` to see what would change now.`] : []),
    ...(canContinue ? [`${run} \`${visible(again)}\` again. ${rest}`] : []),
  ];
}

/** What is missing for a complete run, as parts of a sentence. The base moves only without any: it would forget deletions otherwise. */
export function missingParts({ results, ended, plan, not_reviewed: notReviewed = [], undo }: ApplyReport): string[] {
  if (ended === undefined) return ["nothing was applied"];
  const { left: unrestored = [], files = [], pending = 0 } = undo ?? {};
  const left = plan.withheld.map(withheldDocument);
  const parts = [
    ...groupNotApplied(results).map(([status, changes]) => `${plural(changes.length, "change")} ${status}`),
    ...Object.entries(WITHHELD_REASONS).flatMap(([because, reason]) =>
      counted(left.filter((one) => one.because === because).length, "change", reason),
    ),
    ...counted(notReviewed.length, "change", "not reviewed"),
    ...counted(plan.keptLive.length, "object", "still live that could not be pruned or renamed"),
    ...(plan.isPruneBlind ? ["`prune: removed` needs --base to find removed declarations"] : []),
    ...counted(unrestored.length, "object", "not fully restored"),
    ...counted(files.length, "file", `still ${files.length === 1 ? "asks" : "ask"} for the undone changes`),
    ...(pending === null
      ? ["errors in the files, so their pending changes are unknown"]
      : counted(pending, "change", "pending in the files")),
    ...(ended.run.verified ? [] : ["the changes were not verified"]),
  ];
  return parts.length === 0 && ended.stopped.length > 0 ? ["the run ended with an error"] : parts;
}

function counted(count: number, noun: string, what: string): string[] {
  return count === 0 ? [] : [`${plural(count, noun)} ${what}`];
}

/** What is missing, or where the base moved to. Empty for an undo, and for failures in a run without a base. */
export function completenessText(document: ReportDocument): string {
  const { changes = [], base = null, undo, missing = [], moved_base: moved } = document;
  if (undo !== undefined || (base === null && groupNotApplied(changes).length > 0)) return "";
  if (missing.length > 0) {
    const stay =
      base === null ? "" : ` Do not move the base. Leave \`${visible(base.ref)}\` at ${shortCommit(base.commit)}.`;
    return `Incomplete: ${missing.join("; ")}.${stay}`;
  }
  if (moved === undefined) return "";
  const tag = `The tag \`${visible(moved.ref)}\``;
  const to = shortCommit(moved.to);
  if (moved.from === null) return `${tag} was created at ${to}. It has not been pushed.`;
  return moved.from === moved.to
    ? `${tag} is already at ${to}.`
    : `${tag} moved from ${shortCommit(moved.from)} to ${to}. It has not been pushed.`;
}
