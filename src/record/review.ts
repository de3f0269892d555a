// Compares a saved plan with the current plan: only changes that are in both are run. At the end, each saved change has an outcome.

import type { Outcome } from "../apply/outcome.ts";
import { PAST_TENSE, recordIdOf, type Change, type Live, type Plan } from "../domain/change.ts";
import { fieldAt, type ResourceKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { dependenciesAmong, type Dependencies } from "../plan/order.ts";
import { fold } from "../domain/fold.ts";
import { liveWords, showWords, wordChanges, type Word, type WordChange } from "../report/values.ts";
import { changeDocument, combineOutcomes, outcomeDocument, reportedChanges } from "../report/document.ts";
import type { ChangeDocument, ChangeResult } from "../report/json/schema.ts";

/** A saved change, and what the apply does with it. */
export interface ReviewedChange {
  readonly saved: ChangeDocument;
  /** The current changes that make it, or the rest of it if it was interrupted: none if it is done. */
  readonly changes: readonly Change[];
  /** Why they are not made: the change would be different now, or depends on a change that is not made. Null if they are. */
  readonly skip: { readonly code: "moved" | "skipped"; readonly message: string } | null;
}

export interface Review {
  readonly reviewed: readonly ReviewedChange[];
  /** Changes that only the current plan has. */
  readonly notReviewed: readonly Change[];
}

/**
 * Compares each saved change with the current plan and the live state. `live` has all objects that the files or the saved plan name.
 *
 *     current plan                   live state                    status
 *     the same change                any                           run
 *     some of its fields             has the other fields          run (an update that was interrupted)
 *     missing fields of a new one    has the new record            run (a store that was saved in part)
 *     delete of the old record       has the new record            run (a replacement that was interrupted)
 *     none of its fields             has all of its fields         run (nothing, because it is done)
 *     anything else                  any                           skip as moved
 *
 * A change that depends on a change which is not run is skipped, too.
 */
export function reviewSavedPlan(saved: readonly ChangeDocument[], plan: Plan, live: readonly Live[]): Review {
  const state = indexState(plan, live);
  const alone = saved.map((change) => reviewChange(change, state));
  const reviewed = skipDependents(alone, dependenciesAmong(plan.changes));
  const covered = new Set(reviewed.flatMap(({ changes }) => changes));
  return { reviewed, notReviewed: plan.changes.filter((change) => !covered.has(change)) };
}

export function changesToRun(reviewed: readonly ReviewedChange[]): ReadonlySet<Change> {
  return new Set(reviewed.flatMap(({ changes, skip }) => (skip === null ? changes : [])));
}

function reviewChange(saved: ChangeDocument, state: CurrentState): ReviewedChange {
  const current = state.changesById.get(`${saved.kind} ${saved.id}`) ?? state.changesAt.get(reviewedKey(saved));
  const isSame =
    current !== undefined && signature(changeDocument(current, { zones: state.zones })) === signature(saved);
  const remaining = isSame ? [current] : remainingChanges(saved, state);
  // After the review, a link can reach its click limit or its expiration date. Then an update can break the short URL.
  const breaksUrlNow =
    saved.action === "update" && !saved.breaks_url && remaining?.some(({ breaksUrl }) => breaksUrl) === true;
  if (remaining !== null && !breaksUrlNow) return { saved, changes: remaining, skip: null };
  const message = current === undefined ? NOT_PLANNED : explainDifferent(saved, current, state);
  return { saved, changes: current === undefined ? [] : [current], skip: { code: "moved", message } };
}

/** The rest of a change that was applied in part; null if that cannot be determined. */
function remainingChanges(saved: ChangeDocument, state: CurrentState): readonly Change[] | null {
  const former = state.recordsById.get(`${saved.kind} ${saved.id}`);
  if (saved.action === "delete") return former === undefined ? [] : null;
  const isUpdate = saved.action === "update";
  const record = isUpdate ? former : state.recordsAt.get(reviewedKey(saved));
  if (record === undefined) return null;
  const wanted = saved.stored ?? saved.fields;
  const change = state.changesById.get(`${record.kind} ${record.id}`);
  const planned = change === undefined ? [] : fieldsOf(change, state.zones);
  const words = liveWords(record, state.zones);
  const others = wanted.filter(({ path }) => !planned.some((field) => field.path === path));
  if (!others.every(({ path, after }) => isSameWord(words.get(path), after))) return null;
  const rest = change === undefined || others.length === wanted.length ? [] : [change];
  const isReviewed = planned.every((field) =>
    wanted.some(
      ({ path, before, after }) =>
        path === field.path && isSameWord(after, field.after) && (!isUpdate || isSameWord(before, field.before)),
    ),
  );
  const isRest = ({ action, ...one }: Change): boolean =>
    isReviewed && action === "update" && (isUpdate || onlyCompletes(one));
  if (!rest.every(isRest)) return null;
  if (saved.action !== "replace" || former === undefined) return rest;
  const removal = state.changesById.get(`${saved.kind} ${saved.id}`);
  return removal?.action === "delete" && removal.reason === "moved" ? [...rest, removal] : null;
}

/** Whether an update only sets fields that have their default, or repeats their current value. */
function onlyCompletes({ kind, fields }: Pick<Change, "kind" | "fields">): boolean {
  return fields.every(({ path, before, after }) => {
    const unset = fieldAt(kind, path)?.default ?? null;
    return before !== undefined && (sameValue(before, unset) || sameValue(before, after));
  });
}

/** Skips the changes that depend on a change which is not run. */
function skipDependents(reviewed: readonly ReviewedChange[], needs: Dependencies): readonly ReviewedChange[] {
  const running = changesToRun(reviewed);
  const next = reviewed.map((result): ReviewedChange => {
    if (result.skip !== null) return result;
    const missing = result.changes.flatMap(needs).find((other) => !running.has(other));
    if (missing === undefined) return result;
    const message = `The ${missing.kind} \`${missing.key}\` must be ${PAST_TENSE[missing.action]} first, but that change is skipped or not in this plan.`;
    return { ...result, skip: { code: "skipped", message } };
  });
  return next.some((result, index) => result !== reviewed[index]) ? skipDependents(next, needs) : reviewed;
}

type CurrentState = ReturnType<typeof indexState>;

/** The current plan and live state, by id (`link 7`) and by key. `changesAt` has the changes that create an object with a key, or change one. */
function indexState({ changes, zones }: Plan, live: readonly Live[]) {
  const byKey = <One extends Keyed>(all: readonly One[]): Map<string, One> =>
    new Map(all.toReversed().map((one) => [reviewedKey(one), one]));
  return {
    zones,
    changesById: new Map(
      changes.flatMap((change) => (change.action === "create" ? [] : [[`${change.kind} ${change.live.id}`, change]])),
    ),
    changesAt: byKey(changes.filter(({ action }) => action !== "delete")),
    recordsById: new Map(live.map((record) => [`${record.kind} ${record.id}`, record])),
    recordsAt: byKey(live),
  };
}

function fieldsOf({ action, kind, fields }: Change, zones: Plan["zones"]): WordChange[] {
  return fields.flatMap((field) => wordChanges(kind, field, zones, action === "create"));
}

type Keyed = Readonly<{ kind: ResourceKind; key: string }>;

function reviewedKey({ kind, key }: Keyed): string {
  return `${kind} ${fold(key)}`;
}

/** Values of one field have their keys in the same order. */
function isSameWord(a: Word | undefined, b: Word | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Equal for changes with the same effect on the same record. */
function signature({ action, kind, key, previous_key, id, fields, stored }: ChangeDocument): string {
  const words = [fields, stored ?? []].map((list) => list.map(({ path, before, after }) => [path, before, after]));
  return JSON.stringify([action, kind, key, previous_key, id, ...words]);
}

const NOT_PLANNED = "This change is no longer planned. The files or the settings of the project no longer ask for it.";

function explainDifferent(saved: ChangeDocument, current: Change, state: CurrentState): string {
  const id = recordIdOf(current);
  if (current.action !== saved.action)
    return `It would now be ${PAST_TENSE[current.action]} and not ${PAST_TENSE[saved.action]}${id === saved.id || id === null ? "" : ` (id ${id})`}.`;
  if (id !== saved.id) return `Its id is now ${id} and no longer ${saved.id}.`;
  const [is, was] = [keysText(current.previousKey, current.key), keysText(saved.previous_key, saved.key)];
  if (is !== was) return `Its key would now be ${is} and not ${was}.`;
  if (current.breaksUrl && !saved.breaks_url)
    return "The short URL would now stop working, which the saved plan does not show.";
  const planned = fieldsOf(current, state.zones);
  const others = planned.filter(
    ({ path, before, after }) =>
      !saved.fields.some((one) => one.path === path && isSameWord(one.before, before) && isSameWord(one.after, after)),
  );
  const gone = saved.fields.filter(({ path }) => !planned.some((field) => field.path === path));
  const differences = [
    ...others.map(({ path, before, after }) => `\`${path}\` would now change: ${showWords(before, after).join(" → ")}`),
    ...gone.map(({ path }) => `\`${path}\` would no longer change`),
  ];
  return `${differences.join("; ") || "The new record would have other values"}.`;
}

/** A key, and the one before the change. */
export function keysText(previous: string | null, key: string): string {
  return previous === null ? `\`${key}\`` : `\`${key}\` (was \`${previous}\`)`;
}

/**
 * One for each saved change, in order. `plan` has the changes that were run. A change that is not made, or only in part, has no more than
 * was saved.
 */
export function savedOutcomes(
  reviewed: readonly ReviewedChange[],
  plan: Plan,
  outcomes: readonly Outcome[],
): ChangeResult[] {
  const byChange = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  const reported = reportedChanges(plan);
  return reviewed.map(({ saved, changes, skip }) => {
    const made = combineOutcomes(changes.map((change) => outcomeDocument(byChange.get(change))));
    const same = changes.flatMap((change) => (change.action === saved.action ? (reported.get(change) ?? []) : []));
    const skipped = skip && {
      outcome: "skipped" as const,
      error: { ...skip, hint: null, path: null, ...saved.source },
    };
    return { ...same[0], ...saved, already_so: skip === null && changes.length === 0, ...(skipped ?? made) };
  });
}
