// Holds a saved plan against the plan of this moment: only what both ask for is made.

import type { Change } from "../domain/change.ts";
import { fieldAt } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import type { ChangeDocument } from "../view/document.ts";
import { whyMoved } from "./moved.ts";
import { CurrentState, sameWord, type CurrentInput } from "./present.ts";

/** What becomes of a saved change. */
export type Verdict =
  /** It is made: as it was reviewed, or what is left of it. */
  | { readonly saved: ChangeDocument; readonly is: "run"; readonly changes: readonly Change[] }
  | { readonly saved: ChangeDocument; readonly is: "already so" }
  /** It would be another one now. `instead` is what the files ask for in its place. */
  | {
      readonly saved: ChangeDocument;
      readonly is: "moved";
      readonly because: string;
      readonly instead: Change | undefined;
    }
  /** It needs a change that is not made. */
  | {
      readonly saved: ChangeDocument;
      readonly is: "waiting";
      readonly because: string;
      readonly changes: readonly Change[];
    };

export interface Reviewed {
  /** One for each saved change, in their order. */
  readonly verdicts: readonly Verdict[];
  /** What the files ask for and the saved plan does not speak of. */
  readonly notReviewed: readonly Change[];
}

/**
 * Judges every saved change by what the files ask for now and what is live:
 *
 *     asked for now               live                         →
 *     the same                    any                          run
 *     some of its fields          has the others already       run those (an update whose first call was made)
 *     what a new row lacks        has the new row              run that (a store that was saved in part)
 *     the old row's deletion      has the new row              run that (a replacement stopped halfway)
 *     nothing of these fields     as it was to become          already so
 *     anything else               any                          moved
 *
 * And whatever needs a change that is not run waits for the next plan.
 */
export function review(saved: readonly ChangeDocument[], now: CurrentInput): Reviewed {
  const present = new CurrentState(now);
  const verdicts = holdBack(
    saved.map((change) => judge(change, present)),
    now.needs,
  );
  const spokenOf = new Set(
    verdicts.flatMap((verdict) => {
      if (verdict.is === "already so") return [];
      return verdict.is === "moved" ? (verdict.instead ?? []) : verdict.changes;
    }),
  );
  return { verdicts, notReviewed: now.plan.changes.filter((change) => !spokenOf.has(change)) };
}

/** The changes that are to be made. */
export function changesToRun(verdicts: readonly Verdict[]): ReadonlySet<Change> {
  return new Set(verdicts.flatMap((verdict) => (verdict.is === "run" ? verdict.changes : [])));
}

function judge(saved: ChangeDocument, present: CurrentState): Verdict {
  const same = present.same(saved);
  const left = same === undefined ? whatIsLeft(saved, present) : [same];
  // A click limit can be reached, or a date pass, after the plan was reviewed.
  if (left === null || (saved.action === "update" && !saved.breaks_url && left.some(({ breaksUrl }) => breaksUrl)))
    return { saved, is: "moved", ...whyMoved(saved, present) };
  return left.length === 0 ? { saved, is: "already so" } : { saved, is: "run", changes: left };
}

/** What is left to be made of a change that is there in part; null where that can't be said. */
function whatIsLeft(saved: ChangeDocument, present: CurrentState): readonly Change[] | null {
  switch (saved.action) {
    case "update":
      return leftOfUpdate(saved, present);
    case "delete":
      return present.row(saved.kind, saved.id) === undefined ? [] : null;
    case "create":
    case "replace":
      return leftOfStore(saved, present);
    default:
      return saved.action satisfies never;
  }
}

function leftOfUpdate(saved: ChangeDocument, present: CurrentState): readonly Change[] | null {
  const row = present.row(saved.kind, saved.id);
  if (row === undefined) return null;
  const change = present.changeOf(saved.kind, saved.id);
  const asked = change === undefined ? [] : present.fieldsOf(change);
  const words = present.wordsOf(row);
  const isAsked = ({ path }: { readonly path: string }): boolean => asked.some((field) => field.path === path);
  const others = saved.fields.filter((field) => !isAsked(field));
  if (!others.every(({ path, after }) => sameWord(words.get(path), after))) return null;
  if (change === undefined || others.length === saved.fields.length) return [];
  const isReviewed = asked.every((field) =>
    saved.fields.some(
      ({ path, before, after }) =>
        path === field.path && sameWord(before, field.before) && sameWord(after, field.after),
    ),
  );
  return change.action === "update" && isReviewed ? [change] : null;
}

function leftOfStore(saved: ChangeDocument, present: CurrentState): readonly Change[] | null {
  const row = present.rowAt(saved);
  if (row === undefined) return null;
  const stored = saved.stored ?? saved.fields;
  const change = present.changeOf(row.kind, row.id);
  const asked = change === undefined ? [] : present.fieldsOf(change);
  const words = present.wordsOf(row);
  const others = stored.filter(({ path }) => !asked.some((field) => field.path === path));
  if (!others.every(({ path, after }) => sameWord(words.get(path), after))) return null;
  const isOfIt = others.length < stored.length;
  const isReviewed = asked.every((field) =>
    stored.some(({ path, after }) => path === field.path && sameWord(after, field.after)),
  );
  if (isOfIt && !(change !== undefined && fillsGaps(change) && isReviewed)) return null;
  const completion = isOfIt && change !== undefined ? [change] : [];
  if (saved.action === "create" || present.row(saved.kind, saved.id) === undefined) return completion;
  const removal = present.changeOf(saved.kind, saved.id);
  return removal?.action === "delete" && removal.reason === "moved" ? [...completion, removal] : null;
}

/** Whether an update only gives fields that have their default, or sends again what is there. */
function fillsGaps({ action, kind, fields }: Change): boolean {
  return (
    action === "update" &&
    fields.every(({ path, before, after }) => {
      const row = fieldAt(kind, path);
      return row !== undefined && before !== undefined && (sameValue(before, row.default) || sameValue(before, after));
    })
  );
}

const DONE = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;

/** Turns what needs a change that is not run into waiting, and what needs that, until nothing is left to turn. */
function holdBack(verdicts: readonly Verdict[], needs: CurrentInput["needs"]): readonly Verdict[] {
  const running = changesToRun(verdicts);
  const spokenOf = new Set(verdicts.flatMap((verdict) => (verdict.is === "waiting" ? verdict.changes : [])));
  const next = verdicts.map((verdict): Verdict => {
    if (verdict.is !== "run") return verdict;
    const missing = verdict.changes.flatMap(needs).find((other) => !running.has(other));
    if (missing === undefined) return verdict;
    const why = verdicts.some((one) => one.is === "moved" && one.instead === missing)
      ? "which has moved"
      : spokenOf.has(missing)
        ? "which waits itself"
        : "which this plan does not hold";
    const because = `It needs the ${missing.kind} \`${missing.key}\` to be ${DONE[missing.action]} first, ${why}.`;
    return { saved: verdict.saved, is: "waiting", because, changes: verdict.changes };
  });
  return next.some((verdict, index) => verdict !== verdicts[index]) ? holdBack(next, needs) : verdicts;
}
