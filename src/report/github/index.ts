// Reports as GitHub annotations, shown beside source lines on the page of the run and in the pull request.
//
// Reviewers see the diff of the files already, so a plan is annotated only with what the diff does not show: short URLs
// that stop working, with their clicks, and orphans. Other changes are counted in one notice. The `markdown` format has
// the summary of all changes.

import { capital, changeNames, plural } from "../counts.ts";
import {
  completeReports,
  isAbsolute,
  repositoryFile,
  repositoryPath,
  type Format,
  type RenderContext,
} from "../format.ts";
import { outcomeWords, sectionDiagnostics, viewSection, type ProjectSection } from "../projects.ts";
import { isPlainReport, type ApplyReport, type Report } from "../report.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";
import { changeIdentity, changesByIdentity, type Change, type Orphan, type Plan } from "../../domain/change.ts";
import type { Place } from "../../domain/place.ts";
import { describeDifference } from "../values.ts";
import { differences, driftState, type DriftState } from "../drift.ts";
import { renameAdvice } from "../unplanned.ts";
import type { ChangeResult } from "../change-document.ts";
import { mostClicksFirst, viewPlan, type ChangeView } from "../change.ts";
import { bySafety, type Diagnostic, type Severity } from "../../domain/diagnostic.ts";
import { completenessText, doneText, isComplete, resultStatus } from "../apply-result.ts";
import { placesText, readable } from "../diagnostics.ts";
import { summaryText as driftSummary } from "../text/drift.ts";
import { PLAIN } from "../text/screen.ts";
import { summaryText as planSummary } from "../text/plan.ts";

/** GitHub shows 10 annotations of each level for a step, and 50 for a job. */
const MAX_PER_LEVEL = 10;

export const github: Format = {
  render: (report, context) => {
    const all = annotationsOf(report, context);
    // The annotations of several projects have paths from the root of the repository.
    const places = report.of === "projects" ? { project: "" } : context;
    return LEVELS.flatMap((level) => within(all, level, report, context))
      .map((annotation) => commandText(annotation, places))
      .join("");
  },
};

/** The annotations of a level up to the limit. The last one counts the rest and links to them. */
function within(
  all: readonly Annotation[],
  level: Level,
  report: Report,
  context: RenderContext,
): readonly Annotation[] {
  const found = all.filter((one) => one.level === level);
  if (found.length <= MAX_PER_LEVEL) return found;
  const shown = found.slice(0, MAX_PER_LEVEL - 1);
  const more = plural(found.length - shown.length, `more ${level}`);
  return [...shown, { level, title: `And ${more}`, message: whereIsRest(report, context), place: null }];
}

function whereIsRest(report: Report, context: RenderContext): string {
  const [whole] = completeReports(context);
  const says =
    whole === undefined
      ? `\`linkform ${commandOf(report)}\` lists them all.`
      : `${isAbsolute(whole) ? "The report of this run" : visible(whole)} lists them all.`;
  return context.runUrl === null ? says : `${says} ${visible(context.runUrl)}`;
}

function commandOf(report: Report): string {
  if (report.of === "failure" || report.of === "projects") return report.command;
  return report.of === "held" ? "plan" : report.of;
}

/** Further names are only counted. */
const MAX_NAMES = 10;

/** Changes that end a short URL, at the line that requests them, most clicks first. */
function endingAnnotations(changes: readonly ChangeView[]): Annotation[] {
  return mostClicksFirst(changes.filter(({ lost }) => lost !== null)).map(endingAnnotation);
}

function endingAnnotation({ action, kind, key, previousKey: was, ending, remark, place }: ChangeView): Annotation {
  const title = `${capital(action)} ${kind} ${key}${was === null ? "" : ` (was ${was})`}`;
  const sentences = [ending, remark].flatMap((sentence) => sentence ?? []);
  return { level: "warning", title, message: sentences.join(" "), place };
}

/** Orphans: a probable rename at its line, the others in one annotation. */
function orphanAnnotations({ orphans, references }: Plan, context: RenderContext): Annotation[] {
  const renames = orphans.flatMap((orphan): Annotation[] => {
    const advice = renameAdvice(orphan, references);
    if (orphan.successor === null || advice === null) return [];
    const line = visible(advice.lines.trimEnd());
    const message = `${visible(orphan.live.key)} is no longer declared, but still live. ${advice.text}\n${line}`;
    return [
      { level: "warning", title: `Still live: ${visible(orphan.live.key)}`, message, place: orphan.successor.source },
    ];
  });
  const others = orphans.filter(({ successor }) => successor === null);
  if (others.length === 0) return renames;
  const names = others.slice(0, MAX_NAMES).map((orphan) => orphanLine(orphan, context));
  const more = others.length > names.length ? [`… and ${plural(others.length - names.length, "other")}`] : [];
  const message = [
    "Removing a block deletes nothing. To delete these objects, add a tombstone (`absent`) for each.",
    ...names,
    ...more,
  ].join("\n");
  return [...renames, { level: "warning", title: "No longer declared, but still live", message, place: null }];
}

