// Reports as GitHub annotations, shown beside source lines on the page of the run and in the pull request.
//
// Reviewers see the diff of the files already, so a plan is annotated only with what the diff does not show: short URLs
// that stop working, with their clicks, and orphans. Other changes are counted in one notice. The `markdown` format has
// the summary of all changes.

import { completenessText, doneText, resultStatus } from "../apply-result.ts";
import { isLost, lostUrl, mostClicksFirst, type ShownChange } from "../compose-changes.ts";
import { groupFindings, mergeFindings, readable } from "../compose-findings.ts";
import { capital, changeNames, plural } from "../counts.ts";
import type { ReportDocument } from "../document.ts";
import { matchText, statesText, type DriftState } from "../drift.ts";
import { completeReports, isAbsolute, repositoryPath, type Format, type RenderContext } from "../format.ts";
import { commandOfRun, runDocument } from "../json/index.ts";
import { planSummary } from "../plan-remarks.ts";
import { outcomeWords } from "../projects.ts";
import { isRunReport, type Report } from "../report.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";
import { isOutsideProject } from "../../domain/place.ts";
import type { Severity } from "../../domain/diagnostic.ts";
import { showWords } from "../values.ts";
import type { DiagnosticDocument, PlaceDocument } from "../json/schema.ts";

/** GitHub shows 10 annotations of each level for a step, and 50 for a job. */
const MAX_PER_LEVEL = 10;

export const github: Format = {
  render: (report, context) => {
    const all = annotationsOf(report, context);
    return LEVELS.flatMap((level) => within(all, level, report, context))
      .map(commandText)
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
  const isHeld = report.of === "apply" && report.ended === undefined;
  const command = isHeld ? "plan" : isRunReport(report) ? commandOfRun(report) : report.of;
  const says =
    whole === undefined
      ? `\`linkform ${report.of === "projects" ? report.command : command}\` lists them all.`
      : `${isAbsolute(whole) ? "The report of this run" : visible(whole)} lists them all.`;
  return context.runUrl === null ? says : `${says} ${visible(context.runUrl)}`;
}

/** What is annotated of a run. */
interface Annotated {
  readonly document: ReportDocument;
  readonly command: string;
  /** The project file, from the root of its repository. */
  readonly project: string;
  /** The report is for a pull request. */
  readonly isReviewed: boolean;
}

/** Notes are shown only by `validate`; they would distract from a plan. */
export function annotationsOf(report: Report, { project, origin }: RenderContext): Annotation[] {
  const isReviewed = origin?.of === "request";
  if (isRunReport(report))
    return runAnnotations({ document: runDocument(report), command: commandOfRun(report), project, isReviewed });
  if (report.of !== "projects") return [];
  return report.sections.flatMap((section) => {
    const { document, command } = section;
    const annotations = runAnnotations({ document, command, project: section.project, isReviewed });
    // Not every project changes something, but each says what happens in it.
    const isNamed = (document.changes ?? []).length > 0;
    const own = annotations.filter(({ level }) => level !== "notice" || command === "validate");
    return isNamed ? [...own, summary(outcomeWords(section), section.project)] : own;
  });
}

function runAnnotations(run: Annotated): Annotation[] {
  const { document, command } = run;
  const { changes = [], diagnostics, result } = document;
  const shown = command === "validate" ? diagnostics : diagnostics.filter(isShown);
  const { safety, errors, others } = groupFindings(shown.map((one) => asReviewed(one, run)));
  const found = (all: readonly DiagnosticDocument[]): Annotation[] =>
    mergeFindings(all).map(({ finding, places, more }) => findingAnnotation(finding, places.length + more, run));
  const isHeld = document.run === undefined;
  return [
    ...found(safety),
    ...(command === "drift" ? changes.map((one) => driftAnnotation(one, run)) : []),
    ...(isHeld && command !== "drift" ? endingAnnotations(changes, run) : []),
    ...(isHeld && command !== "drift" ? orphanAnnotations(run) : []),
    ...(isHeld || result === undefined ? [] : leftAnnotations(run)),
    ...found([...errors, ...others]),
    ...noticeAnnotations(run),
  ];
}

function isShown({ severity, hidden }: DiagnosticDocument): boolean {
  return severity !== "info" && hidden !== true;
}

/** People review a pull request, so a brake that will stop its deploy is a warning there. */
function asReviewed(finding: DiagnosticDocument, { isReviewed, command }: Annotated): DiagnosticDocument {
  return isReviewed && command === "plan" && finding.code === "brake" ? { ...finding, severity: "warning" } : finding;
}

const LEVEL: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "notice" };

