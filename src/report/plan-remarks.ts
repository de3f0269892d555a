// Sentences about a plan: counts, requests, and what cannot be compared.

import type { Base, Change, Origin, Plan, Summary } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { info, splitIdentical, type Diagnostic } from "../domain/diagnostic.ts";
import { fieldAt } from "../domain/table.ts";
import type { SecretSource } from "../domain/project.ts";
import { countKinds } from "./change-counts.ts";
import { plural, showCount } from "./counts.ts";

/** The rate limit of the service, and the estimated duration of an apply. */
export interface PlanPace {
  readonly perMinute: number;
  readonly seconds: number;
}

/** `isWhole`: include the lines that only `--verbose` and folded sections show. */
export function remarkLines(plan: Plan, pace: PlanPace | null, isWhole: boolean): string[] {
  return [
    ...(plan.notCompared === null || !plan.complete ? [] : [notComparedLine(plan.notCompared)]),
    ...comparedLines(plan, isWhole),
    ...planLines(plan),
    ...(plan.complete && plan.base !== null ? [baseLine(plan.base)] : []),
    ...hiddenLines(plan),
    ...changedAdvice(plan, pace),
  ];
}

/** What `--changed` leaves out. */
function notComparedLine({ link, pixel }: NonNullable<Plan["notCompared"]>): string {
  const left = [...(link > 0 ? [plural(link, "link")] : []), ...(pixel > 0 ? [plural(pixel, "pixel")] : [])];
  if (left.length === 0) return "Every link and pixel in the files differs from the base and was compared.";
  const [is, was] = link + pixel === 1 ? ["is", "was"] : ["are", "were"];
  return `Only what differs from the base was compared with the live state. ${left.join(" and ")} ${is} declared as at the base and ${was} not compared.`;
}

/** Proposes `--changed` if reading takes more requests than the service allows in a minute. */
function changedAdvice({ requests: { read }, notCompared, base }: Plan, pace: PlanPace | null): string[] {
  if (notCompared !== null || pace === null || read <= pace.perMinute) return [];
  return [
    `Reading took ${plural(read, "request")}, and the limit is ${showCount(pace.perMinute)} per minute. To read only what differs from the base, pass ${base === null ? "--base REF and --changed" : "--changed"}.`,
  ];
}

export function planLines(plan: Plan): string[] {
  const lines: string[] = [];
  if (plan.changes.some(hasInstant)) lines.push(`Dates and times are in the time zone ${visible(plan.zones.files)}.`);
  const needed = (source: SecretSource["from"]): string[] =>
    (plan.secretsUnset ?? plan.secretsNeeded).flatMap(({ from, name }) => (from === source ? visible(name) : []));
  const [variables, files] = [needed("env"), needed("file")];
  if (variables.length > 0)
    lines.push(`Set ${these(variables, "environment variable")} before you apply: ${variables.join(", ")}.`);
  if (files.length > 0) lines.push(`Write ${these(files, "file")} with secrets before you apply: ${files.join(", ")}.`);
  return lines;
}

function hasInstant({ kind, fields }: Change): boolean {
  return fields.some(({ path }) => fieldAt(kind, path)?.kind === "instant");
}

/** `this file`, `these files`. */
function these(items: readonly unknown[], noun: string): string {
  return items.length === 1 ? `this ${noun}` : `these ${noun}s`;
}

/** What cannot be compared; passwords, which never can, only with `isWhole`. */
export function comparedLines(
  { unknown, secretsCompared }: Pick<Plan, "unknown" | "secretsCompared">,
  isWhole: boolean,
): string[] {
  return [
    ...(unknown.length === 0
      ? []
      : [
          `The service does not return ${these(unknown, "field")}, so linkform cannot compare ${unknown.length === 1 ? "it" : "them"}: ${unknown.join(", ")}.`,
        ]),
    ...(secretsCompared === 0 || !isWhole
      ? []
      : [
          secretsCompared === 1
            ? "1 password is set. The service does not return it, so its value is not compared."
            : `${showCount(secretsCompared)} passwords are set. The service does not return them, so their values are not compared.`,
        ]),
  ];
}

/** The number of findings that `validate` shows. */
export function hiddenLines({ hiddenFindings = [], base }: Pick<Plan, "hiddenFindings" | "base">): string[] {
  const count = splitIdentical(hiddenFindings).length;
  if (count === 0) return [];
  const them = count === 1 ? "it" : "them";
  const also = base === null ? "" : `, and \`${visible(base.ref)}\` has ${them}, too`;
  return [`The files have ${plural(count, "warning")}${also}. To see ${them}, run \`linkform validate\`.`];
}

function baseLine(base: Base): string {
  const { ref, commit, impliedDays } = base;
  if (impliedDays === undefined) return `Base: ${showBase(base)}.`;
  const age = impliedDays === 0 ? "less than a day" : plural(impliedDays, "day");
  return `Base: the tag \`${visible(ref)}\` (commit ${shortCommit(commit)}, ${age} old).`;
}

