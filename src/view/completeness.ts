// What a run has left undone. The base of the next deploy moves only if nothing is: a deletion behind it would be forgotten.

import { plural } from "./counts.ts";
import { leftOf } from "./apply-result.ts";
import type { ApplyReport, HeldReport } from "./report.ts";
import { visible } from "../domain/control-characters.ts";
import { leftOut } from "./withheld.ts";

/** Whether everything that the files ask for is live now. */
export function isComplete(report: ApplyReport | HeldReport): boolean {
  return undoneOf(report).length === 0;
}

/** What a run has left undone, each as a part of a sentence with its count; empty if nothing is. */
function undoneOf(report: ApplyReport | HeldReport): string[] {
  if (report.of === "held") return ["nothing was applied"];
  const { results, ended, plan, saved, undo } = report;
  const unreadable = new Set(plan.unreadable.map(({ live: { kind, id } }) => `${kind} ${id}`));
  const notRead = plan.keptLive.filter(({ kind, id }) => unreadable.has(`${kind} ${id}`)).length;
  const parts = [
    ...leftOf(results).map(({ how, changes }) => `${plural(changes.length, "change")} ${HOW[how]}`),
    ...leftOut(plan).map(({ reason, those }) => `${plural(those.length, "change")} ${reason}`),
    ...counted(saved?.notReviewed.length ?? 0, "change", "not reviewed"),
    ...counted(plan.keptLive.length - notRead, "object", "still live that should have been pruned or renamed"),
    ...counted(notRead, "object", "still live that linkform cannot read, and may have to prune"),
    ...(plan.isPruneBlind ? ["`prune: removed` needs --base to find removed declarations"] : []),
    ...(undo === undefined ? [] : undoneByUndo(undo)),
    ...(ended.isVerified ? [] : ["the changes were not verified"]),
  ];
  return parts.length === 0 && ended.stopped.length > 0 ? ["the run ended with an error"] : parts;
}

const HOW = { failed: "failed", moved: "moved", skipped: "not started" } as const;

function undoneByUndo({ left, files, pending }: NonNullable<ApplyReport["undo"]>): string[] {
  return [
    ...counted(left.length, "object", "not fully restored"),
    ...(files.length === 0
      ? []
      : [`${plural(files.length, "file")} still ${files.length === 1 ? "asks" : "ask"} for what was undone`]),
    ...counted(pending, "change", "pending in the files"),
  ];
}

function counted(count: number, noun: string, what: string): string[] {
  return count === 0 ? [] : [`${plural(count, noun)} ${what}`];
}

/**
 * What a run has left undone and what follows for the base, or where the base moved to: one line, or null. It is null for
 * an undo, which has no base and whose report shows what the files still ask for, and for failures in a run without a base,
 * which the report lists.
 */
export function completenessText(report: ApplyReport): string | null {
  if (report.undo !== undefined) return null;
  if (report.plan.base === null && leftOf(report.results).length > 0) return null;
  const undone = undoneOf(report);
  const { movedBase, plan } = report;
  if (undone.length === 0) {
    if (movedBase === undefined) return null;
    const { ref, from, to } = movedBase;
    const tag = `The tag \`${visible(ref)}\``;
    return from === to
      ? `${tag} is at ${short(to)} already.`
      : `${tag} moved from ${short(from)} to ${short(to)}. It is not pushed.`;
  }
  const base =
    plan.base === null
      ? ""
      : ` The base must not move: leave \`${visible(plan.base.ref)}\` at ${short(plan.base.commit)}.`;
  return `Not complete: ${undone.join("; ")}.${base}`;
}

/** As git abbreviates a commit. */
function short(commit: string): string {
  return commit.slice(0, 7);
}
