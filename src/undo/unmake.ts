// A row that an apply stored is deleted, if it is that row and still as it was stored.

import type { FieldChange } from "../domain/change.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { LeftAlone, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { changeSince, heldAt, heldByDefault, type LiveIndex } from "./live.ts";
import { leave, NOTHING, type Decision, type DecideOptions } from "./step.ts";
import { alone, clicksOf } from "./words.ts";

/** The row that a create or replacement made is deleted, never another one of its key. */
export function unmake(change: ReceiptChange, live: LiveIndex, options: DecideOptions): Decision {
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
): { readonly row: LiveRecord | null } | { readonly left: LeftAlone } {
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
function isAsMeant({ kind, after }: ReceiptChange, row: LiveRecord, live: LiveIndex): boolean {
  return FIELDS[kind].every((field) => {
    const { path } = field;
    if (!field.required || field.kind === "reference" || path === KEY_FIELD[kind]) return true;
    const [meant, now] = [after && heldAt(after, path), heldAt(row, path)];
    return meant !== undefined && meant !== null && now !== undefined && live.same(field, meant, now);
  });
}

/** Fields that are no longer as the row was stored. Of one that may not have been completed, defaults count as well. */
function changedSinceStored(
  { kind, after }: ReceiptChange,
  row: LiveRecord,
  live: LiveIndex,
  isDoubtful: boolean,
): FieldChange[] {
  return FIELDS[kind].flatMap((field) => {
    const [unset, now] = [heldByDefault(field), heldAt(row, field.path)];
    const stored = (after && heldAt(after, field.path)) ?? unset;
    if (now === undefined || live.same(field, stored, now) || (isDoubtful && live.same(field, unset, now))) return [];
    return [changeSince(field, stored, now)];
  });
}
