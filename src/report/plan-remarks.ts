// Sentences about a plan: counts, requests, and what cannot be compared.

import type { Base, Origin, Plan } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import { fieldAt } from "../domain/table.ts";
import type { SecretSource } from "../domain/project.ts";
import { countEach, kindsText } from "./counts.ts";
import { plural, showCount } from "../domain/words.ts";
import type { ReportDocument, ShownChange } from "./document.ts";
import type { PlanDocument } from "./json/schema.ts";

export type Pace = NonNullable<PlanDocument["pace"]>;

type Remarks = Required<Pick<PlanDocument, "remarks" | "details">>;

/** Without empty texts. */
function remarksOf(remarks: readonly string[], details: readonly string[]): Remarks {
  return { remarks: remarks.filter((text) => text !== ""), details: details.filter((text) => text !== "") };
}

export function planRemarks(plan: Plan, pace: Pace | null): Remarks {
  const { complete, base } = plan;
  return remarksOf(
    [
      notComparedText(plan),
      unknownText(plan),
      ...applyTexts(plan),
      complete && base !== null ? baseText(base) : "",
      hiddenText(plan),
      changedAdvice(plan, pace),
    ],
    [passwordText(plan), unmanagedText(plan), requestsText(plan, pace)],
  );
}

/** The same for an undo, whose files and unmanaged objects do not matter. */
export function undoRemarks(plan: Plan, pace: Pace | null): Remarks {
  return remarksOf(applyTexts(plan), [requestsText(plan, pace)]);
}

export function driftRemarks(plan: Plan): Remarks {
  const declared = plan.base === null ? "" : `Compared with the files at ${showBase(plan.base)}.`;
  return remarksOf([unknownText(plan), declared], [passwordText(plan), requestsText({ ...plan, changes: [] }, null)]);
}

function notComparedText({ complete, notCompared }: Plan): string {
  if (notCompared === null || !complete) return "";
  const counts = kindsText(notCompared);
  if (counts === "") return "Every link and pixel in the files differs from the base and was compared.";
  const [is, was] = notCompared.link + notCompared.pixel === 1 ? ["is", "was"] : ["are", "were"];
  return `Only what differs from the base was compared with the live state. ${counts} ${is} declared as at the base and ${was} not compared.`;
}

/** If reading takes more requests than the service allows in a minute. */
function changedAdvice({ requests: { read }, notCompared, base }: Plan, pace: Pace | null): string {
  if (notCompared !== null || pace === null || read <= pace.per_minute) return "";
  return `Reading took ${plural(read, "request")}, and the limit is ${showCount(pace.per_minute)} per minute. To read only what differs from the base, pass ${base === null ? "--base REF and --changed" : "--changed"}.`;
}

function applyTexts({ changes, zones, secretsNeeded, secretsUnset = secretsNeeded }: Plan): string[] {
  const hasInstant = changes.some(({ kind, fields }) =>
    fields.some(({ path }) => fieldAt(kind, path)?.kind === "instant"),
  );
  const needed = (source: SecretSource["from"], first: string, noun: string, what: string): string => {
    const names = secretsUnset.flatMap(({ from, name }) => (from === source ? visible(name) : []));
    return names.length === 0 ? "" : `${first} ${these(names, noun)}${what} before you apply: ${names.join(", ")}.`;
  };
  return [
    hasInstant ? `Dates and times are in the time zone ${visible(zones.files)}.` : "",
    needed("env", "Set", "environment variable", ""),
    needed("file", "Write", "file", " with secrets"),
  ];
}

function these(items: readonly unknown[], noun: string): string {
  return items.length === 1 ? `this ${noun}` : `these ${noun}s`;
}

function unknownText({ unknown }: Plan): string {
  if (unknown.length === 0) return "";
  const them = unknown.length === 1 ? "it" : "them";
  return `The service does not return ${these(unknown, "field")}, so linkform cannot compare ${them}: ${unknown.join(", ")}.`;
}

function passwordText({ secretsCompared: count }: Plan): string {
  if (count === 0) return "";
  return count === 1
    ? "1 password is set. The service does not return it, so its value is not compared."
    : `${showCount(count)} passwords are set. The service does not return them, so their values are not compared.`;
}

function unmanagedText({ complete, notCompared, summary: { unmanaged } }: Plan): string {
  if (!complete || notCompared !== null || unmanaged === 0) return "";
  return unmanaged === null
    ? "Objects that are not in the files were not counted, because not all links were read."
    : `${plural(unmanaged, "live object")} ${unmanaged === 1 ? "is" : "are"} not in the files.`;
}

