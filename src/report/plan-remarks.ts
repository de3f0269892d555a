// Sentences about a plan: counts, requests, and what cannot be compared.

import type { Base, Change, Origin, Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import { fieldAt } from "../domain/table.ts";
import type { SecretSource } from "../domain/project.ts";
import { countKinds, type Countable } from "./change-counts.ts";
import { plural, showCount } from "./counts.ts";
import type { ReportDocument } from "./document.ts";
import type { OriginsDocument, PlanDocument } from "./json/schema.ts";

/** The rate limit of the service, and how long the changes take at it. */
export type Pace = NonNullable<PlanDocument["pace"]>;

/** Remarks on a plan. Few readers need the `details`. */
export function planRemarks(plan: Plan, pace: Pace | null): Required<Pick<PlanDocument, "remarks" | "details">> {
  const remarks = [
    ...(plan.notCompared === null || !plan.complete ? [] : [notComparedLine(plan.notCompared)]),
    ...unknownLines(plan),
    ...planLines(plan),
    ...(plan.complete && plan.base !== null ? [baseLine(plan.base)] : []),
    ...hiddenLines(plan),
    ...changedAdvice(plan, pace),
  ];
  return { remarks, details: [...passwordLines(plan), ...unmanagedLines(plan), requestsLine(plan, pace)] };
}

/** The same for an undo, whose files and unmanaged objects do not matter. */
export function undoRemarks(plan: Plan, pace: Pace | null): Required<Pick<PlanDocument, "remarks" | "details">> {
  return { remarks: planLines(plan), details: [requestsLine(plan, pace)] };
}

/** The same for a comparison with the live state. */
export function driftRemarks(plan: Plan): Required<Pick<PlanDocument, "remarks" | "details">> {
  const declared = plan.base === null ? [] : [`Compared with the files at ${showBase(plan.base)}.`];
  const read = `${plural(plan.requests.read, "request")} to read.`;
  return { remarks: [...unknownLines(plan), ...declared], details: [...passwordLines(plan), read] };
}

/** What `--changed` leaves out. */
function notComparedLine({ link, pixel }: NonNullable<Plan["notCompared"]>): string {
  const left = [...(link > 0 ? [plural(link, "link")] : []), ...(pixel > 0 ? [plural(pixel, "pixel")] : [])];
  if (left.length === 0) return "Every link and pixel in the files differs from the base and was compared.";
  const [is, was] = link + pixel === 1 ? ["is", "was"] : ["are", "were"];
  return `Only what differs from the base was compared with the live state. ${left.join(" and ")} ${is} declared as at the base and ${was} not compared.`;
}

/** Proposes `--changed` if reading takes more requests than the service allows in a minute. */
function changedAdvice({ requests: { read }, notCompared, base }: Plan, pace: Pace | null): string[] {
  if (notCompared !== null || pace === null || read <= pace.per_minute) return [];
  return [
    `Reading took ${plural(read, "request")}, and the limit is ${showCount(pace.per_minute)} per minute. To read only what differs from the base, pass ${base === null ? "--base REF and --changed" : "--changed"}.`,
  ];
}

function planLines(plan: Plan): string[] {
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

/** What cannot be compared. */
function unknownLines({ unknown }: Pick<Plan, "unknown">): string[] {
  if (unknown.length === 0) return [];
  const them = unknown.length === 1 ? "it" : "them";
  return [
    `The service does not return ${these(unknown, "field")}, so linkform cannot compare ${them}: ${unknown.join(", ")}.`,
  ];
}

/** Passwords, which can never be compared. */
function passwordLines({ secretsCompared: count }: Pick<Plan, "secretsCompared">): string[] {
  if (count === 0) return [];
  return count === 1
    ? ["1 password is set. The service does not return it, so its value is not compared."]
    : [`${showCount(count)} passwords are set. The service does not return them, so their values are not compared.`];
}

function unmanagedLines({ complete, notCompared, summary: { unmanaged } }: Plan): string[] {
  if (!complete || notCompared !== null || unmanaged === 0) return [];
  if (unmanaged === null)
    return ["Objects that are not in the files were not counted, because not all links were read."];
  return [`${plural(unmanaged, "live object")} ${unmanaged === 1 ? "is" : "are"} not in the files.`];
}

function requestsLine({ complete, changes, requests: { read, apply, verify } }: Plan, pace: Pace | null): string {
  const all = `${plural(read, "request")} to read`;
  return complete && changes.length > 0
    ? `${all}, ${showCount(apply)} to apply, ${showCount(verify)} to verify${paceText(pace)}.`
    : `${all}.`;
}

/** The number of findings that `validate` shows. */
export function hiddenLines({ hiddenFindings = [], base }: Pick<Plan, "hiddenFindings" | "base">): string[] {
  const count = hiddenFindings.length;
  if (count === 0) return [];
  const them = count === 1 ? "it" : "them";
  const also = base === null ? "" : `, and \`${visible(base.ref)}\` has ${them}, too`;
  return [`The files have ${plural(count, "warning")}${also}. To see ${them}, run \`linkform validate\`.`];
}

function baseLine(base: Base): string {
  const { ref, commit, impliedDays } = base;
  if (impliedDays === undefined) return `Base: ${showBase(base)}.`;
  const age = impliedDays === 0 ? "less than a day" : plural(impliedDays, "day");
  // `git fetch` does not move a tag that a clone has.
  const update = impliedDays === 0 ? "" : " If a deploy has moved it since, run `git fetch --force --tags`.";
  return `Base: the tag \`${visible(ref)}\` (commit ${shortCommit(commit)}, ${age} old).${update}`;
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

/** `1 to create, 1 to rename, 2 other updates`. */
export function countsText(changes: readonly Countable[]): string {
  return countKinds(changes)
    .map(({ count, planned }) => `${showCount(count)} ${planned}`)
    .join(", ");
}

/** `41 unchanged`, or with `--changed` `1 unchanged, 2,998 not compared`. */
export function restText({ summary, not_compared: left }: ReportDocument): string {
  const unchanged = `${showCount(summary?.unchanged ?? 0)} unchanged`;
  return left === undefined ? unchanged : `${unchanged}, ${showCount(left.links + left.pixels)} not compared`;
}

/** The unchanged objects that the base does not declare, or what a plan without a base leaves out. */
export function sinceBaseText({ base = null, now_managed: managed }: ReportDocument): string {
  if (base === null) return ` ${NO_BASE}`;
  if (managed === undefined) return "";
  const { links, pixels } = managed;
  const counts = [
    ...(links > 0 ? [plural(links, "existing link")] : []),
    ...(pixels > 0 ? [plural(pixels, "existing pixel")] : []),
  ];
  return ` ${counts.join(" and ")} ${links + pixels === 1 ? "is" : "are"} now managed.`;
}

/** What a tripped brake means for the plan; empty without one. */
export function stopText({ brakes = [] }: ReportDocument): string {
  return brakes.length > 0 ? " Stopped by the brake: nothing is applied." : "";
}

/** How long the changes take if they must wait for the rate limit; empty if not. */
export function waitText({ pace }: ReportDocument): string {
  return pace === undefined || pace.seconds === 0
    ? ""
    : ` Applying takes about ${showCount(Math.ceil(pace.seconds / 60))} min at the limit of ${showCount(pace.per_minute)} requests per minute.`;
}

function paceText(pace: Pace | null): string {
  if (pace === null) return "";
  const limit = `the limit of ${showCount(pace.per_minute)} per minute`;
  return pace.seconds === 0
    ? `, within ${limit}`
    : `, about ${showCount(Math.ceil(pace.seconds / 60))} min at ${limit}`;
}

/** `isReviewed`: the report is for a pull request. */
export function originText(origin: Origin, isReviewed: boolean): string {
  const here = isReviewed ? "changed in this pull request" : "changed since the base";
  const texts: Readonly<Record<Origin, string>> = {
    "declared here": here,
    both: `${here} and by hand`,
    pending: "not applied yet",
    drift: "was changed by hand",
  };
  return texts[origin];
}

/** Where the changes come from, in a sentence: once if it is the same for all. Empty without a base. */
export function originsText(origins: OriginsDocument | null, isReviewed: boolean): string {
  if (origins === null) return "";
  const parts = (["declared_here", "both", "pending", "drift"] as const).filter((origin) => origins[origin] > 0);
  const [only, ...others] = parts;
  if (only === undefined) return "";
  if (others.length > 0) {
    const counts = parts.map((part) => {
      const origin = part === "declared_here" ? "declared here" : part;
      return `${showCount(origins[part])} ${originText(origin, isReviewed)}`;
    });
    return `By origin: ${counts.join(", ")}.`;
  }
  const [all, s, were] =
    origins[only] === 1 ? ["The change", "s", "was"] : [`All ${plural(origins[only], "change")}`, "", "were"];
  const sentences = {
    declared_here: isReviewed ? `${all} come${s} from this pull request.` : `${all} ${were} made since the base.`,
    both: `${all} ${were} made since the base, and by hand, too.`,
    pending: `${all} ${were} made before the base and not applied yet.`,
    drift: `${all} revert${s} manual changes.`,
  };
  return sentences[only];
}