function findingAnnotation(finding: DiagnosticDocument, places: number, { project }: Annotated): Annotation {
  const { code, severity, message, file, line, column, end_column: end, hint, source, also = [] } = finding;
  const lines = [
    readable(message),
    ...(hint === null ? [] : [readable(hint)]),
    ...(places === 0 ? [] : [`${plural(places, "place")}. The first is here.`]),
    ...also.map((one) => `${placeText(inRepository(one, project))}: ${readable(one.says)}`),
  ];
  const own =
    file === null
      ? (source ?? null)
      : { file, line: line ?? 1, column: column ?? 1, ...(typeof end === "number" && { end_column: end }) };
  const place = own && inRepository(own, project);
  return { level: LEVEL[severity], title: `linkform: ${code}`, message: lines.join("\n"), place };
}

/** Changes that end a short URL, at the line that requests them, most clicks first. */
function endingAnnotations(changes: readonly ShownChange[], { project }: Annotated): Annotation[] {
  return mostClicksFirst(changes.filter(isLost)).map((change): Annotation => {
    const { action, kind, key, previous_key: previous, ending, because, source } = change;
    const was = previous === null ? "" : `, now ${visible(key)}`;
    return {
      level: "warning",
      title: `${capital(action)} ${kind} ${visible(lostUrl(change))}${was}`,
      message: [ending, because].flatMap((sentence) => (sentence === undefined ? [] : visible(sentence))).join(" "),
      place: inRepository(source, project),
    };
  });
}

/** Further names are only counted. */
const MAX_NAMES = 10;

