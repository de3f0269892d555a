// Keys that are to be given back: one that somebody else has by now can't be.

import type { LiveRecord } from "../domain/live.ts";
import type { KeyOfRow, LeftAlone } from "../domain/receipt.ts";
import { identityOf, keyOf, type LiveIndex } from "./live.ts";
import type { UndoStep } from "./step.ts";
import { alone } from "./words.ts";

/** Steps that can be taken together, and what had to be left. */
export interface Free {
  readonly steps: readonly UndoStep[];
  readonly left: readonly LeftAlone[];
}

/**
 * Leaves out what would take a key that a live row has and goes on having. A row that so keeps its own key may be in the way of
 * another step: it goes on until nothing is in the way.
 */
export function withFreeKeys(all: readonly UndoStep[], live: LiveIndex): Free {
  let steps = all;
  const left: LeftAlone[] = [];
  for (;;) {
    const leaving = new Set(steps.flatMap((step) => leavesKey(step) ?? []));
    const next: UndoStep[] = [];
    // Two rows can have shared a key; only one of them can have it back.
    const given = new Map<string, UndoStep>();
    let isChanged = false;
    for (const step of steps) {
      const key = keyTaken(step);
      const other = key === null ? undefined : given.get(identityOf(step.change.kind, key));
      const own = step.does === "restore" ? step.row : null;
      const holder =
        key === null ? undefined : live.at(step.change.kind, key).find((row) => row !== own && !leaving.has(row));
      if (key === null || (holder === undefined && other === undefined)) {
        next.push(step);
        if (key !== null) given.set(identityOf(step.change.kind, key), step);
      } else {
        isChanged = true;
        left.push(
          taken(
            step,
            key,
            holder === undefined
              ? `goes to the row that had id ${other?.change.id}`
              : `now belongs to another row (id ${holder.id})`,
          ),
        );
        if (step.does === "restore" && step.fields.size > 0) next.push({ ...step, name: null });
      }
    }
    if (!isChanged) return { steps, left };
    steps = next;
  }
}

/** The key that a step gives to its row; null where it gives none. */
export function keyTaken(step: UndoStep): KeyOfRow | null {
  if (step.does === "make") return step.change.was;
  if (step.does === "restore" && step.name !== null) return { ...keyOf(step.row), name: step.name };
  return null;
}

/** The row that has another key after a step, or none. */
function leavesKey(step: UndoStep): LiveRecord | null {
  if (step.does === "remove" || step.does === "make") return step.row;
  const key = keyTaken(step);
  return key === null || identityOf(step.row.kind, key) === identityOf(step.row.kind, keyOf(step.row))
    ? null
    : step.row;
}

/** `why` goes on from the key. */
function taken(step: UndoStep, { domain, name }: KeyOfRow, why: string): LeftAlone {
  const key = domain === null ? name : `${domain.name}/${name}`;
  const what =
    step.does === "make"
      ? `is not created again (id ${step.change.id}): \`${key}\` ${why}.`
      : `keeps its key: \`${key}\` ${why}.`;
  return alone(step.change, "taken-since", what, "Free the key, or leave it so.");
}
