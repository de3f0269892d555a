// Leaves out steps of an undo that are impossible together: another record has the key, or a link uses the pixel.

import { append } from "../domain/collections.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { RecordKey, SkippedChange } from "../domain/run-record.ts";
import { KEY_FIELD, REFERENCE_FIELD } from "../domain/table.ts";
import { keyOf } from "../record/changes.ts";
import { displayKey, identityOf, plainValue, type LiveRecords } from "./live.ts";
import { skipped as leave, type UndoStep } from "./step.ts";

/** Steps that are possible together, and the changes that were left out for that. */
export interface FeasibleSteps {
  readonly steps: readonly UndoStep[];
  readonly skipped: readonly SkippedChange[];
}

/** Leaves out impossible steps, and then those that are impossible without them. */
export function removeConflicts(
  all: readonly UndoStep[],
  live: LiveRecords,
  state: Pick<LiveState, "links" | "unreadable">,
): FeasibleSteps {
  const links = [...state.links, ...state.unreadable.filter(({ kind }) => kind === "link")];
  const skipped: SkippedChange[] = [];
  let steps = all;
  for (;;) {
    const conflicts = new Map([...keyConflicts(steps, live), ...pixelConflicts(steps, links)]);
    if (conflicts.size === 0) return { steps, skipped };
    append(skipped, [...conflicts.values()]);
    steps = steps.filter((step) => !conflicts.has(step));
  }
}

/** Steps that need a key which another record has and keeps. Two records can have had equal keys; the first one gets the key. */
function keyConflicts(steps: readonly UndoStep[], live: LiveRecords): (readonly [UndoStep, SkippedChange])[] {
  const leaving = new Set(steps.flatMap((step) => recordLeavingKey(step) ?? []));
  const assigned = new Map<string, UndoStep>();
  return steps.flatMap((step) => {
    const { change } = step;
    const key = keyAfterStep(step);
    if (key === null) return [];
    const identity = identityOf(change.kind, key);
    const rival = assigned.get(identity);
    const own = step.action === "restore" ? step.record : null;
    const holder = live.findByKey(change.kind, key).find((record) => record !== own && !leaving.has(record));
    if (holder === undefined && rival === undefined) {
      assigned.set(identity, step);
      return [];
    }
    const what = step.action === "recreate" ? `is not created again (id ${change.id})` : "is not changed";
    const reason =
      holder === undefined
        ? `goes to the record that had the id ${rival?.change.id}`
        : `now belongs to another record (id ${holder.id})`;
    const hint = "To restore it, free the key and undo again.";
    return [[step, leave(change, "taken-since", `${what}: \`${displayKey(key)}\` ${reason}.`, hint)] as const];
  });
}

/** Deletes of pixels that links use after these steps. */
function pixelConflicts(
  steps: readonly UndoStep[],
  links: readonly LiveRecord[],
): (readonly [UndoStep, SkippedChange])[] {
  const path = REFERENCE_FIELD.pixel;
  const deleted = new Set(steps.flatMap((step) => (step.action === "restore" ? [] : (step.record ?? []))));
  const restored = new Map(
    steps.flatMap((step) => (step.action === "restore" ? [[step.record, step.fields.get(path)] as const] : [])),
  );
  const pixelsOf = (link: LiveRecord): readonly { readonly id: number | null }[] => {
    const previous = restored.get(link);
    return (previous !== undefined && "references" in previous ? previous.references : link.references.get(path)) ?? [];
  };
  return steps.flatMap((step) => {
    if (step.action !== "delete" || step.record.kind !== "pixel") return [];
    const users = links.filter((link) => !deleted.has(link) && pixelsOf(link).some(({ id }) => id === step.record.id));
    if (users.length === 0) return [];
    const keys = users.slice(0, MAX_SHOWN_USERS).map((link) => `\`${displayKey(keyOf(link))}\``);
    const more = users.length > MAX_SHOWN_USERS ? ` and ${users.length - MAX_SHOWN_USERS} more` : "";
    const message = `is not deleted: ${keys.join(", ")}${more} ${users.length === 1 ? "uses" : "use"} it.`;
    const hint = `To delete it, remove it from ${users.length === 1 ? "this link" : "these links"} and undo again.`;
    return [[step, leave(step.change, "still-used", message, hint)] as const];
  });
}

const MAX_SHOWN_USERS = 3;

/** The key that a step gives to its record; null if it does not change the key. */
export function keyAfterStep(step: UndoStep): RecordKey | null {
  if (step.action === "recreate") return step.change.keyBefore;
  if (step.action === "delete") return null;
  const name = plainValue(step.fields.get(KEY_FIELD[step.change.kind]));
  return name === undefined ? null : { ...keyOf(step.record), name: String(name) };
}

/** The record whose current key is free after a step; null for none. */
function recordLeavingKey(step: UndoStep): LiveRecord | null {
  if (step.action !== "restore") return step.record;
  const key = keyAfterStep(step);
  const { record } = step;
  return key === null || identityOf(record.kind, key) === identityOf(record.kind, keyOf(record)) ? null : record;
}
