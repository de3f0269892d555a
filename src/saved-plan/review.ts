// Compares a saved plan with the current plan: only what both ask for is made, and a moved change says why.

import { rowIdOf, type Change, type Desired, type Live, type Plan } from "../domain/change.ts";
import { fieldAt, FIELDS, type ResourceKind } from "../domain/table.ts";
import { sameValue } from "../domain/value.ts";
import { changeDocument, type ChangeDocument } from "../view/document.ts";
import { fold } from "../domain/fold.ts";
import { groupBy } from "../domain/collections.ts";
import { showWords, wordChanges, type Word, type WordChange } from "../view/values.ts";

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
 *     what a new record lacks        has the new record              run that (a store that was saved in part)
 *     the old record's deletion      has the new record              run that (a replacement stopped halfway)
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
  const record = present.row(saved.kind, saved.id);
  if (record === undefined) return null;
  const change = present.changeOf(saved.kind, saved.id);
  const asked = change === undefined ? [] : present.fieldsOf(change);
  const words = present.wordsOf(record);
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
  const record = present.rowAt(saved);
  if (record === undefined) return null;
  const stored = saved.stored ?? saved.fields;
  const change = present.changeOf(record.kind, record.id);
  const asked = change === undefined ? [] : present.fieldsOf(change);
  const words = present.wordsOf(record);
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
      const field = fieldAt(kind, path);
      return (
        field !== undefined && before !== undefined && (sameValue(before, field.default) || sameValue(before, after))
      );
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

/** What a saved plan is held against. */
export interface CurrentInput {
  readonly plan: Pick<Plan, "changes" | "withheld" | "zones">;
  readonly desired: readonly Desired[];
  /** Every record that the files or the saved plan speak of, if it is there. */
  readonly live: readonly Live[];
  /** The changes of the plan that must have been made before this one. */
  readonly needs: (change: Change) => readonly Change[];
}

class CurrentState {
  readonly #zones: Plan["zones"];
  readonly #bySignature: ReadonlyMap<string, Change>;
  readonly #withheld: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, Change>;
  readonly #byKey: ReadonlyMap<string, readonly Change[]>;
  readonly #rowsById: ReadonlyMap<string, Live>;
  readonly #rowsByKey: ReadonlyMap<string, readonly Live[]>;
  readonly #declared: ReadonlySet<string>;

