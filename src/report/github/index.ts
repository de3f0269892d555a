// Reports as GitHub annotations, shown beside source lines on the page of the run and in the pull request.
//
// Reviewers see the diff of the files already, so a plan is annotated only with what the diff does not show: short URLs
// that stop working, with their clicks, and orphans. Other changes are counted in one notice. The `markdown` format has
// the summary of all changes.

import { completenessText, doneText, resultStatus } from "../apply-result.ts";
import type { Line } from "../blocks.ts";
import { changeItem, isLost, mostClicksFirst, type ComposeContext, type ShownChange } from "../compose-changes.ts";
import { findingItem, groupFindings, mergeFindings, readable, type MergedFinding } from "../compose-findings.ts";
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
  readonly command: ReturnType<typeof commandOfRun>;
  readonly context: ComposeContext;
}

function annotationsOf(report: Report, render: RenderContext): Annotation[] {
  const context: ComposeContext = { ...render, isLog: false, isVerbose: false };
  if (isRunReport(report))
    return runAnnotations({ document: runDocument(report), command: commandOfRun(report), context });
  if (report.of !== "projects") return [];
  return report.sections.flatMap((section) => {
    const { document, command, project } = section;
    const run = { document, command, context: { ...context, project } };
    // Not every project changes something, but each says what happens in it.
    const isNamed = (document.changes ?? []).length > 0;
    const own = runAnnotations(run).filter(({ level }) => level !== "notice" || command === "validate");
    return isNamed ? [...own, summary(outcomeWords(section), run)] : own;
  });
}

function runAnnotations(run: Annotated): Annotation[] {
  const { document, command, context } = run;
  const { changes = [], diagnostics, result } = document;
  const isReviewed = context.origin?.of === "request";
  // Notes would distract from a plan. People review a pull request, so a brake that will stop its deploy is a warning there.
  const shown = diagnostics
    .filter(({ severity, hidden }) => command === "validate" || (severity !== "info" && hidden !== true))
    .map((one) =>
      isReviewed && command === "plan" && one.code === "brake" ? { ...one, severity: "warning" as const } : one,
    );
  const { safety, errors, others } = groupFindings(shown);
  const found = (all: readonly DiagnosticDocument[]): Annotation[] =>
    mergeFindings(all).map((one) => findingAnnotation(one, run));
  const isHeld = document.run === undefined;
  const isPlan = isHeld && command !== "drift";
  return [
    ...found(safety),
    ...(command === "drift" ? changes.map((one) => driftAnnotation(one, run)) : []),
    ...(isPlan ? mostClicksFirst(changes.filter(isLost)).map((one) => endingAnnotation(one, run)) : []),
    ...(isPlan ? orphanAnnotations(run) : []),
    ...(isHeld || result === undefined ? [] : leftAnnotations(run)),
    ...found([...errors, ...others]),
    ...noticeAnnotations(run),
  ];
}

/** An annotation at a place in the files of the project. Null: at none. */
function annotation(
  level: Level,
  title: string,
  lines: readonly (string | Line)[],
  place: PlaceDocument | null,
  { context }: Annotated,
): Annotation {
  const texts = lines.map((one) => (typeof one === "string" ? visible(one) : plainText(one)));
  return {
    level,
    title: visible(title),
    message: texts.join("\n"),
    place: place && inRepository(place, context.project),
  };
}

function plainText(line: Line): string {
  return line.map(({ text }) => visible(text)).join("");
}

const LEVEL: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "notice" };

function findingAnnotation(merged: MergedFinding, run: Annotated): Annotation {
  const { code, severity, file, line, column, end_column: end, source = null, also = [] } = merged.finding;
  const { title, notes } = findingItem(merged, run.context);
  const others = also.map((one) => `${placeText(inRepository(one, run.context.project))}: ${readable(one.says)}`);
  const own =
    file === null
      ? source
      : { file, line: line ?? 1, column: column ?? 1, ...(typeof end === "number" && { end_column: end }) };
  return annotation(
    LEVEL[severity],
    `linkform: ${code}`,
    [title, ...notes.map((note) => note.line), ...others],
    own,
    run,
  );
}

/** A change that ends a short URL, at the line that requests it. */
function endingAnnotation(change: ShownChange, run: Annotated): Annotation {
  const { verb, title, notes } = changeItem(change, run.context);
  const lines = notes.map(({ line }) => line);
  return annotation("warning", `${capital(verb)} ${plainText(title)}`, lines, change.source, run);
}

/** Further names are only counted. */
const MAX_NAMES = 10;

