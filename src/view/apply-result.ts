// The final account of an apply: what was done, what was not and why, and what to do now.

import { groupBy } from "../domain/collections.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { durationText, plural, showCount } from "./counts.ts";
import type { ChangeDocument, OutcomeDocument } from "./document.ts";
import { nextSteps, type RunEnding } from "./next-steps.ts";

/** A change and what became of it. */
export type ChangeOutcome = Pick<ChangeDocument, "action" | "kind" | "key" | "id"> & OutcomeDocument;

/** What a run took. */
export interface Cost {
  /** All that were sent, those of the reading before it included. */
  readonly requests: number;
  /** Seconds from the first change on, and those of them that the rate limit was waited for. */
  readonly seconds: number;
  readonly waited: number;
}

/** How a run ended. */
export interface Ended extends Omit<RunEnding, "isStarted"> {
  /** What was touched has been read again. */
  readonly isVerified: boolean;
  /** Clicks of what was deleted or replaced. */
  readonly clicksLost: number;
  readonly cost: Cost;
  readonly exit: ExitCode;
}

/** Whether what is done has been read again, in words; where it has not, what to look at. */
export function verifiedOf(
  results: readonly ChangeOutcome[],
  { isVerified }: Pick<Ended, "isVerified">,
): { readonly isWell: boolean; readonly verified: string; readonly look: readonly string[] } {
  const isMade = results.some(({ outcome, already_so }) => outcome === "applied" && already_so !== true);
  const isWell = isVerified || !isMade;
  const verified = isWell ? (isMade ? "; verified" : "") : "; but it was not read again";
  return { isWell, verified, look: isWell ? [] : ["`linkform plan` shows how the account is."] };
}

/** Changes that were not made, in one of three ways. */
export interface LeftSo {
  readonly how: NotApplied;
  readonly changes: readonly ChangeOutcome[];
}

/** What was not made, by how; what there is none of is left out. */
export function leftOf(results: readonly ChangeOutcome[]): LeftSo[] {
  return (["failed", "moved", "skipped"] as const)
    .map((how) => ({ how, changes: results.filter((one) => howLeft(one) === how) }))
    .filter(({ changes }) => changes.length > 0);
}

/** How much of it all was done, where it was not all: one sentence. */
export function partlyText(
  results: readonly ChangeOutcome[],
  left: readonly LeftSo[],
  ended: Pick<Ended, "exit">,
): string {
  const counts = left.map(({ how, changes }) => `${showCount(changes.length)} ${COUNTED[how]}`).join(", ");
  const done = doneText(results);
  return hasStarted(ended)
    ? `Not all was done: ${[done, counts].filter((text) => text !== "").join("; ")}.`
    : `Nothing was applied: ${counts}.`;
}

/** Whether a run that did not do all has done something, as its exit code says. */
export function hasStarted({ exit }: Pick<Ended, "exit">): boolean {
  return exit !== EXIT.error && exit !== EXIT.refused;
}

/** What to do about what a run has left. */
export function stepsAfter(results: readonly ChangeOutcome[], ended: Ended): string[] {
  return nextSteps(results, { ...ended, isStarted: hasStarted(ended) });
}

/** What went with what was deleted: a sentence, or nothing. */
export function clicksText({ clicksLost }: Pick<Ended, "clicksLost">): string[] {
  return clicksLost === 0 ? [] : [`${plural(clicksLost, "click")} went with what was deleted.`];
}

/** What has been done to an object, by the action. */
export const DONE = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;

/** `3 created, 1 deleted, 2 already so`; empty where nothing is done. */
export function doneText(results: readonly ChangeOutcome[]): string {
  const applied = results.filter(({ outcome }) => outcome === "applied");
  const made = applied.filter(({ already_so }) => already_so !== true);
  const counts = Object.entries(DONE).map(([action, past]) => ({
    past,
    count: made.filter((one) => one.action === action).length,
  }));
  return [...counts, { past: "already so", count: applied.length - made.length }]
    .flatMap(({ past, count }) => (count === 0 ? [] : [`${showCount(count)} ${past}`]))
    .join(", ");
}

export type NotApplied = "failed" | "moved" | "skipped";

function howLeft({ outcome, error }: ChangeOutcome): NotApplied | null {
  if (outcome === "applied") return null;
  return outcome === "failed" ? "failed" : error?.code === "moved" ? "moved" : "skipped";
}

const COUNTED: Readonly<Record<NotApplied, string>> = { failed: "failed", moved: "moved", skipped: "not begun" };

/** What stands above what was left so. */
export const HEADINGS: Readonly<Record<NotApplied, string>> = {
  failed: "Failed:",
  moved: "Skipped, because it changed after it was planned:",
  skipped: "Not begun:",
};

/** Changes that were not made for the same reason. */
export function alike(changes: readonly ChangeOutcome[]): (readonly ChangeOutcome[])[] {
  const groups = groupBy(changes, ({ key, error }) =>
    JSON.stringify(error && [error.code, common(key, error.message), error.hint]),
  );
  return [...groups.values()];
}

/** What is the same in messages of one cause: all but the key and the ids of rows. */
export function common(key: string, message: string): string {
  return message
    .replaceAll(`\`${key}\``, "it")
    .replaceAll(/ \(ids? \d+(, \d+)*\)/g, "")
    .replace(/^i/, "I");
}

/** Seconds from which on people want to know how long it took. */
const LONG = 10;

/** What a run took. */
export function costText({ requests, seconds, waited }: Cost): string {
  const asked = plural(requests, "request");
  if (seconds < LONG) return `${asked}.`;
  const waiting = waited === 0 ? "" : `, ${durationText(waited)} of it waiting for the rate limit`;
  return `${asked}; the changes took ${durationText(seconds)}${waiting}.`;
}

/** What an exit code says, where it says that not all is well. */
export const MEANING: Readonly<Record<ExitCode, string>> = {
  0: "",
  1: "Exit code 1: nothing was applied.",
  2: "",
  3: "Exit code 3: nothing was applied, because every change has moved.",
  4: "Exit code 4: a part of it is done.",
  64: "",
  130: "Exit code 130: interrupted.",
};
