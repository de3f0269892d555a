// What takes each change of a receipt back, as far as the account is still as the apply left it.

import type { FieldChange } from "../domain/change.ts";
import type { FieldRow } from "../domain/field.ts";
import type { LiveRow } from "../domain/live.ts";
import type { LeftAlone, Loss, ReceiptChange, Snapshot } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { heldAt, heldByDefault, shownValue, type Held, type LiveIndex } from "./undo-live.ts";
import { canBeSent, isOver, type Secrets } from "./undo-sending.ts";
import {
  alone,
  clicksOf,
  formerLosses,
  gone,
  loss,
  secretUnknown,
  unsendable,
  type MissingSecret,
} from "./undo-words.ts";

/** A row is deleted; or gets former values, and its former key where `name` is not null; or a former object is made again. */
export type Step =
  | { readonly does: "remove"; readonly change: ReceiptChange; readonly row: LiveRow }
  | {
      readonly does: "restore";
      readonly change: ReceiptChange;
      readonly row: LiveRow;
      readonly fields: ReadonlyMap<string, Held>;
      readonly name: string | null;
      readonly secrets: Secrets;
      /** Secrets that are set now are sent all the same. */
      readonly isResent: boolean;
    }
  | {
      readonly does: "make";
      readonly change: ReceiptChange;
      /** The row that goes when the former one is there again; null where there is none. */
      readonly row: LiveRow | null;
      readonly former: Snapshot;
      readonly secrets: Secrets;
    };

/** What is done about a change, what can't come back with it, and what is left. Without a step and without what is left it is taken back already. */
export interface Decision {
  readonly step: Step | null;
  readonly losses: readonly Loss[];
  readonly left: readonly LeftAlone[];
  /** Whether the apply did this is told from live alone. */
  readonly isDoubtful: boolean;
}

export interface DecideOptions {
  /** What has been changed since is overwritten, and what would come back open comes back. */
  readonly force: boolean;
  readonly variableFor: (change: ReceiptChange, path: string) => Variable;
  /** The account's zone, where it is known. */
  readonly accountZone: string | null;
}

/** A variable that may hold a secret. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
}

const NOTHING: Decision = { step: null, losses: [], left: [], isDoubtful: false };

/** Decides about one change. */
export function decide(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  // It was not begun.
  if (change.outcome === "skipped") return NOTHING;
  switch (change.action) {
    case "create":
      return unmake(change, live, options);
    case "update":
      return restore(change, live, options);
    case "delete":
      return live.withId(change.kind, change.id ?? 0) === undefined ? make(change, null, options) : NOTHING;
    case "replace":
      return exchange(change, live, options);
    default:
      return change.action satisfies never;
  }
}

/** The row that a create or replacement made is deleted, never another one of its key. */
function unmake(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const made = madeRow(change, live);
  if ("left" in made) return leave(made.left);
  const { row } = made;
  if (row === null) return NOTHING;
  const isDoubtful = change.newId === null;
  const changed = options.force ? [] : changedSinceStored(change, row, live, isDoubtful);
  if (changed.length > 0)
    return leave(
      alone(
        change,
        "changed-since",
        "has been changed since, and is not deleted:",
        "To delete it all the same, add --force.",
        changed,
      ),
    );
  return { ...NOTHING, step: { does: "remove", change, row }, losses: clicksOf(change, row), isDoubtful };
}

/** The row that was stored: by its id, else the one that has its key and leads where it was to lead. */
function madeRow(
  change: ReceiptChange,
  live: LiveIndex,
): { readonly row: LiveRow | null } | { readonly left: LeftAlone } {
  const holders = change.is === null ? [] : live.at(change.kind, change.is);
  const [holder, ...others] = holders;
  if (change.newId !== null) {
    const row = live.withId(change.kind, change.newId);
    if (row !== undefined || holder === undefined) return { row: row ?? null };
    const message = `(id ${change.newId}) is gone, and another one has its key (id ${holder.id}): that one is left as it is.`;
    return { left: alone(change, "gone-since", message) };
  }
  if (holder === undefined) return { row: null };
  if (others.length === 0 && isAsMeant(change, holder, live)) return { row: holder };
  const message = `is there (id ${holder.id}), but not as this run would have made it: it may be somebody else's, and is left as it is.`;
  return { left: alone(change, "not-ours", message) };
}

/** What every new row has besides its key: a link's destination, a pixel's type and value. */
function isAsMeant({ kind, after }: ReceiptChange, row: LiveRow, live: LiveIndex): boolean {
  return FIELDS[kind].every(({ path, required, kind: fieldKind }) => {
    if (!required || fieldKind === "reference" || path === KEY_FIELD[kind]) return true;
    const [meant, now] = [after && heldAt(after, path), heldAt(row, path)];
    return meant !== undefined && meant !== null && now !== undefined && live.same(meant, now);
  });
}

/** Fields that are no longer as the row was stored. Of one that may not have been completed, defaults count as well. */
function changedSinceStored(
  { kind, after }: ReceiptChange,
  row: LiveRow,
  live: LiveIndex,
  isDoubtful: boolean,
): FieldChange[] {
  return FIELDS[kind].flatMap((field) => {
    const [unset, now] = [heldByDefault(field), heldAt(row, field.path)];
    const stored = (after && heldAt(after, field.path)) ?? unset;
    if (now === undefined || live.same(stored, now) || (isDoubtful && live.same(unset, now))) return [];
    return [changeSince(field, stored, now)];
  });
}