/** The line about a base that no flag named, for a report without the remarks of a plan. */
export function impliedNote(base: Base | null): Diagnostic[] {
  return base === null || base.impliedDays === undefined ? [] : [info("implied-base", baseLine(base), null)];
}

/** `main (1a2b3c4)`. */
export function showBase({ ref, commit }: Base): string {
  return `${visible(ref)} (${shortCommit(commit)})`;
}

/** A commit as git abbreviates it. */
export function shortCommit(commit: string): string {
  return visible(commit.slice(0, 7));
}

export const NO_BASE = "Without a base, removed links are not detected.";

/** The titles of a plan without changes. */
export const NO_CHANGES = "No changes";
export const ALL_WITHHELD = "All changes are left out";

/** `1 to create, 1 to rename, 2 other updates`, with the origins if there is a base. */
export function countsText({ changes, summary }: Pick<Plan, "changes" | "summary">): string {
  const counts = countKinds(changes).map(({ count, planned }) => `${showCount(count)} ${planned}`);
  const split = originsText(summary.origins);
  return `${counts.join(", ")}${split === null ? "" : ` (${split})`}`;
}

/** `41 unchanged`, with `isWhole` also `212 unmanaged`, or with `--changed` `1 unchanged, 2,998 not compared`. */
export function restText({ summary, notCompared }: Pick<Plan, "summary" | "notCompared">, isWhole: boolean): string {
  const unchanged = `${showCount(summary.unchanged)} unchanged`;
  if (notCompared !== null) return `${unchanged}, ${showCount(notCompared.link + notCompared.pixel)} not compared`;
  if (!isWhole) return unchanged;
  return summary.unmanaged === null
    ? `${unchanged}, unmanaged objects not counted (not all links were read)`
    : `${unchanged}, ${showCount(summary.unmanaged)} unmanaged`;
}

/** The unchanged objects that the base does not declare, or what a plan without a base leaves out. */
export function sinceBaseText({ base, summary: { nowManaged } }: Pick<Plan, "base" | "summary">): string {
  if (base === null) return ` ${NO_BASE}`;
  const { link = 0, pixel = 0 } = nowManaged ?? {};
  if (link + pixel === 0) return "";
  const counts = [
    ...(link > 0 ? [plural(link, "existing link")] : []),
    ...(pixel > 0 ? [plural(pixel, "existing pixel")] : []),
  ];
  return ` ${counts.join(" and ")} ${link + pixel === 1 ? "is" : "are"} now managed.`;
}

/** How long the changes take if they must wait for the rate limit; empty if not. */
export function waitText(pace: PlanPace | null): string {
  return pace === null || pace.seconds === 0
    ? ""
    : ` Applying takes about ${showCount(Math.ceil(pace.seconds / 60))} min at the limit of ${showCount(pace.perMinute)} requests per minute.`;
}

export function requestsText({ read, apply, verify }: Plan["requests"], pace: PlanPace | null): string {
  return `${plural(read, "request")} to read, ${showCount(apply)} to apply, ${showCount(verify)} to verify${paceText(pace)}`;
}

function paceText(pace: PlanPace | null): string {
  if (pace === null) return "";
  const limit = `the limit of ${showCount(pace.perMinute)} per minute`;
  return pace.seconds === 0
    ? `, within ${limit}`
    : `, about ${showCount(Math.ceil(pace.seconds / 60))} min at ${limit}`;
}

/** In the order of the output: changes of this pull request come first. */
const ORIGIN_WORDS: readonly (readonly [Origin, string])[] = [
  ["declared here", "declared here"],
  ["both", "declared here and drift"],
  ["pending", "pending"],
  ["drift", "drift"],
];

export function originText(origin: Origin): string {
  return ORIGIN_WORDS.find(([known]) => known === origin)?.[1] ?? origin;
}

/** `All 10 changes come from this pull request.`, or the number of each origin; null without a base or changes. */
export function originsSentence(origins: Summary["origins"]): string | null {
  const split = originsText(origins);
  if (origins === null || split === null) return null;
  const { "declared here": here, both, pending, drift } = origins;
  if (both + pending + drift > 0) return `By origin: ${split}.`;
  return here === 1
    ? "The change comes from this pull request."
    : `All ${showCount(here)} changes come from this pull request.`;
}

/** `2 declared here, 1 drift`; null without a base or changes. */
function originsText(origins: Summary["origins"]): string | null {
  const counts = ORIGIN_WORDS.flatMap(([origin, words]) =>
    origins === null || origins[origin] === 0 ? [] : [`${showCount(origins[origin])} ${words}`],
  );
  return counts.length === 0 ? null : counts.join(", ");
}