/** Orphans: a probable rename with its lines, the others in one annotation. */
function orphanAnnotations({ document: { orphans = [], changes = [] }, project }: Annotated): Annotation[] {
  const renames = orphans.flatMap(({ key, advice, paste, renamed_from_for: successor }): Annotation[] => {
    if (advice === undefined) return [];
    const place = changes.find((change) => change.key === successor)?.source;
    const message = `${visible(key)} is no longer declared, but still live. ${visible(advice)}\n${visible(paste.trimEnd())}`;
    return [
      {
        level: "warning",
        title: `Still live: ${visible(key)}`,
        message,
        place: place === undefined ? null : inRepository(place, project),
      },
    ];
  });
  const others = orphans.filter(({ advice }) => advice === undefined);
  if (others.length === 0) return renames;
  const names = others.slice(0, MAX_NAMES).map(({ kind, key, clicks, source }) => {
    const counted = clicks === null ? "" : `, ${plural(clicks, "click")}`;
    return `${kind} ${visible(key)}${counted}, was declared in ${placeText(inRepository(source, project))}`;
  });
  const more = others.length > names.length ? [`… and ${plural(others.length - names.length, "other")}`] : [];
  const first = "Removing a block deletes nothing. To delete these objects, add a tombstone (`absent`) for each.";
  const message = [first, ...names, ...more].join("\n");
  return [...renames, { level: "warning", title: "No longer declared, but still live", message, place: null }];
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

function driftAnnotation(change: ShownChange, { project }: Annotated): Annotation {
  const { action, kind, key, previous_key: previous, drift = "changed", fields, source } = change;
  const still = previous === null ? [] : [`Its live key is still ${visible(previous)}.`];
  const differing = action === "create" ? [] : fields;
  const texts = differing.map(({ path, before, after }) => {
    const [live, declared] = showWords(before, after);
    return `\`${path}\` is ${live} (declared: ${declared}).`;
  });
  const lines = [...still, ...texts];
  return {
    level: "warning",
    title: `Drift: ${drift} ${kind} ${visible(key)}`,
    message: lines.length === 0 ? DIFFERENCE[drift] : lines.join("\n"),
    place: inRepository(source, project),
  };
}

/** Changes that were not made, at their lines, and the number of changes that were not started. */
function leftAnnotations({ document: { changes = [] }, project }: Annotated): Annotation[] {
  const nameOf = changeNames(changes);
  const left = changes.flatMap((one): Annotation[] => {
    const { action, kind, outcome = "skipped", error = null, source } = one;
    if (outcome === "applied" || error === null) return [];
    const { message, hint } = error;
    return [
      {
        level: outcome === "failed" ? "error" : "warning",
        title: `${capital(resultStatus({ ...one, outcome, error }))}: ${action} ${kind} ${visible(nameOf(one))}`,
        message: [message, hint].flatMap((text) => (text === null ? [] : visible(text))).join("\n"),
        place: inRepository(source.ref === undefined ? error : source, project),
      },
    ];
  });
  const untouched = changes.filter(({ outcome, error }) => outcome !== "applied" && error == null).length;
  if (untouched === 0) return left;
  const message = `${plural(untouched, "change")} ${untouched === 1 ? "was" : "were"} not started, because the run ended early.`;
  return [...left, { level: "warning", title: "Not started", message, place: null }];
}

/** What happens, in one sentence, and what is missing after a run that made all its changes. */
function noticeAnnotations({ document, command, project }: Annotated): Annotation[] {
  const { changes = [], complete, run, missing = [] } = document;
  if (complete !== true || changes.length === 0) return [];
  if (command === "drift") return [summary(`Drift: ${statesText(changes)}. ${matchText(document)}`, project)];
  if (run === undefined) return [summary(planSummary(document), project)];
  const results = changes.map(({ outcome = "skipped", error = null, ...rest }) => ({ ...rest, outcome, error }));
  const done = doneText(results);
  const isAll = results.every(({ outcome }) => outcome === "applied");
  const incomplete = isAll && missing.length > 0 ? completenessText(results, document) : null;
  return [
    ...(incomplete === null
      ? []
      : [
          {
            level: "warning" as const,
            title: `linkform: ${visible(project)} is not complete`,
            message: readable(incomplete),
            place: null,
          },
        ]),
    ...(done === "" ? [] : [summary(isAll ? `Done: ${done}.` : `Not all changes were applied: ${done}.`, project)]),
  ];
}

/** The title names the project, because a repository can have several. */
function summary(message: string, project: string): Annotation {
  return { level: "notice", title: `linkform: ${visible(project)}`, message, place: null };
}

export const LEVELS = ["error", "warning", "notice"] as const;
export type Level = (typeof LEVELS)[number];

/** Texts contain no invisible characters; `message` can have several lines. The place is from the root of the repository. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly place: PlaceDocument | null;
}

function inRepository(place: PlaceDocument, project: string): PlaceDocument {
  return { ...place, file: repositoryPath({ project }, place) };
}

/** The limits of titles in GitHub's API and of messages in its runner. */
const MAX_TITLE_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 4096;

/** The workflow command of an annotation. */
export function commandText({ level, title, message, place }: Annotation): string {
  const at = placeProperties(place);
  const properties = [...at, ["title", shortened(title.trim(), MAX_TITLE_LENGTH)] as const];
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(",");
  // If no line can be marked, the message contains the place.
  const whole = place === null || at.length > 0 ? message : `${message}\n${placeText(place)}`;
  return `::${level} ${written}::${escapeData(shortened(whole, MAX_MESSAGE_LENGTH))}\n`;
}

/** None if the runner cannot take the name, if it contains control characters, or if it is not one of this commit. */
function placeProperties(place: PlaceDocument | null): (readonly [string, string])[] {
  // The runner drops a leading `=` of a value.
  if (
    place === null ||
    place.ref !== undefined ||
    isOutsideProject(place) ||
    hasUnseen(place.file) ||
    place.file.startsWith("=")
  )
    return [];
  const { file, line, column, end_column: end = column + 1 } = place;
  return [
    ["file", file],
    ["line", String(line)],
    ["col", String(column)],
    ["endColumn", String(Math.max(end - 1, column))],
  ];
}

export function placeText({ file, line, ref }: PlaceDocument): string {
  return visible(`${file}:${line}${ref === undefined ? "" : ` at ${ref}`}`);
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