function changeSince(field: FieldRow, stored: Held, now: Held): FieldChange {
  return { path: field.path, before: shownValue(field, stored), after: shownValue(field, now) };
}

/** Fields that are as the apply left them become what they were; the rest is left. */
function restore(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const { kind, id, before, after } = change;
  const row = live.withId(kind, id ?? 0);
  if (row === undefined) return leave(gone(change, live));
  if (before === null || after === null) return NOTHING;
  const fields = new Map<string, Held>();
  const secrets = new Map<string, string>();
  const changed: FieldChange[] = [];
  const losses: Loss[] = [];
  const left: LeftAlone[] = [];
  let name: string | null = null;
  let isResent = false;
  const missing: MissingSecret[] = [];
  for (const field of FIELDS[kind]) {
    const { path } = field;
    const [was, made, now] = [heldAt(before, path), heldAt(after, path), heldAt(row, path)];
    if (made === undefined) continue;
    if (was === undefined || now === undefined) {
      losses.push(
        loss(change, `the former \`${path}\`: the service does not say what it ${was === undefined ? "was" : "is"}.`),
      );
      continue;
    }
    const isSecret = field.kind === "secret" && isSet(was);
    if (live.same(was, now)) {
      if (!isSecret || !isSet(made)) continue;
      // It was sent anew: whether it is another one can't be seen.
      const variable = options.variableFor(change, path);
      if (variable.isSet) {
        secrets.set(path, variable.name);
        fields.set(path, was);
        isResent = true;
      } else {
        const message = `the former \`${path}\`: it can't be read. To send it again, set ${variable.name} to it.`;
        losses.push(loss(change, message));
      }
      continue;
    }
    if (!live.same(made, now) && !options.force) {
      changed.push(changeSince(field, made, now));
      continue;
    }
    if (isSecret) {
      const variable = options.variableFor(change, path);
      if (variable.isSet) secrets.set(path, variable.name);
      else missing.push({ path, variable: variable.name });
    }
    if (!canBeSent(field, was, options.accountZone)) left.push(unsendable(change, field));
    else if (path === KEY_FIELD[kind] && "value" in was) name = String(was.value);
    else fields.set(path, was);
  }
  // What is kept from strangers by a password does not come back without it.
  if (missing.length > 0) return leave(secretUnknown(change, missing));
  if (changed.length > 0) {
    const message = "has been changed since, and that is left as it is:";
    left.push(alone(change, "changed-since", message, "To overwrite it, add --force.", changed));
  }
  const isIdle = fields.size === 0 && name === null;
  return {
    step: isIdle ? null : { does: "restore", change, row, fields, name, secrets, isResent },
    losses,
    left,
    isDoubtful: false,
  };
}

/** A replacement: the former row is made again, then the one that took its place is deleted. */
function exchange(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
  const isThere = live.withId(change.kind, change.id ?? 0) !== undefined;
  // It came to its first half at most: only what is new goes.
  if (isThere) return unmake(change, live, options);
  const made = unmake(change, live, options);
  if (made.step?.does === "remove") {
    const decided = make(change, made.step.row, options);
    return {
      ...decided,
      losses: decided.step === null ? [] : [...decided.losses, ...made.losses],
      isDoubtful: made.isDoubtful,
    };
  }
  if (made.left.length > 0) return made;
  if (options.force) return make(change, null, options);
  const message = "took the place of the former one, and is gone.";
  return leave(alone(change, "gone-since", message, "To make the former one again all the same, add --force."));
}

/** The former object is made again. */
function make(change: ReceiptChange, row: LiveRow | null, options: DecideOptions): Decision {
  const { kind, before: former } = change;
  if (former === null) return NOTHING;
  const unsent = FIELDS[kind].find((field) => {
    const held = heldAt(former, field.path);
    return held !== undefined && !canBeSent(field, held, options.accountZone);
  });
  if (unsent !== undefined) return leave(unsendable(change, unsent));
  if (!options.force && isOver(kind, former, change.clicks)) {
    const message = "had expired by its clicks. Made again it counts from 0, and would lead on.";
    return leave(alone(change, "would-open", message, "If that is meant, add --force."));
  }
  const set = FIELDS[kind].filter(({ kind: fieldKind, path }) => fieldKind === "secret" && isSet(heldAt(former, path)));
  const variables = set.map(({ path }) => ({ path, ...options.variableFor(change, path) }));
  const missing = variables.flatMap(({ path, name, isSet: isThere }) => (isThere ? [] : [{ path, variable: name }]));
  if (missing.length > 0) return leave(secretUnknown(change, missing));
  const secrets = new Map(variables.map(({ path, name }) => [path, name]));
  return { ...NOTHING, step: { does: "make", change, row, former, secrets }, losses: formerLosses(change, former) };
}

function isSet(held: Held | undefined): boolean {
  return held !== undefined && "value" in held && held.value === true;
}

function leave(left: LeftAlone): Decision {
  return { ...NOTHING, left: [left] };
}
