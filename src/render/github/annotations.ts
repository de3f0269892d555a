// A report as annotations: what each says, and where it stands.

import { changeIdentity, changesByIdentity, type Change, type Orphan, type Plan } from "../../domain/change.ts";
import type { Place } from "../../domain/place.ts";
import { capital, changeNames, plural } from "../../view/counts.ts";
import { describeDifference } from "../../view/values.ts";
import { differences, driftState, type DriftState } from "../../view/drift.ts";
import type { Setting } from "../format.ts";
import { orphanLines, successorText } from "../../view/unplanned.ts";
import type { ChangeResult } from "../../view/document.ts";
import { viewChange } from "../../view/change.ts";
import { visible } from "../../domain/control-characters.ts";
import { placeWords, type Annotation, type Level } from "./annotation.ts";
import { bySafety, type Diagnostic, type Severity } from "../../domain/diagnostic.ts";
import { completenessText, doneText, isComplete } from "../../view/apply-result.ts";
import { readable } from "../../view/diagnostics.ts";
import { summaryText as driftSummary } from "../text/drift.ts";
import { isPlainReport, type ApplyReport, type Report } from "../../view/report.ts";
import { PLAIN } from "../text/screen.ts";
import { summaryText as planSummary } from "../text/plan.ts";

/** More names than these are counted only. */
const MOST_NAMES = 10;

/** The changes that end a short URL, each at the line that asks for it: those of most clicks first. */
function endingAnnotations(plan: Plan): Annotation[] {
  const clicks = (change: Change): number => (change.action === "create" ? 0 : (change.live.clicks ?? 0));
  return plan.changes
    .filter(({ breaksUrl }) => breaksUrl)
    .toSorted((a, b) => clicks(b) - clicks(a))
    .map((change) => endingAnnotation(change, plan));
}

function endingAnnotation(change: Change, plan: Plan): Annotation {
  const { action, kind, key, previousKey: was, ending, because, place } = viewChange(change, plan);
  const title = `${capital(action)} ${kind} ${key}${was === null ? "" : ` (was ${was})`}`;
  const sentences = [ending, because].flatMap((sentence) => sentence ?? []);
  return { level: "warning", title, message: sentences.join(" "), place };
}

/** What is declared no longer and stays: a rename that may be meant at its line, all the others together. */
function orphanAnnotations({ orphans, references }: Plan, setting: Setting): Annotation[] {
  const renames = orphans.flatMap((orphan): Annotation[] => {
    const advice = successorText(orphan);
    if (orphan.successor === null || advice === null) return [];
    const line = visible(orphanLines(orphan, references).trimEnd());
    const message = `${visible(orphan.live.key)} is declared no longer, and stays live. ${advice}\n${line}`;
    return [
      { level: "warning", title: `Still live: ${visible(orphan.live.key)}`, message, place: orphan.successor.source },
    ];
  });
  const others = orphans.filter(({ successor }) => successor === null);
  if (others.length === 0) return renames;
  const names = others.slice(0, MOST_NAMES).map((orphan) => orphanLine(orphan, setting));
  const more = others.length > names.length ? [`… and ${plural(others.length - names.length, "other")}`] : [];
  const message = ["Leaving a block out deletes nothing: a tombstone (`absent`) does.", ...names, ...more].join("\n");
  return [...renames, { level: "warning", title: "No longer declared, still live", message, place: null }];
}

function orphanLine({ live, place }: Orphan, setting: Setting): string {
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  return `${live.kind} ${visible(live.key)}${clicks}, was declared in ${placeWords(place, setting)}`;
}

/** What stands where nothing of a field differs. */
const DIFFERENCE: Readonly<Record<DriftState, string>> = {
  changed: "Live is not as declared.",
  missing: "It is declared, and not live.",
  "not renamed yet": "It is live by its old name.",
  "not moved yet": "It is live on its old domain.",
  "not deleted yet": "It is to be deleted, and live.",
  undeclared: "It is live, lies in scope and is declared nowhere.",
};

/** How live differs from a declaration, at its line. */
function driftAnnotation(change: Change, plan: Plan): Annotation {
  const state = driftState(change);
  const still = change.previousKey === null ? [] : [`It is still ${visible(change.previousKey)}.`];
  const fields =
    change.action === "create" ? [] : change.fields.map((field) => describeDifference(plan, change, field));
  const lines = [...still, ...fields.filter((text) => text !== "").map((text) => `${text}.`)];
  return {
    level: "warning",
    title: `Drift: ${state} ${change.kind} ${visible(change.key)}`,
    message: lines.length === 0 ? DIFFERENCE[state] : lines.join("\n"),
    place: change.source,
  };
}