/** How long they take if they must wait for the limit is in the plan. */
function requestsText({ complete, changes, requests }: Plan, pace: Pace | null): string {
  const { read, apply, verify } = requests;
  const all = `${plural(read, "request")} to read`;
  if (!complete || changes.length === 0) return `${all}.`;
  const within = pace?.seconds === 0 ? `, within the limit of ${showCount(pace.per_minute)} per minute` : "";
  return `${all}, ${showCount(apply)} to apply, ${showCount(verify)} to verify${within}.`;
}

export function hiddenText({ hiddenFindings = [], base }: Pick<Plan, "hiddenFindings" | "base">): string {
  const count = hiddenFindings.length;
  if (count === 0) return "";
  const them = count === 1 ? "it" : "them";
  const also = base === null ? "" : `, and \`${visible(base.ref)}\` has ${them}, too`;
  return `The files have ${plural(count, "warning")}${also}. To see ${them}, run \`linkform validate\`.`;
}

function baseText(base: Base): string {
  const { ref, commit, impliedDays } = base;
  if (impliedDays === undefined) return `Base: ${showBase(base)}.`;
  const age = impliedDays === 0 ? "less than a day" : plural(impliedDays, "day");
  // `git fetch` does not move a tag that a clone has.
  const update = impliedDays === 0 ? "" : " If a deploy has moved it since, run `git fetch --force --tags`.";
  return `Base: the tag \`${visible(ref)}\` (commit ${shortCommit(commit)}, ${age} old).${update}`;
}

/** A base that no flag named, for a report without the remarks of a plan. */
export function impliedNote(base: Base | null): Diagnostic[] {
  return base === null || base.impliedDays === undefined ? [] : [info("implied-base", baseText(base), null)];
}

function showBase({ ref, commit }: Base): string {
  return `${visible(ref)} (${shortCommit(commit)})`;
}

export function shortCommit(commit: string): string {
  return visible(commit.slice(0, 7));
}

export const NO_BASE = "Without a base, removed links are not detected.";

export const NO_CHANGES = "No changes";
export const ALL_WITHHELD = "All changes are left out";

/** `41 unchanged.`, with what was not compared, and what is managed since the base. */
export function restText(
  { summary, base = null, not_compared: left, now_managed: managed }: ReportDocument,
  isOneOfSeveral: boolean = false,
): string {
  const rest = left === undefined ? "" : `, ${showCount(left.links + left.pixels)} not compared`;
  const unchanged = `${showCount(summary?.unchanged ?? 0)} unchanged${rest}.`;
  if (base === null) return isOneOfSeveral ? unchanged : `${unchanged} ${NO_BASE}`;
  if (managed === undefined) return unchanged;
  const { links: link, pixels: pixel } = managed;
  const counts = kindsText({ link, pixel }, "existing ");
  return `${unchanged} ${counts} ${link + pixel === 1 ? "is" : "are"} now managed.`;
}

export function waitText({ pace }: ReportDocument): string {
  return pace === undefined || pace.seconds === 0
    ? ""
    : ` Applying takes about ${showCount(Math.ceil(pace.seconds / 60))} min at the limit of ${showCount(pace.per_minute)} requests per minute.`;
}

/** `isReviewed`: the report is for a pull request. */
export function originText(origin: Origin, isReviewed: boolean): string {
  if (origin === "pending") return "not applied yet";
  if (origin === "drift") return "was changed by hand";
  return `changed ${isReviewed ? "in this pull request" : "since the base"}${origin === "both" ? " and by hand" : ""}`;
}

const ORIGINS = ["declared here", "both", "pending", "drift"] as const;

/** Empty without a base. */
export function originsText(changes: readonly Pick<ShownChange, "origin">[], isReviewed: boolean): string {
  const origins = changes.flatMap(({ origin }) => origin ?? []);
  const counts = [...countEach(origins, ORIGINS)];
  const [first, second] = counts;
  if (first === undefined) return "";
  const parts = counts.map(([origin, count]) => `${showCount(count)} ${originText(origin, isReviewed)}`);
  if (second !== undefined) return `By origin: ${parts.join(", ")}.`;
  const [only, count] = first;
  const [all, s, were] = count === 1 ? ["The change", "s", "was"] : [`All ${plural(count, "change")}`, "", "were"];
  if (only === "both") return `${all} ${were} made since the base, and by hand, too.`;
  if (only === "pending") return `${all} ${were} made before the base and not applied yet.`;
  if (only === "drift") return `${all} revert${s} manual changes.`;
  return isReviewed ? `${all} come${s} from this pull request.` : `${all} ${were} made since the base.`;
}