/** Orphans: a probable rename at the new block, the others in one annotation. */
function orphanAnnotations(run: Annotated): Annotation[] {
  const { orphans = [], changes = [] } = run.document;
  const renames = orphans.flatMap(({ key, advice, paste, renamed_from_for: successor }): Annotation[] => {
    if (advice === undefined) return [];
    const lines = [`${key} is no longer declared, but still live. ${advice}`, ...paste.trimEnd().split("\n")];
    const place = changes.find((change) => change.key === successor)?.source ?? null;
    return [annotation("warning", `Still live: ${key}`, lines, place, run)];
  });
  const others = orphans.filter(({ advice }) => advice === undefined);
  if (others.length === 0) return renames;
  const names = others.slice(0, MAX_NAMES).map(({ kind, key, clicks, source }) => {
    const counted = clicks === null ? "" : `, ${plural(clicks, "click")}`;
    return `${kind} ${key}${counted}, was declared in ${placeText(inRepository(source, run.context.project))}`;
  });
  const more = others.length > names.length ? [`… and ${plural(others.length - names.length, "other")}`] : [];
  const first = "Removing a block deletes nothing. To delete these objects, add a tombstone (`absent`) for each.";
  return [
    ...renames,
    annotation("warning", "No longer declared, but still live", [first, ...names, ...more], null, run),
  ];
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

function driftAnnotation(change: ShownChange, run: Annotated): Annotation {
  const { verb, title } = changeItem(change, run.context);
  const differing = change.action === "create" ? [] : change.fields;
  const texts = differing.map(({ path, before, after }) => {
    const [live, declared] = showWords(before, after);
    return `\`${path}\` is ${live} (declared: ${declared}).`;
  });
  const lines = texts.length === 0 ? [DIFFERENCE[change.drift ?? "changed"]] : texts;
  return annotation("warning", `Drift: ${verb} ${plainText(title)}`, lines, change.source, run);
}

/** Changes that were not made, at their lines, and the number of changes that were not started. */
function leftAnnotations(run: Annotated): Annotation[] {
  const { changes = [] } = run.document;
  const nameOf = changeNames(changes);
  const left = changes.flatMap((one): Annotation[] => {
    const { action, kind, outcome = "skipped", error = null, source } = one;
    if (outcome === "applied" || error === null) return [];
    const title = `${capital(resultStatus({ ...one, outcome, error }))}: ${action} ${kind} ${nameOf(one)}`;
    const lines = [error.message, ...(error.hint === null ? [] : [error.hint])];
    const place = source.ref === undefined ? error : source;
    return [annotation(outcome === "failed" ? "error" : "warning", title, lines, place, run)];
  });
  const untouched = changes.filter(({ outcome, error }) => outcome !== "applied" && error == null).length;
  if (untouched === 0) return left;
  const message = `${plural(untouched, "change")} ${untouched === 1 ? "was" : "were"} not started, because the run ended early.`;
  return [...left, annotation("warning", "Not started", [message], null, run)];
}

/** What happens, in one sentence, and what is missing after a run that made all its changes. */
function noticeAnnotations(run: Annotated): Annotation[] {
  const { document, command, context } = run;
  const { changes = [], complete, missing = [] } = document;
  if (complete !== true || changes.length === 0) return [];
  if (command === "drift") return [summary(`Drift: ${statesText(changes)}. ${matchText(document)}`, run)];
  if (document.run === undefined) return [summary(planSummary(document), run)];
  const results = changes.map(({ outcome = "skipped", error = null, ...rest }) => ({ ...rest, outcome, error }));
  const done = doneText(results);
  const isAll = results.every(({ outcome }) => outcome === "applied");
  const incomplete = isAll && missing.length > 0 ? completenessText(results, document) : null;
  const title = `linkform: ${context.project} is not complete`;
  return [
    ...(incomplete === null ? [] : [annotation("warning", title, [readable(incomplete)], null, run)]),
    ...(done === "" ? [] : [summary(isAll ? `Done: ${done}.` : `Not all changes were applied: ${done}.`, run)]),
  ];
}

/** The title names the project, because a repository can have several. */
function summary(message: string, run: Annotated): Annotation {
  return annotation("notice", `linkform: ${run.context.project}`, [message], null, run);
}

const LEVELS = ["error", "warning", "notice"] as const;
type Level = (typeof LEVELS)[number];

/** Texts contain no invisible characters; `message` can have several lines. The place is from the root of the repository. */
interface Annotation {
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
function commandText({ level, title, message, place }: Annotation): string {
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

function placeText({ file, line, ref }: PlaceDocument): string {
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