  constructor({ plan, desired, live }: CurrentInput) {
    this.#zones = plan.zones;
    this.#bySignature = new Map(plan.changes.map((change) => [this.#signatureOf(change), change]));
    this.#withheld = new Set(plan.withheld.map(({ change }) => this.#signatureOf(change)));
    this.#byId = new Map(
      plan.changes.flatMap((change) =>
        change.action === "create" ? [] : [[`${change.kind} ${change.live.id}`, change] as const],
      ),
    );
    this.#byKey = groupBy(plan.changes, keyOf);
    this.#rowsById = new Map(live.map((record) => [`${record.kind} ${record.id}`, record]));
    this.#rowsByKey = groupBy(live, keyOf);
    this.#declared = new Set(desired.map(keyOf));
  }

  #signatureOf(change: Change): string {
    return signature(changeDocument(change, { zones: this.#zones }));
  }

  /** The change that does just the same. */
  same(saved: ChangeDocument): Change | undefined {
    return this.#bySignature.get(signature(saved));
  }

  /** Whether the same change is asked for by the files, and left out of the plan. */
  withholds(saved: ChangeDocument): boolean {
    return this.#withheld.has(signature(saved));
  }

  /** The change of the record with this id. */
  changeOf(kind: ResourceKind, id: number | null): Change | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  /** The change that gives this key to something. */
  changeAt(saved: ChangeDocument): Change | undefined {
    return this.#byKey.get(keyOf(saved))?.find(({ action }) => action !== "delete");
  }

  row(kind: ResourceKind, id: number | null): Live | undefined {
    return this.#rowsById.get(`${kind} ${id}`);
  }

  /** The record that has the key of a change. */
  rowAt(saved: ChangeDocument): Live | undefined {
    return this.#rowsByKey.get(keyOf(saved))?.[0];
  }

  declares(saved: ChangeDocument): boolean {
    return this.#declared.has(keyOf(saved));
  }

  /** What a record has, by the paths of the files. */
  wordsOf({ kind, values }: Live): ReadonlyMap<string, Word> {
    const fields = FIELDS[kind].flatMap(({ path }) => {
      const after = values.get(path);
      return after === undefined ? [] : wordChanges(kind, { path, before: undefined, after }, this.#zones, false);
    });
    return new Map(fields.map(({ path, after }) => [path, after]));
  }

  /** The fields of a change. */
  fieldsOf({ action, kind, fields }: Change): WordChange[] {
    return fields.flatMap((field) => wordChanges(kind, field, this.#zones, action === "create"));
  }
}

function keyOf({ kind, key }: { readonly kind: ResourceKind; readonly key: string }): string {
  return `${kind} ${fold(key)}`;
}

/** Whether two words are the same; those of one field have their keys in one order. */
function sameWord(a: Word | undefined, b: Word | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What makes two changes the same: all that is done, and to which record. */
function signature({ action, kind, key, previous_key, id, fields, stored }: ChangeDocument): string {
  const words = [fields, stored ?? []].map((list) => list.map(({ path, before, after }) => [path, before, after]));
  return JSON.stringify([action, kind, key, previous_key, id, ...words]);
}

/** What differs, and the change that the files ask for in place of the saved one. */
function whyMoved(
  saved: ChangeDocument,
  present: CurrentState,
): { readonly because: string; readonly instead: Change | undefined } {
  const instead = present.changeOf(saved.kind, saved.id) ?? present.changeAt(saved);
  const because = instead === undefined ? whyGone(saved, present) : whyOther(saved, instead, present);
  return { because, instead };
}

/** Nothing is asked for in its place. */
function whyGone(saved: ChangeDocument, present: CurrentState): string {
  if (present.withholds(saved)) return "The project leaves such changes out now.";
  if (saved.action === "delete") return "Nothing asks for its deletion any more.";
  if (!present.declares(saved)) return "No file declares it any more.";
  return "The files don't ask for this any more.";
}

function whyOther(saved: ChangeDocument, instead: Change, present: CurrentState): string {
  const id = rowIdOf(instead);
  if (instead.action !== saved.action) {
    const there =
      id === null
        ? `The row with id ${saved.id} is no longer there`
        : saved.id === null
          ? `It is there now (id ${id})`
          : "It is not as it was";
    return `${there}: it would be ${DONE[instead.action]} now, not ${DONE[saved.action]}.`;
  }
  if (id !== saved.id) return `It is the row with id ${id} now, no longer the one with id ${saved.id}.`;
  if (instead.key !== saved.key) return `It would be \`${instead.key}\` now.`;
  if (instead.previousKey !== saved.previous_key)
    return `It is \`${instead.previousKey ?? instead.key}\` now, no longer \`${saved.previous_key ?? saved.key}\`.`;
  if (instead.breaksUrl && !saved.breaks_url)
    return "It would end the short URL now, which the saved plan does not show.";
  return `${fieldDifferences(saved, instead, present).join("; ")}.`;
}

/** As many are told as a person reads. */
const MOST = 3;

function fieldDifferences(saved: ChangeDocument, instead: Change, present: CurrentState): string[] {
  const asked = present.fieldsOf(instead);
  const differences = [
    ...saved.fields.flatMap(({ path, before, after }) => {
      const now = asked.find((field) => field.path === path);
      if (now === undefined) return [`\`${path}\` would not change any more`];
      if (!sameWord(now.after, after)) {
        const [reviewed, wanted] = showWords(after, now.after);
        return [`\`${path}\` would become ${wanted}, not ${reviewed}`];
      }
      if (!sameWord(now.before, before)) {
        const [then, is] = showWords(before, now.before);
        return [`\`${path}\` is ${is}, no longer ${then}`];
      }
      return [];
    }),
    ...asked.flatMap(({ path, before, after }) =>
      saved.fields.some((field) => field.path === path)
        ? []
        : [`\`${path}\` would change as well (${showWords(before, after).join(" → ")})`],
    ),
  ];
  const more = differences.length - MOST;
  if (differences.length === 0) return ["What the new row is stored with is different"];
  return more > 0 ? [...differences.slice(0, MOST), `and ${more} more`] : differences;
}
