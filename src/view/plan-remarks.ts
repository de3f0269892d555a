// Sentences about a plan: counts, requests, and what could not be compared.

import type { Base, Change, Origin, Plan, Summary } from "../domain/change.ts";
import { visible } from "../domain/control-characters.ts";
import { fieldAt } from "../domain/table.ts";
import { plural, showCount } from "./counts.ts";

/** As many signs of a commit as git shows. */
const SHORT_COMMIT = 7;

/** The service's limit in requests, and about how long applying takes at it. */
export interface PlanPace {
  readonly perMinute: number;
  readonly seconds: number;
}

/** What the plan can't promise, and what it needs: sentences. */
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

/** What of the comparison can't be relied on. */
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

/** A ref, and the beginning of its commit's name. */
export function showBase({ ref, commit }: Base): string {
  return `${visible(ref)} (${visible(commit.slice(0, SHORT_COMMIT))})`;
}

/** `1 to create, 2 to update`, and where they come from, where a base tells. */
export function countsText({ summary }: Pick<Plan, "summary">): string {
  const counts = (["create", "update", "replace", "delete"] as const).flatMap((action) =>
    summary[action] === 0 ? [] : [`${showCount(summary[action])} to ${action}`],
  );
  const split = splitText(summary.origins);
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

/** What reading took and applying will take. */
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

/** What people read; in the order in which they are counted: what this change of the files does stands first. */
const WORDS: readonly (readonly [Origin, string])[] = [
  ["declared here", "declared here"],
  ["both", "declared here and drift"],
  ["pending", "pending"],
  ["drift", "drift"],
];

/** An origin in words. */
export function originText(origin: Origin): string {
  return WORDS.find(([known]) => known === origin)?.[1] ?? origin;
}

/** `2 declared here, 1 drift`: only what there is; null where no base was given or nothing changes. */
export function splitText(origins: Summary["origins"]): string | null {
  const counts = WORDS.flatMap(([origin, words]) =>
    origins === null || origins[origin] === 0 ? [] : [`${origins[origin]} ${words}`],
  );
  return counts.length === 0 ? null : counts.join(", ");
}
