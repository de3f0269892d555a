// Sentences about a plan: counts, requests, and what cannot be compared.

import type { Base, Change, Origin, Plan, Summary } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { fieldAt } from "../domain/table.ts";
import { plural, showCount } from "./counts.ts";

/** The rate limit of the service, and the estimated duration of an apply. */
export interface PlanPace {
  readonly perMinute: number;
  readonly seconds: number;
}

export function remarkLines(plan: Plan): string[] {
  return [...comparedLines(plan), ...planLines(plan), ...(plan.complete ? [baseLine(plan.base)] : [])];
}

export function planLines(plan: Plan): string[] {
  const lines: string[] = [];
  if (plan.changes.some(hasInstant)) lines.push(`Dates and times are those of ${visible(plan.zones.files)}.`);
  if (plan.secretsNeeded.length > 0)
    lines.push(`To apply, these must be there: ${plan.secretsNeeded.map(({ name }) => visible(name)).join(", ")}.`);
  return lines;
}

function hasInstant({ kind, fields }: Change): boolean {
  return fields.some(({ path }) => fieldAt(kind, path)?.kind === "instant");
}

/** What cannot be compared. */
export function comparedLines({ unknown, secretsCompared }: Pick<Plan, "unknown" | "secretsCompared">): string[] {
  return [
    ...(unknown.length === 0
      ? []
      : [`The service does not return, so these can't be compared: ${unknown.join(", ")}.`]),
    ...(secretsCompared === 0
      ? []
      : [
          `${plural(secretsCompared, "secret")} compared by presence only: whether the text is the same can't be seen.`,
        ]),
  ];
}

function baseLine(base: Base | null): string {
  if (base === null) return "Without --base, what was removed from the files can't be seen.";
  return `Base: ${showBase(base)}.`;
}

/** `main (1a2b3c4)`. */
export function showBase({ ref, commit }: Base): string {
  return `${visible(ref)} (${shortCommit(commit)})`;
}

/** A commit as git abbreviates it. */
export function shortCommit(commit: string): string {
  return visible(commit.slice(0, 7));
}

/** The titles of a plan without changes. */
export const NO_CHANGES = "No changes";
export const ALL_WITHHELD = "No changes but those left out";

/** In the order of the output. */
export const ACTIONS = ["create", "update", "replace", "delete"] as const;

/** `1 to create, 2 to update`, with the origins if there is a base. */
export function countsText({ summary }: Pick<Plan, "summary">): string {
  const counts = ACTIONS.flatMap((action) =>
    summary[action] === 0 ? [] : [`${showCount(summary[action])} to ${action}`],
  );
  const split = originsText(summary.origins);
  return `${counts.join(", ")}${split === null ? "" : ` (${split})`}`;
}

/** `41 unchanged, 212 unmanaged`. */
export function restText({ summary }: Pick<Plan, "summary">): string {
  const unmanaged =
    summary.unmanaged === null
      ? "unmanaged not counted (not all links were read)"
      : `${showCount(summary.unmanaged)} unmanaged`;
  return `${showCount(summary.unchanged)} unchanged, ${unmanaged}`;
}

export function requestsText({ read, apply, verify }: Plan["requests"], pace: PlanPace | null): string {
  return `${plural(read, "request")} to read, ${showCount(apply)} to apply, ${showCount(verify)} to verify${paceText(pace)}`;
}

function paceText(pace: PlanPace | null): string {
  if (pace === null) return "";
  const limit = `the limit of ${showCount(pace.perMinute)} a minute`;
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

/** `2 declared here, 1 drift`; null without a base or changes. */
export function originsText(origins: Summary["origins"]): string | null {
  const counts = ORIGIN_WORDS.flatMap(([origin, words]) =>
    origins === null || origins[origin] === 0 ? [] : [`${origins[origin]} ${words}`],
  );
  return counts.length === 0 ? null : counts.join(", ");
}