function orphanLine({ live, place }: Orphan, context: RenderContext): string {
  const clicks = live.clicks === null ? "" : `, ${plural(live.clicks, "click")}`;
  return `${live.kind} ${visible(live.key)}${clicks}, was declared in ${placeText(place, context)}`;
}

/** The message if no field differs. */
const DIFFERENCE: Readonly<Record<DriftState, string>> = {
  changed: "The live state differs from the files.",
  missing: "It is declared, but not live.",
  "not renamed yet": "It is still live under its old name.",
  "not moved yet": "It is still live on its old domain.",
  "not deleted yet": "It should be deleted, but it is still live.",
  undeclared: "It is live and in scope, but no file declares it.",
};

function driftAnnotation(change: Change, plan: Plan): Annotation {
  const state = driftState(change);
  const still = change.previousKey === null ? [] : [`Its live key is still ${visible(change.previousKey)}.`];
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

/** The short URLs that stop working and the findings of one of several projects, and what happens in it. */
function sectionAnnotations(section: ProjectSection, { origin }: RenderContext): Annotation[] {
  const own = { project: section.project };
  const inRepository = (annotation: Annotation): Annotation => {
    const { place } = annotation;
    return place === null ? annotation : { ...annotation, place: { ...place, file: repositoryPath(own, place) } };
  };
  const changes = viewSection(section);
  const isReviewed = section.command === "plan" && origin?.of === "request";
  const diagnostics = sectionDiagnostics(section)
    .filter((one) => section.command === "validate" || isErrorOrWarning(one))
    .map((one) => (isReviewed ? asReviewed(one) : one));
  const says = (section.document.changes ?? []).length === 0 ? null : outcomeWords(section);
  const failed = changes.flatMap(({ key, place, result }): Annotation[] => {
    if (result === null || result.error === null) return [];
    const { status, error } = result;
    return [{ level: "error", title: `${capital(status)}: ${key}`, message: visible(error.message), place }];
  });
  return [
    ...diagnostics.map((one) => diagnosticAnnotation(one, own)),
    ...(section.command === "plan" ? endingAnnotations(changes) : []),
    ...failed,
    ...summary(says, own),
  ].map(inRepository);
}

/** Changes that were not made, at their lines, and the number of changes that were not started. */
function leftAnnotations(results: readonly ChangeResult[], plan: Plan): Annotation[] {
  const planned = changesByIdentity(plan.changes);
  const isInCommit = (one: ChangeResult): boolean =>
    (planned.get(changeIdentity(one))?.source.source?.ref ?? null) !== null;
  const nameOf = changeNames(results);
  const left = results.flatMap((one): Annotation[] => {
    const { outcome, error } = one;
    if (outcome === "applied" || error === null) return [];
    const { message, hint, file, line, column } = error;
    const place: Place | null = isInCommit(one) ? null : { file, line, column };
    return [
      {
        level: outcome === "failed" ? "error" : "warning",
        title: `${capital(resultStatus(one))}: ${one.action} ${one.kind} ${visible(nameOf(one))}`,
        message: [message, hint].flatMap((text) => (text === null ? [] : visible(text))).join("\n"),
        place,
      },
    ];
  });
  const untouched = results.filter(({ outcome, error }) => outcome !== "applied" && error === null).length;
  if (untouched === 0) return left;
  const message = `${plural(untouched, "change")} ${untouched === 1 ? "was" : "were"} not started, because the run ended early.`;
  return [...left, { level: "warning", title: "Not started", message, place: null }];
}

/** Notes are shown only by `validate`; they would distract from a plan. */
export function annotationsOf(report: Report, context: RenderContext): Annotation[] {
  const found = (diagnostics: readonly Diagnostic[]): Annotation[] =>
    diagnostics.map((one) => diagnosticAnnotation(one, context));
  if (isPlainReport(report)) return [];
  switch (report.of) {
    case "validate":
      return found(report.diagnostics);
    case "failure":
      return found(report.diagnostics.filter(isErrorOrWarning));
    case "plan":
    case "held": {
      const { plan, problems } = report;
      const isReviewed = report.of === "plan" && plan.brakes.length > 0 && context.origin?.of === "request";
      const stops = isReviewed ? problems.map(asReviewed) : problems;
      const { safety, rest } = bySafety([...stops, ...plan.diagnostics].filter(isErrorOrWarning));
      const left = orphanAnnotations(plan, context);
      return [
        ...found(safety),
        ...endingAnnotations(viewPlan(plan)),
        ...left,
        ...found(rest),
        ...summary(planNotice(plan), context),
      ];
    }
    case "drift": {
      const { plan, problems } = report;
      const all = differences(plan);
      const graves = found([...problems, ...plan.diagnostics].filter(isErrorOrWarning));
      const says = all.length === 0 ? null : driftSummary(plan, all, PLAIN.paint);
      return [...all.map((one) => driftAnnotation(one, plan)), ...graves, ...summary(says, context)];
    }
    case "apply":
      return [
        ...found(bySafety(report.plan.diagnostics).safety),
        ...found(report.problems.filter(isErrorOrWarning)),
        ...leftAnnotations(report.results, report.plan),
        ...incompleteAnnotations(report, context),
        ...found(bySafety(report.plan.diagnostics).rest.filter(isErrorOrWarning)),
        ...summary(applyNotice(report), context),
      ];
    case "projects":
      return report.sections.flatMap((section) => sectionAnnotations(section, context));
    default:
      return report satisfies never;
  }
}

/** People review a pull request, so a brake that will stop its deploy is a warning there. */
function asReviewed(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === "brake" ? { ...diagnostic, severity: "warning" } : diagnostic;
}

function isErrorOrWarning({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

const LEVEL: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "notice" };

function diagnosticAnnotation(diagnostic: Diagnostic, context: Pick<RenderContext, "project">): Annotation {
  const { code, severity, message, place, hint, also } = diagnostic;
  const lines = [
    ...[readable(message), hint === null ? null : readable(hint), placesText(diagnostic)].flatMap((text) => text ?? []),
    ...(also ?? []).map((aside) => `${placeText(aside.place, context)}: ${readable(aside.says)}`),
  ];
  return { level: LEVEL[severity], title: `linkform: ${code}`, message: lines.join("\n"), place };
}

/** The title names the project, because a repository can have several. */
function summary(says: string | null, { project }: Pick<RenderContext, "project">): Annotation[] {
  return says === null ? [] : [{ level: "notice", title: `linkform: ${visible(project)}`, message: says, place: null }];
}

/** Null if there are no changes, or if errors explain why. */
function planNotice(plan: Plan): string | null {
  return plan.complete && plan.changes.length > 0 ? planSummary(plan, null, PLAIN) : null;
}

/** A run that made all its changes can still be incomplete. */
function incompleteAnnotations(report: ApplyReport, { project }: RenderContext): Annotation[] {
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

function applyNotice({ results }: ApplyReport): string | null {
  const done = doneText(results);
  if (done === "") return null;
  const isAll = results.every(({ outcome }) => outcome === "applied");
  return isAll ? `Done: ${done}.` : `Not all changes were applied: ${done}.`;
}

export const LEVELS = ["error", "warning", "notice"] as const;
export type Level = (typeof LEVELS)[number];

/** Texts contain no invisible characters; `message` can have several lines. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly place: Place | null;
}

/** The limits of titles in GitHub's API and of messages in its runner. */
const MAX_TITLE_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 4096;

/** The workflow command of an annotation. */
export function commandText(
  { level, title, message, place }: Annotation,
  context: Pick<RenderContext, "project">,
): string {
  const at = placeProperties(place, context);
  const properties = [...at, ["title", shortened(title.trim(), MAX_TITLE_LENGTH)] as const];
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(",");
  // If no line can be marked, the message contains the place.
  const whole = place === null || at.length > 0 ? message : `${message}\n${placeText(place, context)}`;
  return `::${level} ${written}::${escapeData(shortened(whole, MAX_MESSAGE_LENGTH))}\n`;
}

function placeProperties(place: Place | null, context: Pick<RenderContext, "project">): (readonly [string, string])[] {
  const file = place === null ? null : annotatedFile(place, context);
  if (place === null || file === null) return [];
  const { line, column, length = 1 } = place;
  const last = column + Math.max(length, 1) - 1;
  return [
    ["file", file],
    ["line", String(line)],
    ["col", String(column)],
    ["endColumn", String(last)],
  ];
}

/** Null if the runner cannot take the name, or if it contains control characters. */
function annotatedFile(place: Place, context: Pick<RenderContext, "project">): string | null {
  const file = repositoryFile(context, place);
  // The runner drops a leading `=` of a value.
  return file === null || hasUnseen(file) || file.startsWith("=") ? null : file;
}

export function placeText(place: Place, context: Pick<RenderContext, "project">): string {
  const ref = place.source?.ref ?? null;
  return visible(`${repositoryPath(context, place)}:${place.line}${ref === null ? "" : ` at ${ref}`}`);
}

/** The inverse of the runner's unescaping (actions/runner, `ActionCommand.cs`). */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
