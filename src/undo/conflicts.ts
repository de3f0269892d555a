// Leaves out steps of an undo that are impossible together: another record has the key, or a link uses the pixel.

import { append } from "../domain/collections.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordKey, SkippedChange } from "../domain/receipt.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { displayKey, identityOf, keyOf, type ReceiptRecords } from "./live.ts";
import { keyConflict, pixelInUse } from "./messages.ts";
import type { UndoStep } from "./step.ts";

/** Steps that are possible together, and the changes that were skipped for that. */
export interface FeasibleSteps {
  readonly steps: readonly UndoStep[];
  readonly skipped: readonly SkippedChange[];
}

/** Leaves out impossible steps, and then those that are impossible without them. */
export function removeConflicts(
  all: readonly UndoStep[],
  live: ReceiptRecords,
  state: Pick<LiveState, "links" | "unreadable">,
): FeasibleSteps {
  const links = [...state.links, ...state.unreadable.filter(({ kind }) => kind === "link")];
  const skipped: SkippedChange[] = [];
  let next = all;
  for (;;) {
    const free = removeKeyConflicts(next, live);
    append(skipped, free.skipped);
    const users = pixelUsersAfter(free.steps, links);
    const usersOf = (step: UndoStep): readonly LiveRecord[] =>
      step.action === "delete" && step.record.kind === "pixel" ? (users.get(step.record.id) ?? []) : [];
    next = free.steps.filter((step) => usersOf(step).length === 0);
    if (next.length === free.steps.length) return { steps: next, skipped };
    for (const step of free.steps) {
      const keys = usersOf(step).map((link) => displayKey(keyOf(link)));
      if (keys.length > 0) skipped.push(pixelInUse(step.change, keys));
    }
  }
}

/** The links that use each pixel after these steps. */
function pixelUsersAfter(steps: readonly UndoStep[], links: readonly LiveRecord[]): Map<number, LiveRecord[]> {
  const deleted = new Set(steps.flatMap((step) => (step.action === "restore" ? [] : (step.record ?? []))));
  const restored = new Map(
    steps.flatMap((step) => (step.action === "restore" ? [[step.record, step.fields] as const] : [])),
  );
  const users = new Map<number, LiveRecord[]>();
  for (const link of links) {
    if (deleted.has(link)) continue;
    const previous = restored.get(link)?.get(REFERENCE_FIELD.pixel);
    const pixels =
      previous !== undefined && "references" in previous
        ? previous.references
        : link.references.get(REFERENCE_FIELD.pixel);
    for (const { id } of pixels ?? []) if (id !== null) users.set(id, [...(users.get(id) ?? []), link]);
  }
  return users;
}

/**
 * Leaves out steps that need a key which another record has and keeps. The record of such a step keeps its own key, which may block
 * another step. This is repeated until no step is blocked.
 */
function removeKeyConflicts(all: readonly UndoStep[], live: ReceiptRecords): FeasibleSteps {
  let steps = all;
  const skipped: SkippedChange[] = [];
  for (;;) {
    const leaving = new Set(steps.flatMap((step) => recordLeavingKey(step) ?? []));
    const next: UndoStep[] = [];
    // Two records can have had equal keys. The first one gets the key.
    const assigned = new Map<string, UndoStep>();
    let isChanged = false;
    for (const step of steps) {
      const key = keyAfterStep(step);
      if (key === null) {
        next.push(step);
        continue;
      }
      const { change } = step;
      const identity = identityOf(change.kind, key);
      const rival = assigned.get(identity);
      const own = step.action === "restore" ? step.record : null;
      const holder = live.findByKey(change.kind, key).find((record) => record !== own && !leaving.has(record));
      if (holder === undefined && rival === undefined) {
        next.push(step);
        assigned.set(identity, step);
        continue;
      }
      isChanged = true;
      const reason =
        holder === undefined
          ? `goes to the record that had the id ${rival?.change.id}`
          : `now belongs to another record (id ${holder.id})`;
      skipped.push(keyConflict(change, step.action === "recreate", displayKey(key), reason));
      if (step.action === "restore" && step.fields.size > 0) next.push({ ...step, restoredName: null });
    }
    if (!isChanged) return { steps, skipped };
    steps = next;
  }
}

/** The key that a step gives to its record; null if it does not change the key. */
export function keyAfterStep(step: UndoStep): RecordKey | null {
  if (step.action === "recreate") return step.change.keyBefore;
  if (step.action === "restore" && step.restoredName !== null)
    return { ...keyOf(step.record), name: step.restoredName };
  return null;
}

/** The record whose current key is free after a step; null for none. */
function recordLeavingKey(step: UndoStep): LiveRecord | null {
  if (step.action !== "restore") return step.record;
  const key = keyAfterStep(step);
  const { record } = step;
  return key === null || identityOf(record.kind, key) === identityOf(record.kind, keyOf(record)) ? null : record;
}