/** What was not made, each at its line, and how many changes were not even looked at. */
function leftAnnotations(results: readonly ChangeResult[], plan: Plan): Annotation[] {
  const planned = changesByIdentity(plan.changes);
  const isInCommit = (one: ChangeResult): boolean =>
    (planned.get(changeIdentity(one))?.source.source?.ref ?? null) !== null;
  const nameOf = changeNames(results);
  const left = results.flatMap((one): Annotation[] => {
    const { outcome, error } = one;
    if (outcome === "applied" || error === null) return [];
    const { message, hint, file, line, column } = error;
    const what = outcome === "failed" ? "Failed" : error.code === "moved" ? "Moved" : "Not begun";
    const place: Place | null = isInCommit(one) ? null : { file, line, column };
    return [
      {
        level: outcome === "failed" ? "error" : "warning",
        title: `${what}: ${one.action} ${one.kind} ${visible(nameOf(one))}`,
        message: [message, hint].flatMap((text) => (text === null ? [] : visible(text))).join("\n"),
        place,
      },
    ];
  });
  const untouched = results.filter(({ outcome, error }) => outcome !== "applied" && error === null).length;
  if (untouched === 0) return left;
  const message = `${plural(untouched, "change")} ${untouched === 1 ? "was" : "were"} not begun: the run ended before.`;
  return [...left, { level: "warning", title: "Not begun", message, place: null }];
}

/** What is only to be known is said of the files alone: beside a plan it would be in the way. */
export function annotationsOf(report: Report, setting: Setting): Annotation[] {
  const found = (diagnostics: readonly Diagnostic[]): Annotation[] =>
    diagnostics.map((one) => diagnosticAnnotation(one, setting));
  if (isPlainReport(report)) return [];
  switch (report.of) {
    case "validate":
      return found(report.diagnostics);
    case "failure":
      return found(report.diagnostics.filter(isGrave));
    case "plan":
    case "held": {
      const { plan, problems } = report;
      const { safety, rest } = bySafety([...problems, ...plan.diagnostics].filter(isGrave));
      const left = orphanAnnotations(plan, setting);
      return [
        ...found(safety),
        ...endingAnnotations(plan),
        ...left,
        ...found(rest),
        ...summary(planSays(plan), setting),
      ];
    }
    case "drift": {
      const { plan, problems } = report;
      const all = differences(plan);
      const graves = found([...problems, ...plan.diagnostics].filter(isGrave));
      const says = all.length === 0 ? null : driftSummary(plan, all, PLAIN.paint);
      return [...all.map((one) => driftAnnotation(one, plan)), ...graves, ...summary(says, setting)];
    }
    case "apply":
      return [
        ...found(bySafety(report.plan.diagnostics).safety),
        ...found(report.problems.filter(isGrave)),
        ...leftAnnotations(report.results, report.plan),
        ...undone(report, setting),
        ...found(bySafety(report.plan.diagnostics).rest.filter(isGrave)),
        ...summary(applied(report), setting),
      ];
    default:
      return report satisfies never;
  }
}

function isGrave({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

const LEVEL: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "notice" };

function diagnosticAnnotation(
  { code, severity, message, place, hint, also }: Diagnostic,
  setting: Setting,
): Annotation {
  const lines = [
    readable(message),
    ...(hint === null ? [] : [readable(hint)]),
    ...(also ?? []).map((aside) => `${placeWords(aside.place, setting)}: ${readable(aside.says)}`),
  ];
  return { level: LEVEL[severity], title: `linkform: ${code}`, message: lines.join("\n"), place };
}

/** By its title people know which project of a repository it is about. */
function summary(says: string | null, { project }: Setting): Annotation[] {
  return says === null ? [] : [{ level: "notice", title: `linkform: ${visible(project)}`, message: says, place: null }];
}

/** Null where there is nothing to say, or a diagnostic says it. */
function planSays(plan: Plan): string | null {
  return plan.complete && plan.changes.length > 0 ? planSummary(plan, null, PLAIN.paint) : null;
}

/** A run that has done all its changes may have left something undone all the same. */
function undone(report: ApplyReport, { project }: Setting): Annotation[] {
  if (isComplete(report) || report.results.some(({ outcome }) => outcome !== "applied")) return [];
  const message = completenessText(report);
  return message === null
    ? []
    : [
        {
          level: "warning",
          title: `linkform: ${visible(project)} is not complete`,
          message: readable(message),
          place: null,
        },
      ];
}

function applied({ results }: ApplyReport): string | null {
  const done = doneText(results);
  if (done === "") return null;
  const isAll = results.every(({ outcome }) => outcome === "applied");
  return isAll ? `Done: ${done}.` : `Not all was done: ${done}.`;
}
